"""Tools of features: common arguments, lines of approval cards, and calls by buttons."""

from rich_agent.domain.time.wall_time import read_clock as read_clock
from rich_agent.domain.tools import ToolCall as ToolCall
from rich_agent.ports.tools import ToolExecutions as ToolExecutions
from rich_agent.ports.tools import Tools as Tools
from rich_agent.repositories.tools import PostgresToolExecutions as PostgresToolExecutions
from rich_agent.tools.all_tools import make_button_tools as make_button_tools
from rich_agent.tools.arguments import Clock as Clock
from rich_agent.tools.arguments import Day as Day
from rich_agent.tools.arguments import LenientArguments as LenientArguments
from rich_agent.tools.arguments import Limit as Limit
from rich_agent.tools.arguments import RowId as RowId
from rich_agent.tools.arguments import Title as Title
from rich_agent.tools.arguments import foreign_words as foreign_words
from rich_agent.tools.arguments import origin_of as origin_of
from rich_agent.tools.arguments import today_of as today_of
from rich_agent.tools.arguments import without_empty as without_empty
from rich_agent.tools.line_forms import MIDDLE_DOT as MIDDLE_DOT
from rich_agent.tools.line_forms import CardLine as CardLine
from rich_agent.tools.line_forms import LineForm as LineForm
from rich_agent.tools.line_forms import ReadableCall as ReadableCall
from rich_agent.tools.line_forms import phrase_around as phrase_around
from rich_agent.tools.line_forms import title_line as title_line
from rich_agent.tools.tool import Naming as Naming
from rich_agent.tools.tool import Undo as Undo
