"""Times for features: clocks, days, time zones, quiet hours, repetition, and times in words."""

from rich_agent.domain.time.day_rules import check_day_rule as check_day_rule
from rich_agent.domain.time.day_rules import next_occurrence as next_occurrence
from rich_agent.domain.time.recurrence import in_short_months as in_short_months
from rich_agent.domain.time.recurrence import occurrences as occurrences
from rich_agent.domain.time.wall_time import QuietHours as QuietHours
from rich_agent.domain.time.wall_time import TimeRefusedError as TimeRefusedError
from rich_agent.domain.time.wall_time import day_at as day_at
from rich_agent.domain.time.wall_time import instant_of as instant_of
from rich_agent.domain.time.wall_time import local_of as local_of
from rich_agent.domain.time.wall_time import read_clock as read_clock
from rich_agent.domain.time.wall_time import read_quiet_hours as read_quiet_hours
from rich_agent.domain.time.when import LONGEST_WHEN as LONGEST_WHEN
from rich_agent.domain.time.when import When as When
from rich_agent.domain.time.when import first_after as first_after
from rich_agent.domain.time.when import is_from_now as is_from_now
from rich_agent.domain.time.when import read_when as read_when
from rich_agent.domain.time.zones import zone_named as zone_named
from rich_agent.domain.time.zones import zones_like as zones_like
from rich_agent.domain.time.zones import zones_of as zones_of
from rich_agent.phrases import say_repeats as say_repeats
from rich_agent.times import UTC_ZONE as UTC_ZONE
from rich_agent.times import Clocks as Clocks
from rich_agent.times import say_duration as say_duration
from rich_agent.times import say_full_date as say_full_date
from rich_agent.times import say_wait as say_wait
