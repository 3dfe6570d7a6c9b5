"""The agenda for features: rules of repetition, days, time zones, and changes of tasks.

To change tasks, take the lock (`lock_memory`) first, and at the end write the tasks' entries in
memory (`project_tasks`).
"""

from rich_agent.domain.agenda.plans import Note as Note
from rich_agent.domain.agenda.plans import NoteFolder as NoteFolder
from rich_agent.domain.agenda.plans import ScheduleBlock as ScheduleBlock
from rich_agent.domain.agenda.tasks import Task as Task
from rich_agent.domain.agenda.tasks import TaskQuery as TaskQuery
from rich_agent.domain.time.day_rules import check_day_rule as check_day_rule
from rich_agent.domain.time.day_rules import next_occurrence as next_occurrence
from rich_agent.domain.time.recurrence import in_short_months as in_short_months
from rich_agent.domain.time.recurrence import occurrences as occurrences
from rich_agent.domain.time.wall_time import TimeRefusedError as TimeRefusedError
from rich_agent.domain.time.wall_time import day_at as day_at
from rich_agent.domain.time.wall_time import local_of as local_of
from rich_agent.domain.time.zones import zone_named as zone_named
from rich_agent.ports.agenda import Agenda as Agenda
from rich_agent.ports.agenda import Notes as Notes
from rich_agent.ports.agenda import Schedule as Schedule
from rich_agent.ports.task_changes import TaskFreshness as TaskFreshness
from rich_agent.repositories.agenda.dated import PostgresDatedPlans as PostgresDatedPlans
from rich_agent.repositories.agenda.plans import PostgresGoals as PostgresGoals
from rich_agent.repositories.agenda.plans import PostgresNotes as PostgresNotes
from rich_agent.repositories.agenda.plans import PostgresProjects as PostgresProjects
from rich_agent.repositories.agenda.plans import PostgresSchedule as PostgresSchedule
from rich_agent.repositories.agenda.remembered import TaskRows as TaskRows
from rich_agent.repositories.agenda.remembered import project_tasks as project_tasks
from rich_agent.repositories.agenda.tasks import PostgresTasks as PostgresTasks
from rich_agent.repositories.agenda.tasks import change_task as change_task
from rich_agent.repositories.agenda.tasks import row_of_task as row_of_task
from rich_agent.repositories.memory_store import lock_memory as lock_memory
from rich_agent.runtime.fresh_tasks import FreshTasks as FreshTasks
from rich_agent.tools.agenda.plans import GoalTools as GoalTools
from rich_agent.tools.agenda.plans import NoteTools as NoteTools
from rich_agent.tools.agenda.plans import ProjectTools as ProjectTools
from rich_agent.tools.agenda.schedule import ScheduleTools as ScheduleTools
from rich_agent.tools.agenda.tasks import TaskTools as TaskTools
