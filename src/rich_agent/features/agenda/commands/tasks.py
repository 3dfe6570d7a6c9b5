"""/tasks and /today: a user's tasks, with buttons that change them or send the day as a picture.

Where living blocks are shown, the buttons change the rows that are there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from rich_agent.feature import (
    Asker,
    Button,
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
from rich_agent.feature.living import BlockAction, LivingBlock
from rich_agent.feature.telegram import RenderedMessage, section, together, unlinked
from rich_agent.feature.text import shorten, whole_number
from rich_agent.feature.tools import ToolCall, ToolExecutions, Tools
from rich_agent.feature.turns import thread_of
from rich_agent.features.agenda.commands.task_blocks import (
    ALL,
    DELETE_VERB,
    DONE_VERB,
    PAGE_VERB,
    PER_PAGE,
    TODAY,
    TOMORROW_VERB,
    UNDO_VERB,
    ShownTasks,
    TaskListing,
    details_of,
    first_block,
    task_rows,
    today_at,
)
from rich_agent.features.agenda.domain.plans import ScheduleBlock
from rich_agent.features.agenda.domain.tasks import Task, TaskQuery
from rich_agent.features.agenda.ports import Agenda, Schedule, TaskFreshness

PICTURE_VERB = "daypicture1"
_TITLE_LENGTH = 120
_CALL_ID = "press"


@dataclass(frozen=True, slots=True)
class TaskLists:
    """Shows users their own tasks. A button does what the tool of the same name does."""

    agenda: Agenda
    tools: Tools
    fresh: TaskFreshness
    executions: ToolExecutions

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
        """The open tasks; with the part `TODAY`, those that are due today."""
        return PagedList(PAGE_VERB, PER_PAGE, self._load, self._render)

    async def all(self, request: CommandRequest) -> Reply:
        """The open tasks, those that are due soon first."""
        return await self._answer(request, ALL)

    async def today(self, request: CommandRequest) -> Reply:
        """Show what is due today or overdue, and the schedule of the day."""
        return await self._answer(request, TODAY)

    async def _answer(self, request: CommandRequest, part: str) -> Reply:
        await self.fresh.freshen(request.user_id)
        return Reply(await self._pages.show(ListPlace(request.user_id, request.clocks, part=part)))

    async def complete(self, press: PressRequest) -> PressReply:
        """Mark a task as done."""
        return await self._change("update_task", {"status": "done"}, press)

    async def put_off(self, press: PressRequest) -> PressReply:
        """Make a task due tomorrow."""
        tomorrow = today_at(ListPlace(press.user_id, press.clocks)) + timedelta(days=1)
        fields = {"due_date": tomorrow.isoformat()}
        return await self._change("update_task", fields, press)

    async def delete(self, press: PressRequest) -> PressReply:
        """Delete a task with its subtasks."""
        return await self._change("delete_task", {}, press)

    async def undo(self, press: PressRequest) -> PressReply:
        """Undo the change that a button of the list made."""
        _, place = _number_and_place(press)
        lines = await self.tools.undo(place.user_id, _request_of(press), press.locale)
        undone = "\n".join(lines)
        page = together(unlinked(undone), await self._pages.show(place))
        page = replace(page, living=await self._rows_anew(press, place, undone))
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
        block = await self._rows_anew(press, place, result.done)
        notice = "" if result.done else say(locale, "agenda-task-unchanged")
        if block and await self._is_open(task_id, press):
            notice = ""  # the task is as the press wants it
        return PressReply(notice, replace(page, living=block))

    async def _is_open(self, task_id: int, press: PressRequest) -> bool:
        task = await self.agenda.tasks.find(press.user_id, task_id)
        return task is not None and task.status != "done" and not task.is_archived

    async def _rows_anew(
        self, press: PressRequest, place: ListPlace, note: str
    ) -> LivingBlock | None:
        """The block of the button with the same rows as they are now; None under a message."""
        if press.block is None:
            return None
        tasks = await self.agenda.tasks.find_all(press.user_id, task_rows(press.block))
        undoable = await self.executions.undoable(press.user_id, _CALL_ID)
        listed, total = await self._load(place)
        timeline = _timeline(place, await self._blocks(place))
        listing = TaskListing(place, total, [task.id for task in listed], timeline)
        actions = _picture_actions(timeline, place.locale)
        return ShownTasks(press.block, tasks, undoable).block(listing, note, *actions)

    async def _load(self, place: ListPlace) -> tuple[Sequence[Task], int]:
        query = TaskQuery(for_day=_day_of(place), order="due_date", descending=False)
        return await self.agenda.tasks.page(place.user_id, query, PER_PAGE, place.offset)

    async def _render(self, page: ListPage[Task]) -> RenderedMessage:
        blocks = await self._blocks(page.place)
        message = _page(page, blocks)
        if not message.buttons:
            return message
        timeline = _timeline(page.place, blocks)
        listing = TaskListing(page.place, page.total, [task.id for task in page.items], timeline)
        actions = _picture_actions(timeline, page.place.locale)
        return replace(message, living=first_block(listing, page.items, *actions))

    async def _blocks(self, place: ListPlace) -> Sequence[ScheduleBlock]:
        """The schedule of the day that the list is for."""
        day = _day_of(place)
        return await self.agenda.schedule.day(place.user_id, day) if day else ()


def _number_and_place(press: PressRequest) -> tuple[int, ListPlace]:
    """The number that a button names, and the page that the button was on."""
    number, _, data = press.argument.partition(":")
    place = ListPlace.on_button(press, data)
    return whole_number(number) or 0, place if place.part else replace(place, part=ALL)


def _request_of(press: PressRequest) -> str:
    """The request whose change a button undoes; the updates of pages have negative numbers."""
    number, _, _ = press.argument.partition(":")
    return f"tg:{number}" if whole_number(number.removeprefix("-")) is not None else ""


def _day_of(place: ListPlace) -> date | None:
    return today_at(place) if place.part == TODAY else None


def _timeline(place: ListPlace, blocks: Sequence[ScheduleBlock]) -> DayTimeline | None:
    """The schedule of today, None without one."""
    return DayTimeline.of(today_at(place), blocks) if blocks else None


def _page(page: ListPage[Task], blocks: Sequence[ScheduleBlock]) -> RenderedMessage:
    place, locale = page.place, page.place.locale
    key = "agenda-tasks-today" if place.part == TODAY else "agenda-tasks-all"
    if not page.total and not blocks:
        return RenderedMessage(say(locale, f"{key}-empty"))
    heading = say(locale, key, count=page.total)
    task_lines = [f"{number}. {_line(task, place)}" for number, task in page.numbers_and_items]
    listing = section(heading, *task_lines) if task_lines else RenderedMessage("")
    timeline = _timeline(place, blocks)
    block_lines = timeline.lines() if timeline else []
    if timeline and timeline.left_out:
        block_lines.append(omission_line(timeline.left_out, locale))
    schedule = (
        section(say(locale, "agenda-tasks-schedule"), *block_lines)
        if block_lines
        else RenderedMessage("")
    )
    rows = [_buttons(number, task, place) for number, task in page.numbers_and_items]
    if timeline and drawable([timeline.attachment]):
        rows.append((picture_button(timeline.day, locale),))
    return replace(together(listing, schedule), buttons=(*rows, *page.turning))


def _line(task: Task, place: ListPlace) -> str:
    """The title of a task, with its date, importance, state and repetition where these matter."""
    repetition = ["↻"] if task.recurrence else []
    title = shorten(task.title, _TITLE_LENGTH)
    return " · ".join([title, *details_of(task, place), *repetition])


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


def _picture_actions(timeline: DayTimeline | None, locale: str) -> list[BlockAction]:
    """The action that sends the schedule as a picture, where it can be drawn."""
    if timeline is None or not drawable([timeline.attachment]):
        return []
    button = picture_button(timeline.day, locale)
    name = f"{button.text}: {say(locale, 'agenda-tasks-schedule')}"
    return [BlockAction(button.text, button.data, name)]


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
