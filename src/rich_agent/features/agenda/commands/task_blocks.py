"""Living blocks of tasks: the rows of a list, and the same rows after something has changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from rich_agent.feature import say
from rich_agent.feature.day import DayTimeline, omission_line
from rich_agent.feature.lists import ListPlace
from rich_agent.feature.living import BlockAction, BlockRow, LivingBlock, RowMark
from rich_agent.feature.text import printable, shorten, whole_number
from rich_agent.feature.times import day_at, say_repeats
from rich_agent.feature.tools import UndoableCall, say_choice
from rich_agent.features.agenda.domain.tasks import Task

KIND = "tasks"
PAGE_VERB = "tasks1"
DONE_VERB = "taskdone1"
TOMORROW_VERB = "tasklater1"
DELETE_VERB = "taskdelete1"
UNDO_VERB = "taskundo1"
PER_PAGE = 6
ALL, TODAY = "all", "today"
_TITLE_LENGTH = 120
_NAME_LENGTH = 40
"""Length of a title in the name of a button, behind what the button does."""
_UNDO_LENGTH = 16
"""Length of a title in the name of an Undo, of which a state has one for each changed row."""
_NOTE_LENGTH = 90
_SCHEDULED_LENGTH = 40
"""Length of a title in the schedule, which stands below the tasks."""
_MOST_SCHEDULED = 8
"""The most rows for the schedule; more would leave too little room for the tasks."""


@dataclass(frozen=True, slots=True)
class TaskListing:
    """The list of tasks as it is now.

    `total` is the number of all its tasks; `listed` are the ids of those from the place on.
    """

    place: ListPlace
    total: int
    listed: Sequence[int]
    schedule: DayTimeline | None = None


def today_at(place: ListPlace) -> date:
    """Today's date where the reader is."""
    return day_at(place.clocks.now, place.clocks.zone)


def details_of(task: Task, place: ListPlace) -> list[str]:
    """The date of a task, its importance, and its state, where these matter."""
    locale, details = place.locale, []
    if task.due_date:
        key = "overdue" if task.due_date < today_at(place) else "due"
        details.append(say(locale, f"agenda-task-{key}", date=place.clocks.day(task.due_date)))
    if task.priority in {"high", "urgent"}:
        details.append(say(locale, f"agenda-task-{task.priority}"))
    if task.status in {"in_progress", "blocked"}:
        details.append(say(locale, f"agenda-task-{task.status.replace('_', '-')}"))
    return details


def first_block(listing: TaskListing, tasks: Sequence[Task], *more: BlockAction) -> LivingBlock:
    """The block of a page of tasks, with further actions below it."""
    rows = [_row(task, listing.place, "") for task in tasks]
    return _block(listing, rows, len(rows), more)


@dataclass(frozen=True, slots=True)
class ShownTasks:
    """The rows of a block that is shown: the tasks as they are now, by their ids.

    `undoable` are the changes by buttons that can be undone, newest first.
    """

    shown: LivingBlock
    tasks: Mapping[int, Task]
    undoable: Sequence[UndoableCall]

    def block(self, listing: TaskListing, note: str, *more: BlockAction) -> LivingBlock:
        """The block with the same rows of tasks, in their order."""
        old_rows = task_rows(self.shown)
        rows = [self._row(task_id, row, listing.place) for task_id, row in old_rows.items()]
        tasks = [self.tasks[task_id] for task_id in old_rows if task_id in self.tasks]
        still_listed = sum(_is_listed(task, listing.place) for task in tasks)
        others = sum(task_id not in old_rows for task_id in listing.listed[:still_listed])
        actions = (*_others(others, listing.place), *more)
        block = _block(listing, rows, still_listed, actions)
        return replace(block, note=shorten(printable(note), _NOTE_LENGTH))

    def _row(self, task_id: int, row: BlockRow, place: ListPlace) -> BlockRow:
        undo_data = self._undo_data(task_id, place)
        task = self.tasks.get(task_id)
        if task and not task.is_archived:
            return _row(task, place, undo_data)
        actions = (_undo(row.text, undo_data, place.locale),) if undo_data else ()
        gone = say(place.locale, "agenda-task-unchanged")
        return replace(row, details=gone, mark="", actions=actions)

    def _undo_data(self, task_id: int, place: ListPlace) -> str:
        """The data of the button that undoes the newest change of a task, "" for none."""
        for call in self.undoable:
            ids = call.undo.get("task_ids") or [call.undo.get("task_id")]
            if task_id in ids:
                return f"{UNDO_VERB}:{call.request_id.removeprefix('tg:')}:{place.data}"
        return ""


def task_rows(block: LivingBlock) -> Mapping[int, BlockRow]:
    """The rows of a block that are tasks, by the tasks' ids."""
    numbers = ((whole_number(row.key), row) for row in block.rows)
    return {number: row for number, row in numbers if number is not None}


def _is_listed(task: Task, place: ListPlace) -> bool:
    """Whether a task is on the list, or on the part of it that is for today."""
    if task.status == "done" or task.is_archived:
        return False
    is_due = task.due_date is not None and task.due_date <= today_at(place)
    return place.part != TODAY or is_due or task.task_type == "Today"


def _block(
    listing: TaskListing, rows: Sequence[BlockRow], still_listed: int, more: Sequence[BlockAction]
) -> LivingBlock:
    place, locale = listing.place, listing.place.locale
    schedule = _schedule_rows(listing.schedule, locale)
    key = "agenda-tasks-today" if place.part == TODAY else "agenda-tasks-all"
    title = say(locale, key, count=listing.total)
    if not rows and schedule:
        title = say(locale, "agenda-tasks-schedule")
    turning = _turning(place, still_listed, listing.total)
    return LivingBlock(KIND, title, locale, (*rows, *schedule), (*turning, *more))


def _row(task: Task, place: ListPlace, undo_data: str) -> BlockRow:
    title = shorten(printable(task.title), _TITLE_LENGTH)
    is_done = task.status == "done"
    details = [say_choice(place.locale, "done")] if is_done else details_of(task, place)
    if task.recurrence:
        details.append(say_repeats(task.recurrence, place.locale))
    actions = _actions(task, title, place, undo_data)
    mark: RowMark = "done" if is_done else "open"
    return BlockRow(title, str(task.id), details=" · ".join(details), mark=mark, actions=actions)


def _actions(task: Task, title: str, place: ListPlace, undo_data: str) -> tuple[BlockAction, ...]:
    """The buttons of a task. An Undo takes the place of another one, for a short state."""
    locale, data = place.locale, f"{task.id}:{place.data}"
    undo = (_undo(title, undo_data, locale),) if undo_data else ()
    if task.status == "done":
        return undo
    done, later, delete = (
        _capitalized(words)
        for words in (
            say_choice(locale, "done"),
            say(locale, "day-tomorrow"),
            say(locale, "agenda-note-delete"),
        )
    )
    is_for_tomorrow = task.due_date == today_at(place) + timedelta(days=1)
    postponing = (
        ()
        if is_for_tomorrow
        else (BlockAction(later, f"{TOMORROW_VERB}:{data}", _name(later, title)),)
    )
    return (
        BlockAction("✓", f"{DONE_VERB}:{data}", _name(done, title), "main"),
        *(undo or postponing),
        BlockAction("✕", f"{DELETE_VERB}:{data}", _name(delete, title), "danger"),
    )


def _undo(title: str, data: str, locale: str) -> BlockAction:
    label = say(locale, "undo-button")
    return BlockAction(label, data, _name(label, shorten(title, _UNDO_LENGTH)))


def _name(label: str, title: str) -> str:
    """The name of a button for those who only hear it."""
    return f"{label}: {shorten(title, _NAME_LENGTH)}"


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _turning(place: ListPlace, still_listed: int, total: int) -> list[BlockAction]:
    """The actions that show the tasks before these and after these, with their numbers."""
    actions = []
    if place.offset and total:
        first = min(max(0, place.offset - PER_PAGE), (total - 1) // PER_PAGE * PER_PAGE)
        span = _span(first, min(first + PER_PAGE, place.offset, total))
        actions.append(_page_action(f"‹ {span}", place, first))
    following = place.offset + still_listed
    if following < total:
        span = _span(following, min(following + PER_PAGE, total))
        actions.append(_page_action(f"{span} ›", place, following))
    return actions


def _span(begin: int, end: int) -> str:
    """The numbers of the tasks behind `begin` others, up to the one with the number `end`."""
    return f"{begin + 1}–{end}" if end > begin + 1 else f"{end}"


def _others(count: int, place: ListPlace) -> tuple[BlockAction, ...]:
    """The action that shows the list with tasks that have come in between the rows."""
    label = say(place.locale, "and-more", count=count)
    return (_page_action(label, place, place.offset),) if count else ()


def _page_action(label: str, place: ListPlace, offset: int) -> BlockAction:
    key = "command-today" if place.part == TODAY else "command-tasks"
    data = f"{PAGE_VERB}:{place.part}:{offset}"
    return BlockAction(label, data, f"{say(place.locale, key)}: {label}")


def _schedule_rows(timeline: DayTimeline | None, locale: str) -> list[BlockRow]:
    """A row for each block of the day, with its time as the name."""
    if timeline is None:
        return []
    rows = [
        BlockRow(shorten(block.title, _SCHEDULED_LENGTH), f"at-{number}", label=block.times)
        for number, block in enumerate(timeline.blocks[:_MOST_SCHEDULED])
    ]
    left_out = timeline.left_out + len(timeline.blocks) - len(rows)
    return [*rows, BlockRow(omission_line(left_out, locale), "at-more")] if left_out else rows
