"""The panel of a day: the blocks of its schedule, which can be moved, and the tasks for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from rich_agent.feature import Clocks, Tool, say
from rich_agent.feature.panels import (
    MOST_ROWS,
    Panel,
    PanelButton,
    PanelContent,
    PanelField,
    PanelForm,
    PanelGroup,
    PanelLink,
    PanelRequest,
    PanelRow,
    PanelSlot,
)
from rich_agent.features.agenda.domain.plans import Project, ScheduleBlock
from rich_agent.features.agenda.domain.tasks import Task, TaskQuery
from rich_agent.features.agenda.panels.task_rows import new_task_form, task_row, today_on
from rich_agent.features.agenda.ports import Agenda, TaskFreshness

_STEP = timedelta(minutes=15)
"""By how much a press of a button moves a block."""
_SLOT_MINUTES = 30
_FIRST_HOUR, _LAST_HOUR = 7, 22
"""Hours between which a day has slots, besides those of its blocks."""
_USUAL_MINUTES = 30
_MOST_MINUTES = 1_440
_FARTHEST = timedelta(days=3_660)


@dataclass(frozen=True, slots=True)
class DayPanel:
    """A day of the user: its schedule, and what is due on it."""

    agenda: Agenda
    fresh: TaskFreshness

    def panel(self, tools: Sequence[Tool]) -> Panel:
        """The panel, with the tools of its buttons."""
        return Panel(
            name="today", heading="agenda-page-today", compose=self.compose, tools=tools, order=10
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """The day that the address names, today without one."""
        user_id, clocks, locale = request.user_id, request.clocks, request.locale
        today = today_on(clocks)
        day = _day_in(request, today)
        await self.fresh.freshen(user_id)
        blocks = await self.agenda.schedule.day(user_id, day)
        projects = await self.agenda.projects.all(user_id)
        tasks, total = await self._tasks(user_id, day, today)
        schedule = [
            *_with_slots([_block_row(one, day, request) for one in blocks], blocks, day, clocks)
        ]
        rows = [_task_row(task, day, request, projects) for task in tasks]
        heading = say(locale, "agenda-tasks-today", count=total)
        return PanelContent(
            groups=[
                PanelGroup(schedule, say(locale, "agenda-tasks-schedule"), "schedule"),
                *([PanelGroup(rows, heading, "tasks")] if rows else ()),
            ],
            sentences=() if rows else [say(locale, "agenda-tasks-today-empty")],
            forms=[new_task_form(locale, projects, day), _new_block_form(day, request)],
            links=[
                PanelLink(
                    clocks.dated_day(one),
                    {} if one == today else {"day": one.isoformat()},
                    one == day,
                )
                for one in sorted({today, *(day + timedelta(days=n) for n in (-1, 0, 1))})
            ],
        )

    async def _tasks(self, user_id: int, day: date, today: date) -> tuple[Sequence[Task], int]:
        of_day = TaskQuery(for_day=day, order="due_date", descending=False)
        if day != today:
            of_day = TaskQuery(due_on=day, order="due_date", descending=False)
        return await self.agenda.tasks.page(user_id, of_day, MOST_ROWS)


def _day_in(request: PanelRequest, today: date) -> date:
    try:
        day = date.fromisoformat(request.query.get("day", ""))
    except ValueError:
        return today
    return day if abs(day - today) < _FARTHEST else today


def _block_row(block: ScheduleBlock, day: date, request: PanelRequest) -> PanelRow:
    clocks, locale, of_block = request.clocks, request.locale, {"block_id": block.id}
    moves = [
        PanelButton(
            say(locale, key),
            "move_schedule_block",
            {**of_block, **_begins_at(block.starts_at + by)},
        )
        for key, by in (("agenda-block-earlier", -_STEP), ("agenda-block-later", _STEP))
    ]
    delete = PanelButton(say(locale, "agenda-note-delete"), "delete_schedule_block", of_block)
    begins = f"{block.starts_at:%H:%M}" if block.starts_at.date() == day else "00:00"
    fields = [
        PanelField("start_time", begins, kind="time", is_required=True),
        PanelField("date", day.isoformat(), kind="date", is_required=True),
    ]
    move = PanelForm(
        say(locale, "agenda-block-move"), "move_schedule_block", fields, of_block, is_move=True
    )
    return PanelRow(
        key=f"block-{block.id}",
        text=block.title,
        buttons=[*moves, delete],
        forms=[move],
        time=clocks.hours(block.starts_at, block.ends_at),
    )


def _begins_at(moment: datetime) -> dict[str, object]:
    return {"date": moment.date().isoformat(), "start_time": f"{moment:%H:%M}"}


def _task_row(
    task: Task, day: date, request: PanelRequest, projects: Sequence[Project]
) -> PanelRow:
    """A task, which can also be given a time of the day."""
    locale = request.locale
    if task.status == "done":
        return task_row(task, request.clocks, projects)
    minutes = f"{min(task.estimated_minutes or _USUAL_MINUTES, _MOST_MINUTES)}"
    fields = [
        PanelField("start_time", kind="time", is_required=True),
        PanelField(
            "duration_minutes", minutes, kind="number", is_required=True, most=_MOST_MINUTES
        ),
    ]
    place = PanelForm(
        say(locale, "tool-create_schedule_block"),
        "create_schedule_block",
        fields,
        {"task_id": task.id, "date": day.isoformat()},
        is_move=True,
    )
    return task_row(task, request.clocks, projects, place)


def _new_block_form(day: date, request: PanelRequest) -> PanelForm:
    fields = [
        PanelField("title", is_required=True),
        PanelField("start_time", kind="time", is_required=True),
        PanelField(
            "duration_minutes",
            f"{_USUAL_MINUTES}",
            kind="number",
            is_required=True,
            most=_MOST_MINUTES,
        ),
    ]
    label = say(request.locale, "tool-create_schedule_block")
    return PanelForm(label, "create_schedule_block", fields, {"date": day.isoformat()})


def _with_slots(
    rows: Sequence[PanelRow], blocks: Sequence[ScheduleBlock], day: date, clocks: Clocks
) -> Iterator[PanelRow | PanelSlot]:
    """The rows of blocks with free half hours between them."""
    begins = datetime.combine(day, time(_FIRST_HOUR))
    ends = datetime.combine(day, time(_LAST_HOUR))
    rest = list(zip(blocks, rows, strict=True))
    moment = begins
    while moment < ends or rest:
        if rest and rest[0][0].starts_at < moment + timedelta(minutes=_SLOT_MINUTES):
            block, row = rest.pop(0)
            yield row
            moment = max(moment, _next_slot(block.ends_at))
        elif moment < ends:
            yield PanelSlot(clocks.clock(moment), {"start_time": f"{moment:%H:%M}"})
            moment += timedelta(minutes=_SLOT_MINUTES)
        else:
            yield rest.pop(0)[1]


def _next_slot(moment: datetime) -> datetime:
    """The beginning of the first half hour that a block does not reach into."""
    past = timedelta(minutes=moment.minute % _SLOT_MINUTES, seconds=moment.second)
    return moment + (timedelta(minutes=_SLOT_MINUTES) - past if past else timedelta())
