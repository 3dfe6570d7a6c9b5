"""/tasks and /today: a user's tasks, with buttons that change them or send the day as a picture."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Literal

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
    paging,
)
from rich_agent.domain.agenda.day_timeline import DayTimeline
from rich_agent.domain.agenda.plans import ScheduleBlock, day_at
from rich_agent.domain.agenda.tasks import Task, TaskQuery
from rich_agent.domain.message import thread_of
from rich_agent.domain.text import shorten, whole_number
from rich_agent.domain.tools import ToolCall
from rich_agent.phrases import say
from rich_agent.ports.agenda import Agenda, Schedule
from rich_agent.ports.bot_api import Button, RenderedMessage
from rich_agent.ports.task_lists import TaskFreshness
from rich_agent.ports.tools import Asker, Tools
from rich_agent.rendering.notices import section, together, unlinked
from rich_agent.times import Clocks

PAGE_VERB = "tasks1"
DONE_VERB = "taskdone1"
TOMORROW_VERB = "tasklater1"
DELETE_VERB = "taskdelete1"
UNDO_VERB = "taskundo1"
PER_PAGE = 6
_TITLE_LENGTH = 120
_CALL_ID = "press"
List = Literal["all", "today"]


@dataclass(frozen=True, slots=True)
class TaskPlace:
    """A page of a list, in the language and on the day of its reader."""

    user_id: int
    which: List
    offset: int
    clocks: Clocks

    @property
    def locale(self) -> str:
        """The language of its reader."""
        return self.clocks.locale

    @property
    def today(self) -> date:
        """The day at its reader's place."""
        return day_at(self.clocks.now, self.clocks.zone)


@dataclass(frozen=True, slots=True)
class TaskLists:
    """Shows users their own tasks. A button does what the tool of the same name does."""

    stored: Agenda
    tools: Tools
    fresh: TaskFreshness
    now: Callable[[], datetime]

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(
            {"tasks": self.all, "today": self.today},
            {
                PAGE_VERB: self.turn_page,
                DONE_VERB: self.complete,
                TOMORROW_VERB: self.put_off,
                DELETE_VERB: self.delete,
                UNDO_VERB: self.undo,
            },
        )

    async def all(self, request: CommandRequest) -> Reply:
        """The open tasks, those that are due soon first."""
        return await self._answer(request, "all")

    async def today(self, request: CommandRequest) -> Reply:
        """Show what is due today or overdue, and the schedule of the day."""
        return await self._answer(request, "today")

    async def _answer(self, request: CommandRequest, which: List) -> Reply:
        await self.fresh.freshen(request.user_id)
        clocks = Clocks(request.locale, request.account.time_zone, self.now())
        return Reply(await self._page(TaskPlace(request.user_id, which, 0, clocks)))

    async def turn_page(self, press: PressRequest) -> PressReply:
        """Another page in the same message."""
        _, place = self._pressed(f":{press.argument}", press)
        return PressReply(message=await self._page(place))

    async def complete(self, press: PressRequest) -> PressReply:
        """Mark a task as done."""
        return await self._change("update_task", {"status": "done"}, press)

    async def put_off(self, press: PressRequest) -> PressReply:
        """Let a task be due tomorrow."""
        _, place = self._pressed(press.argument, press)
        tomorrow = place.today + timedelta(days=1)
        fields = {"due_date": tomorrow.isoformat()}
        return await self._change("update_task", fields, press)

    async def delete(self, press: PressRequest) -> PressReply:
        """Delete a task with its subtasks."""
        return await self._change("delete_task", {}, press)

    async def undo(self, press: PressRequest) -> PressReply:
        """Take back what a button of the list did."""
        pressed, place = self._pressed(press.argument, press)
        lines = await self.tools.undo(place.user_id, f"tg:{pressed}", press.locale)
        page = together(unlinked("\n".join(lines)), await self._page(place))
        return PressReply("" if lines else say(press.locale, "undo-too-late"), page)

    async def _change(
        self, tool: str, fields: Mapping[str, Any], press: PressRequest
    ) -> PressReply:
        """Call a tool for the pressed task, and show the list with what was done."""
        locale = press.locale
        task_id, place = self._pressed(press.argument, press)
        asker = Asker(place.user_id, thread_of(place.user_id), f"tg:{press.update_id}", locale)
        asker = replace(asker, time_zone=place.clocks.zone)
        call = ToolCall(_CALL_ID, tool, {"task_id": task_id, **fields})
        result = await self.tools.run(call, asker)
        page = await self._page(place)
        if result.done:
            page = together(unlinked(result.done), page)
        if result.undoable:
            data = f"{UNDO_VERB}:{press.update_id}:{place.which}:{place.offset}"
            undo = Button(say(locale, "undo-button"), data)
            page = replace(page, buttons=((undo,), *page.buttons))
        return PressReply("" if result.done else say(locale, "task-unchanged"), page)

    def _pressed(self, argument: str, press: PressRequest) -> tuple[int, TaskPlace]:
        """The number in a button, and the page that it is on."""
        number, which, offset = (*argument.split(":"), "", "")[:3]
        user_id = press.user_id
        place = TaskPlace(
            user_id,
            "today" if which == "today" else "all",
            whole_number(offset) or 0,
            Clocks(press.locale, press.account.time_zone, self.now()),
        )
        return whole_number(number) or 0, place

    async def _page(self, place: TaskPlace) -> RenderedMessage:
        day = place.today if place.which == "today" else None
        query = TaskQuery(for_day=day, order="due_date", descending=False)
        found, total = await self.stored.tasks.page(place.user_id, query, PER_PAGE, place.offset)
        if not found and total:
            # The last task of the last page may just have been completed.
            return await self._page(replace(place, offset=(total - 1) // PER_PAGE * PER_PAGE))
        blocks = await self.stored.schedule.day(place.user_id, day) if day else ()
        return _rendered(found, total, blocks, place)


def _rendered(
    tasks: Sequence[Task], total: int, blocks: Sequence[ScheduleBlock], place: TaskPlace
) -> RenderedMessage:
    locale = place.locale
    if not total and not blocks:
        return RenderedMessage(say(locale, f"tasks-{place.which}-empty"))
    numbered = list(enumerate(tasks, start=place.offset + 1))
    heading = say(locale, f"tasks-{place.which}", count=total)
    lines = [f"{number}. {_line(task, place)}" for number, task in numbered]
    listed = section(heading, *lines) if lines else RenderedMessage("")
    timeline = DayTimeline.of(place.today, blocks)
    times = timeline.lines()
    if timeline.left_out:
        times.append(say(locale, "timeline-left-out", count=timeline.left_out))
    schedule = section(say(locale, "tasks-schedule"), *times) if times else RenderedMessage("")
    rows = [_buttons(number, task, place) for number, task in numbered]
    if blocks:
        rows.append((picture_button(place.today, locale),))
    turning = paging(f"{PAGE_VERB}:{place.which}", place.offset, PER_PAGE, total)
    return replace(together(listed, schedule), buttons=(*rows, *turning))


def _line(task: Task, place: TaskPlace) -> str:
    """The title, and what is special about the task."""
    locale, notes = place.locale, []
    if task.due_date:
        key = "overdue" if task.due_date < place.today else "due"
        notes.append(say(locale, f"task-{key}", date=place.clocks.day(task.due_date)))
    if task.priority in {"high", "urgent"}:
        notes.append(say(locale, f"task-{task.priority}"))
    if task.status != "todo":
        notes.append(say(locale, f"task-{task.status.replace('_', '-')}"))
    if task.recurrence:
        notes.append("↻")
    return " · ".join([shorten(task.title, _TITLE_LENGTH), *notes])


def _buttons(number: int, task: Task, place: TaskPlace) -> tuple[Button, ...]:
    where = f"{task.id}:{place.which}:{place.offset}"
    return (
        Button(f"✓ {number}", f"{DONE_VERB}:{where}"),
        Button(say(place.locale, "task-tomorrow", number=number), f"{TOMORROW_VERB}:{where}"),
        Button(f"✕ {number}", f"{DELETE_VERB}:{where}"),
    )


PICTURE_VERB = "daypicture1"


def picture_button(day: date, locale: str) -> Button:
    """The button for a day."""
    return Button(say(locale, "timeline-button"), f"{PICTURE_VERB}:{day.isoformat()}")


@dataclass(frozen=True, slots=True)
class DayPictures:
    """Sends the day of a button; the list above it holds the same as text."""

    schedule: Schedule

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(presses={PICTURE_VERB: self.press})

    async def press(self, press: PressRequest) -> PressReply:
        """The day, to be drawn below the list."""
        try:
            day = date.fromisoformat(press.argument)
        except ValueError:
            return PressReply(say(press.locale, "button-outdated"))
        blocks = await self.schedule.day(press.user_id, day)
        if not blocks:
            return PressReply(say(press.locale, "timeline-empty"))
        return PressReply(day=DayTimeline.of(day, blocks))
