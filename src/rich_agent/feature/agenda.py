"""Times of plans as features read them: days of tasks, rules, zones, clocks."""

from rich_agent.domain.time.day_rules import next_occurrence as next_occurrence
from rich_agent.domain.time.recurrence import in_short_months as in_short_months
from rich_agent.domain.time.recurrence import occurrences as occurrences
from rich_agent.domain.time.wall_time import local_of as local_of
from rich_agent.domain.time.zones import zone_named as zone_named
