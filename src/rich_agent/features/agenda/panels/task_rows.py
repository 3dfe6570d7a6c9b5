"""Rows of tasks, and the forms that add and change them."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import get_args

from rich_agent.feature import Clocks, say
from rich_agent.feature.panels import PanelButton, PanelField, PanelForm, PanelRow
from rich_agent.feature.times import day_at, say_repeats
from rich_agent.feature.tools import say_choice
from rich_agent.features.agenda.domain.plans import Project
from rich_agent.features.agenda.domain.tasks import Priority, Task, TaskStatus, TaskType

_LONGEST_TEXT = 4_000
_LONGEST_MINUTES = 10_000
_DAILY_RULES = ("FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY")


def today_on(clocks: Clocks) -> date:
    """Today's date where the user is."""
    return day_at(clocks.now, clocks.zone)


def capitalized(text: str) -> str:
    """A text whose first letter is a capital, as on a button."""
    return text[:1].upper() + text[1:]


def task_row(
    task: Task, clocks: Clocks, projects: Sequence[Project], *more_forms: PanelForm
) -> PanelRow:
    """A task with buttons that complete, postpone and delete it, and a form that changes it."""
    return PanelRow(
        key=f"task-{task.id}",
        text=task.title,
        details=_details(task, clocks, projects),
        body=task.description,
        buttons=_buttons(task, clocks),
        forms=(*more_forms, _change_form(task, clocks.locale, projects)),
    )


def new_task_form(locale: str, projects: Sequence[Project], due: date | None = None) -> PanelForm:
    """The form that adds a task."""
    due_text = due.isoformat() if due else ""
    fields = [
        PanelField("title", is_required=True),
        PanelField("due_date", due_text, kind="date"),
        _priority_field("medium", locale),
        *_project_fields(None, projects),
    ]
    return PanelForm(say(locale, "tool-create_task"), "create_task", fields)


def _buttons(task: Task, clocks: Clocks) -> Sequence[PanelButton]:
    locale, of_task = clocks.locale, {"task_id": task.id}
    delete = PanelButton(say(locale, "agenda-note-delete"), "delete_task", of_task)
    if task.status == "done":
        label = capitalized(say_choice(locale, "todo"))
        return PanelButton(label, "update_task", {**of_task, "status": "todo"}), delete
    tomorrow = today_on(clocks) + timedelta(days=1)
    done = {**of_task, "status": "done"}
    later = {**of_task, "due_date": tomorrow.isoformat()}
    buttons = [PanelButton(capitalized(say_choice(locale, "done")), "update_task", done)]
    if task.due_date != tomorrow:
        label = capitalized(say(locale, "day-tomorrow"))
        buttons.append(PanelButton(label, "update_task", later))
    return *buttons, delete


def _details(task: Task, clocks: Clocks, projects: Sequence[Project]) -> Sequence[str]:
    """Its date, importance, state, repetition and project, where these matter."""
    locale, details = clocks.locale, []
    if task.due_date:
        is_late = task.due_date < today_on(clocks) and task.status != "done"
        key = "agenda-task-overdue" if is_late else "agenda-task-due"
        details.append(say(locale, key, date=clocks.day(task.due_date)))
    if task.priority in {"high", "urgent"}:
        details.append(say(locale, f"agenda-task-{task.priority}"))
    if task.status in {"in_progress", "blocked"}:
        details.append(say(locale, f"agenda-task-{task.status.replace('_', '-')}"))
    if task.recurrence:
        details.append(say_repeats(task.recurrence, locale))
    details.extend(project.name for project in projects if project.id == task.project_id)
    return details


def _change_form(task: Task, locale: str, projects: Sequence[Project]) -> PanelForm:
    statuses = [(one, say_choice(locale, one)) for one in get_args(TaskStatus)]
    kinds = [("", "–"), *((one, say_choice(locale, one)) for one in get_args(TaskType))]
    minutes = f"{task.estimated_minutes or ''}"
    fields = [
        PanelField("title", task.title, is_required=True),
        PanelField("description", task.description, kind="long", most=_LONGEST_TEXT),
        PanelField("due_date", task.due_date.isoformat() if task.due_date else "", kind="date"),
        _recurrence_field(task.recurrence, locale),
        _priority_field(task.priority, locale),
        PanelField("status", task.status, kind="choice", choices=statuses),
        PanelField("task_type", task.task_type or "", kind="choice", choices=kinds),
        PanelField("estimated_minutes", minutes, kind="number", most=_LONGEST_MINUTES),
        *_project_fields(task.project_id, projects),
    ]
    label = say(locale, "tool-update_task")
    return PanelForm(label, "update_task", fields, {"task_id": task.id})


def _priority_field(priority: Priority, locale: str) -> PanelField:
    choices = [(one, say_choice(locale, one)) for one in get_args(Priority)]
    return PanelField("priority", priority, kind="choice", choices=choices)


def _recurrence_field(rule: str, locale: str) -> PanelField:
    rules = dict.fromkeys([*([rule] if rule else []), *_DAILY_RULES])
    choices = [("", "–"), *((one, say_repeats(one, locale)) for one in rules)]
    return PanelField("recurrence", rule, kind="choice", choices=choices)


def _project_fields(project_id: int | None, projects: Sequence[Project]) -> Sequence[PanelField]:
    if not projects:
        return ()
    choices = [("", "–"), *((f"{one.id}", one.name) for one in projects)]
    return (PanelField("project_id", f"{project_id or ''}", kind="choice", choices=choices),)
