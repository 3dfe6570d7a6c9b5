"""Arguments that tools of features share, and the user's own clock."""

from rich_agent.domain.time.wall_time import read_clock as read_clock
from rich_agent.tools.arguments import Clock as Clock
from rich_agent.tools.arguments import Day as Day
from rich_agent.tools.arguments import today_of as today_of
