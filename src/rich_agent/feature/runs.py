"""Runs: turns that are asked for over HTTP, their events, and the text that these make."""

from rich_agent.domain.json_values import on_one_line as on_one_line
from rich_agent.domain.message import DECISIONS as DECISIONS
from rich_agent.domain.message import Decided as Decided
from rich_agent.domain.message import SentFile as SentFile
from rich_agent.domain.runs import Run as Run
from rich_agent.domain.runs import RunAsked as RunAsked
from rich_agent.domain.runs import RunEvent as RunEvent
from rich_agent.domain.usage_limits import Usage as Usage
from rich_agent.domain.vision import ImageLimits as ImageLimits
from rich_agent.ports.images import Uploads as Uploads
from rich_agent.runs.service import RunService as RunService
from rich_agent.runs.service import newest_question as newest_question
from rich_agent.web.answers import cards_asked as cards_asked
from rich_agent.web.answers import question_markdown as question_markdown
from rich_agent.web.run_requests import begin_run as begin_run
from rich_agent.web.run_text import RunFailure as RunFailure
from rich_agent.web.run_text import RunText as RunText
from rich_agent.web.run_text import said_in_answer as said_in_answer
from rich_agent.web.streams import taken as taken
