"""The agenda for features: rules of repetition, days, time zones, and changes of tasks.

To change tasks, take the lock (`lock_memory`) first, and at the end write the tasks' entries in
memory (`project_tasks`).
"""

from rich_agent.domain.time.day_rules import check_day_rule as check_day_rule
from rich_agent.domain.time.day_rules import next_occurrence as next_occurrence
from rich_agent.domain.time.recurrence import in_short_months as in_short_months
from rich_agent.domain.time.recurrence import occurrences as occurrences
from rich_agent.domain.time.wall_time import TimeRefusedError as TimeRefusedError
from rich_agent.domain.time.wall_time import day_at as day_at
from rich_agent.domain.time.wall_time import local_of as local_of
from rich_agent.domain.time.zones import zone_named as zone_named
from rich_agent.repositories.agenda.remembered import project_tasks as project_tasks
from rich_agent.repositories.agenda.tasks import change_task as change_task
from rich_agent.repositories.agenda.tasks import row_of_task as row_of_task
from rich_agent.repositories.memory_store import lock_memory as lock_memory
