"""Sources of tools that come and go: their interface, calls, results, and rulings on them."""

from rich_agent.domain.approving.cards import ApprovalCard as ApprovalCard
from rich_agent.domain.approving.cards import Wording as Wording
from rich_agent.domain.approving.cards import card_of as card_of
from rich_agent.domain.origins import PromptProvenance as PromptProvenance
from rich_agent.domain.permissions import NewPermission as NewPermission
from rich_agent.domain.retrieval.passage import Passage as Passage
from rich_agent.domain.rules import OF_EFFECT as OF_EFFECT
from rich_agent.domain.rules import Rule as Rule
from rich_agent.domain.rules import Ruling as Ruling
from rich_agent.domain.tools import ToolCall as ToolCall
from rich_agent.domain.tools import ToolResult as ToolResult
from rich_agent.domain.tools import ToolSpec as ToolSpec
from rich_agent.domain.tools import public_name as public_name
from rich_agent.domain.tools import source_of as source_of
from rich_agent.domain.words import Words as Words
from rich_agent.ports.tools import SourceTool as SourceTool
from rich_agent.ports.tools import ToolSource as ToolSource
