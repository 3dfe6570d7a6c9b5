"""Work of an operator: answers that wait for approval, messages that were given up, due work."""

from rich_agent.domain.answer.citation import Citation as Citation
from rich_agent.domain.message import label_user as label_user
from rich_agent.domain.redaction import redact as redact
from rich_agent.ports.approvals import Approval as Approval
from rich_agent.ports.approvals import Approvals as Approvals
from rich_agent.ports.approvals import Verdict as Verdict
from rich_agent.ports.dead_letters import DeadLetters as DeadLetters
from rich_agent.ports.due_work import MOST_COUNTED as MOST_COUNTED
from rich_agent.ports.due_work import DueWorkEntry as DueWorkEntry
from rich_agent.ports.due_work import DueWorkReader as DueWorkReader
from rich_agent.ports.due_work import DueWorkSum as DueWorkSum
from rich_agent.telegram.receive.letters import LetterSummary as LetterSummary
from rich_agent.telegram.receive.letters import summarize_letter as summarize_letter
