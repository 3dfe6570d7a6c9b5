"""Days, time zones, and rules of repetition."""

from rich_agent.domain.time.day_rules import check_day_rule as check_day_rule
from rich_agent.domain.time.day_rules import next_occurrence as next_occurrence
from rich_agent.domain.time.recurrence import in_short_months as in_short_months
from rich_agent.domain.time.recurrence import occurrences as occurrences
from rich_agent.domain.time.wall_time import TimeRefusedError as TimeRefusedError
from rich_agent.domain.time.wall_time import day_at as day_at
from rich_agent.domain.time.wall_time import local_of as local_of
from rich_agent.domain.time.zones import zone_named as zone_named
