"""Makes the repositories of the agenda, and the tools and commands that act on them."""

from collections.abc import Sequence

from rich_agent.feature import Core, Parts, Tool
from rich_agent.feature.database import Pool
from rich_agent.feature.panels import Panel
from rich_agent.feature.tools import Clock, PostgresToolExecutions, make_button_tools
from rich_agent.features.agenda.commands.notes import NoteLists
from rich_agent.features.agenda.commands.tasks import DayPictures, TaskLists
from rich_agent.features.agenda.freshness import FreshTasks
from rich_agent.features.agenda.mirrors import task_mirrors
from rich_agent.features.agenda.panels.day import DayPanel
from rich_agent.features.agenda.panels.lists import NotesPanel, TasksPanel
from rich_agent.features.agenda.ports import Agenda, TaskFreshness
from rich_agent.features.agenda.repositories.dated import PostgresDatedPlans
from rich_agent.features.agenda.repositories.plans import (
    PostgresGoals,
    PostgresNotes,
    PostgresProjects,
    PostgresSchedule,
)
from rich_agent.features.agenda.repositories.tasks import PostgresTasks
from rich_agent.features.agenda.tools.moving import BlockTools, NoteChangeTools
from rich_agent.features.agenda.tools.plans import GoalTools, NoteTools, ProjectTools
from rich_agent.features.agenda.tools.schedule import ScheduleTools
from rich_agent.features.agenda.tools.tasks import TaskTools


def make_parts(core: Core) -> Parts:
    """The tools, the commands with their buttons, and the plans that have a date."""
    pool = core.databases.app
    agenda, fresh = make_agenda(pool), FreshTasks(pool, [*task_mirrors().values()])
    tools = make_tools(agenda, fresh, core.now)
    executions = PostgresToolExecutions(pool)
    task_lists = TaskLists(agenda, make_button_tools(tools, executions), fresh, executions)
    note_lists, day_pictures = NoteLists(agenda.notes), DayPictures(agenda.schedule)
    return Parts(
        panels=make_panels(agenda, fresh, tools, core.now),
        tools=tools,
        commands={**task_lists.commands(), **note_lists.commands()},
        presses={**task_lists.presses(), **day_pictures.presses(), **note_lists.presses()},
        dated_entries=[PostgresDatedPlans(pool).entries],
    )


def make_panels(
    agenda: Agenda, fresh: TaskFreshness, tools: Sequence[Tool], now: Clock
) -> Sequence[Panel]:
    """The panels of a user's day, tasks and notes; their buttons call the tools of the chat."""
    of_tasks = tuple(tool for tool in tools if tool.name.endswith("_task"))
    of_notes = tuple(tool for tool in tools if tool.name == "create_note")
    adding = ScheduleTools(agenda.schedule, agenda.tasks, now)
    of_blocks = BlockTools(agenda.schedule, adding, now).tools()
    return (
        DayPanel(agenda, fresh).panel((*of_tasks, *of_blocks)),
        TasksPanel(agenda, fresh).panel(of_tasks),
        NotesPanel(agenda).panel((*of_notes, *NoteChangeTools(agenda.notes).tools())),
    )


def make_agenda(pool: Pool) -> Agenda:
    """The repositories of the agenda."""
    return Agenda(
        tasks=PostgresTasks(pool),
        projects=PostgresProjects(pool),
        goals=PostgresGoals(pool),
        notes=PostgresNotes(pool),
        schedule=PostgresSchedule(pool),
    )


def make_tools(agenda: Agenda, fresh: TaskFreshness, now: Clock) -> Sequence[Tool]:
    """The tools for tasks, projects, goals, notes and the schedule."""
    return (
        *TaskTools(agenda.tasks, agenda.projects, fresh, now).tools(),
        *ProjectTools(agenda.projects).tools(),
        *GoalTools(agenda.goals).tools(),
        *ScheduleTools(agenda.schedule, agenda.tasks, now).tools(),
        *NoteTools(agenda.notes).tools(),
    )
