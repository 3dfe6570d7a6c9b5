"""A user's days for features: their timeline with its blocks and card, and dated entries."""

from rich_agent.domain.dated_entry import MOST_DATED_ENTRIES as MOST_DATED_ENTRIES
from rich_agent.domain.day_timeline import BlockType as BlockType
from rich_agent.domain.day_timeline import DayTimeline as DayTimeline
from rich_agent.domain.day_timeline import DayTimelineState as DayTimelineState
from rich_agent.domain.day_timeline import TimelineBlock as TimelineBlock
from rich_agent.tools.cards import day_card as day_card
from rich_agent.tools.cards import omission_line as omission_line
