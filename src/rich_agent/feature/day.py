"""A day of the user as features show it: its blocks, their card, and their picture."""

from rich_agent.domain.agenda.day_timeline import DayTimeline as DayTimeline
from rich_agent.domain.agenda.plans import BlockType as BlockType
from rich_agent.tools.cards import day_card as day_card
