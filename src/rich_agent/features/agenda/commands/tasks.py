"""/tasks and /today: a user's tasks, with buttons that change them or send the day as a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from rich_agent.feature import (
    Asker,
    Button,
    Clocks,
    CommandRequest,
    PressReply,
    PressRequest,
    Reply,
    drawable,
    say,
)
from rich_agent.feature.conversation import CommandAnswer, PressAnswer
from rich_agent.feature.day import DayTimeline, omission_line
from rich_agent.feature.lists import ListPage, ListPlace, PagedList
from rich_agent.feature.telegram import RenderedMessage, section, together, unlinked
from rich_agent.feature.text import shorten, whole_number
from rich_agent.feature.times import day_at
from rich_agent.feature.tools import ToolCall, Tools
from rich_agent.feature.turns import thread_of
from rich_agent.features.agenda.domain.plans import ScheduleBlock
from rich_agent.features.agenda.domain.tasks import Task, TaskQuery
from rich_agent.features.agenda.ports import Agenda, Schedule, TaskFreshness

PAGE_VERB = "tasks1"
DONE_VERB = "taskdone1"
TOMORROW_VERB = "tasklater1"
DELETE_VERB = "taskdelete1"
UNDO_VERB = "taskundo1"
PICTURE_VERB = "daypicture1"
PER_PAGE = 6
_TITLE_LENGTH = 120
_CALL_ID = "press"
_ALL, _TODAY = "all", "today"


@dataclass(frozen=True, slots=True)
class TaskLists:
    """Shows users their own tasks. A button does what the tool of the same name does."""

    agenda: Agenda
    tools: Tools
    fresh: TaskFreshness

    def commands(self) -> Mapping[str, CommandAnswer]:
        """The answers to the commands, by command name."""
        return {"tasks": self.all, "today": self.today}

    def presses(self) -> Mapping[str, PressAnswer]:
        """The answers to presses of its buttons, by verb."""
        return {
            PAGE_VERB: self._pages.turn,
            DONE_VERB: self.complete,
            TOMORROW_VERB: self.put_off,
            DELETE_VERB: self.delete,
            UNDO_VERB: self.undo,
        }

    @property
    def _pages(self) -> PagedList[Task]:
        """The open tasks; with the part `_TODAY`, those that are due today."""
        return PagedList(PAGE_VERB, PER_PAGE, self._load, self._render)

    async def all(self, request: CommandRequest) -> Reply:
        """The open tasks, those that are due soon first."""
        return await self._answer(request, _ALL)

    async def today(self, request: CommandRequest) -> Reply:
        """Show what is due today or overdue, and the schedule of the day."""
        return await self._answer(request, _TODAY)

    async def _answer(self, request: CommandRequest, part: str) -> Reply:
        await self.fresh.freshen(request.user_id)
        return Reply(await self._pages.show(ListPlace(request.user_id, request.clocks, part=part)))

    async def complete(self, press: PressRequest) -> PressReply:
        """Mark a task as done."""
        return await self._change("update_task", {"status": "done"}, press)

    async def put_off(self, press: PressRequest) -> PressReply:
        """Make a task due tomorrow."""
        tomorrow = _today(press.clocks) + timedelta(days=1)
        fields = {"due_date": tomorrow.isoformat()}
        return await self._change("update_task", fields, press)

    async def delete(self, press: PressRequest) -> PressReply:
        """Delete a task with its subtasks."""
        return await self._change("delete_task", {}, press)

    async def undo(self, press: PressRequest) -> PressReply:
        """Undo the change that a button of the list made."""
        update_id, place = _number_and_place(press)
        lines = await self.tools.undo(place.user_id, f"tg:{update_id}", press.locale)
        page = together(unlinked("\n".join(lines)), await self._pages.show(place))
        return PressReply("" if lines else say(press.locale, "undo-too-late"), page)

    async def _change(
        self, tool: str, fields: Mapping[str, Any], press: PressRequest
    ) -> PressReply:
        """Call a tool for the task of the button; the list, with a notice of the change."""
        locale = press.locale
        task_id, place = _number_and_place(press)
        asker = Asker(place.user_id, thread_of(place.user_id), f"tg:{press.update_id}", locale)
        asker = replace(asker, time_zone=place.clocks.zone)
        call = ToolCall(_CALL_ID, tool, {"task_id": task_id, **fields})
        result = await self.tools.run(call, asker)
        page = await self._pages.show(place)
        if result.done:
            page = together(unlinked(result.done), page)
        if result.undoable:
            data = f"{UNDO_VERB}:{press.update_id}:{place.data}"
            undo = Button(say(locale, "undo-button"), data)
            page = replace(page, buttons=((undo,), *page.buttons))
        return PressReply("" if result.done else say(locale, "agenda-task-unchanged"), page)

    async def _load(self, place: ListPlace) -> tuple[Sequence[Task], int]:
        query = TaskQuery(for_day=_day_of(place), order="due_date", descending=False)
        return await self.agenda.tasks.page(place.user_id, query, PER_PAGE, place.offset)

    async def _render(self, page: ListPage[Task]) -> RenderedMessage:
        day = _day_of(page.place)
        blocks = await self.agenda.schedule.day(page.place.user_id, day) if day else ()
        return _page(page, blocks)


def _number_and_place(press: PressRequest) -> tuple[int, ListPlace]:
    """The number that a button names, and the page that the button was on."""
    number, _, data = press.argument.partition(":")
    place = ListPlace.on_button(press, data)
    return whole_number(number) or 0, place if place.part else replace(place, part=_ALL)


def _today(clocks: Clocks) -> date:
    return day_at(clocks.now, clocks.zone)


def _day_of(place: ListPlace) -> date | None:
    return _today(place.clocks) if place.part == _TODAY else None


def _page(page: ListPage[Task], blocks: Sequence[ScheduleBlock]) -> RenderedMessage:
    place, locale = page.place, page.place.locale
    key = "agenda-tasks-today" if place.part == _TODAY else "agenda-tasks-all"
    if not page.total and not blocks:
        return RenderedMessage(say(locale, f"{key}-empty"))
    heading = say(locale, key, count=page.total)
    task_lines = [f"{number}. {_line(task, place)}" for number, task in page.numbers_and_items]
    listing = section(heading, *task_lines) if task_lines else RenderedMessage("")
    timeline = DayTimeline.of(_today(place.clocks), blocks)
    block_lines = timeline.lines()
    if timeline.left_out:
        block_lines.append(omission_line(timeline.left_out, locale))
    schedule = (
        section(say(locale, "agenda-tasks-schedule"), *block_lines)
        if block_lines
        else RenderedMessage("")
    )
    rows = [_buttons(number, task, place) for number, task in page.numbers_and_items]
    if blocks and drawable([timeline.attachment]):
        rows.append((picture_button(timeline.day, locale),))
    return replace(together(listing, schedule), buttons=(*rows, *page.turning))


def _line(task: Task, place: ListPlace) -> str:
    """The title of a task, with its date, importance, state and repetition where these matter."""
    locale, details = place.locale, []
    if task.due_date:
        key = "overdue" if task.due_date < _today(place.clocks) else "due"
        details.append(say(locale, f"agenda-task-{key}", date=place.clocks.day(task.due_date)))
    if task.priority in {"high", "urgent"}:
        details.append(say(locale, f"agenda-task-{task.priority}"))
    if task.status != "todo":
        details.append(say(locale, f"agenda-task-{task.status.replace('_', '-')}"))
    if task.recurrence:
        details.append("↻")
    return " · ".join([shorten(task.title, _TITLE_LENGTH), *details])


def _buttons(number: int, task: Task, place: ListPlace) -> tuple[Button, ...]:
    button_data = f"{task.id}:{place.data}"
    return (
        Button(f"✓ {number}", f"{DONE_VERB}:{button_data}"),
        Button(
            say(place.locale, "agenda-task-tomorrow", number=number),
            f"{TOMORROW_VERB}:{button_data}",
        ),
        Button(f"✕ {number}", f"{DELETE_VERB}:{button_data}"),
    )


def picture_button(day: date, locale: str) -> Button:
    """The button that sends a day as a picture."""
    return Button(say(locale, "agenda-timeline-button"), f"{PICTURE_VERB}:{day.isoformat()}")


@dataclass(frozen=True, slots=True)
class DayPictures:
    """Sends the schedule of a button's day as a picture; the list above it says the same."""

    schedule: Schedule

    def presses(self) -> Mapping[str, PressAnswer]:
        """The answer to a press of its button, by verb."""
        return {PICTURE_VERB: self.press}

    async def press(self, press: PressRequest) -> PressReply:
        """The attachment with the day's schedule, or a notice that there is none."""
        try:
            day = date.fromisoformat(press.argument)
        except ValueError:
            return PressReply(say(press.locale, "button-outdated"))
        blocks = await self.schedule.day(press.user_id, day)
        if not blocks:
            return PressReply(say(press.locale, "agenda-timeline-empty"))
        return PressReply(attachments=(DayTimeline.of(day, blocks).attachment,))
