"""Blocks of tasks: what their rows say, and that they fit into a widget in every language."""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rich_agent.chat_commands.paged_list import ListPlace
from rich_agent.domain.day_timeline import DayTimeline, TimelineBlock
from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.domain.living_blocks import LivingBlock, state_of
from rich_agent.features.agenda.commands.task_blocks import (
    PER_PAGE,
    ShownTasks,
    TaskListing,
    first_block,
)
from rich_agent.features.agenda.domain.tasks import Task
from rich_agent.phrases import say
from rich_agent.ports.tools import UndoableCall
from rich_agent.rendering.widgets import widget_html
from rich_agent.times import Clocks

NOW = datetime(2026, 11, 29, 9, tzinfo=UTC)
TODAY = NOW.date()
LONGEST = 300
"""The most characters of a title that the tools take."""
ORDINARY = (
    *("tool-create_schedule_block", "tool-get_task_details", "tool-create_note"),
    *("tool-update_goal", "tool-create_project", "command-today"),
)
LONG = (
    *("agenda-tasks-all-empty", "agenda-timeline-empty", "agenda-notes-folder-empty"),
    *("agenda-note-gone", "agenda-task-unchanged", "acting-limit-errors", "undo-too-late"),
    *(
        "forgetting-of-summary",
        "too-many",
        "start",
        "model-away",
        "status-queued",
        "button-outdated",
    ),
    *("apology-spent", "look-failed", "edit-too-late", "status-held", "start-named"),
)


def place(locale: str = "en", offset: int = 0, part: str = "all") -> ListPlace:
    """A page of the list of user 7."""
    return ListPlace(7, Clocks(locale, "UTC", NOW), offset, part)


def task(number: int, title: str = "", **fields: Any) -> Task:
    """An open task without a date."""
    ends = None, None, "", None, None, False, NOW, NOW, None
    made = Task(number, title or f"Task {number}", "", "todo", None, "medium", *ends)
    return replace(made, **fields)


def block_of(tasks: Sequence[Task], at: ListPlace, total: int) -> LivingBlock:
    """The block of a page as it is sent."""
    return first_block(TaskListing(at, total, [one.id for one in tasks]), tasks)


def test_row_says_what_its_task_is_and_its_buttons_what_they_do() -> None:
    """Also to those who only hear them; a task that is due tomorrow is not put off."""
    tasks = [
        task(1, "Pay", due_date=TODAY - timedelta(days=1), priority="urgent"),
        task(2, "Water", due_date=TODAY + timedelta(days=1), recurrence="FREQ=WEEKLY"),
    ]
    block = block_of(tasks, place(), 2)
    assert (block.kind, block.title, block.actions) == ("tasks", "2 open tasks", ())
    pay, water = block.rows
    assert (pay.text, pay.key, pay.mark) == ("Pay", "1", "open")
    assert pay.details.startswith("overdue since ")
    assert pay.details.endswith(" · urgent")
    assert [(one.label, one.name, one.data) for one in pay.actions] == [
        ("✓", "Done: Pay", "taskdone1:1:all:0"),
        ("Tomorrow", "Tomorrow: Pay", "tasklater1:1:all:0"),
        ("✕", "Delete: Pay", "taskdelete1:1:all:0"),
    ]
    assert water.details.endswith(" · every week")
    assert [one.label for one in water.actions] == ["✓", "✕"]


@pytest.mark.parametrize(
    ("offset", "listed", "total", "labels"),
    [(0, 6, 6, []), (0, 6, 7, ["7 ›"]), (0, 6, 20, ["7–12 ›"]), (6, 6, 20, ["‹ 1–6", "13–18 ›"]),
     (6, 1, 7, ["‹ 1–6"]), (0, 4, 6, ["5–6 ›"]), (18, 0, 4, ["‹ 1–4"]), (6, 0, 0, [])],
)  # fmt: skip
def test_buttons_of_pages_say_which_tasks_come(
    offset: int, listed: int, total: int, labels: list[str]
) -> None:
    """Behind those that are left: none is passed over when some of the rows are done."""
    tasks = [task(number) for number in range(listed)]
    block = block_of(tasks, place(offset=offset), total)
    assert [one.label for one in block.actions] == labels
    assert [one.name for one in block.actions] == [f"Your tasks: {one}" for one in labels]


def test_rows_stay_and_show_their_tasks_as_they_are_now() -> None:
    """Done, put off, deleted here or elsewhere; the newest change of each has an Undo."""
    sent = block_of([task(number) for number in range(1, 5)], place(), 4)
    now = {
        1: task(1, status="done"),
        2: task(2, due_date=TODAY + timedelta(days=1)),
        4: task(4, "Renamed", status="in_progress"),
    }
    undoable = [
        UndoableCall("tg:12", {"task_id": 2}),
        UndoableCall("tg:11", {"task_ids": [3, 9]}),
        UndoableCall("tg:10", {"task_id": 1}),
        UndoableCall("tg:9", {"task_id": 1}),
    ]
    block = ShownTasks(sent, now, undoable).block(TaskListing(place(), 2, [2, 4]), "Put off.")
    assert (block.title, block.note) == ("2 open tasks", "Put off.")
    assert [(row.text, row.mark, row.details) for row in block.rows] == [
        ("Task 1", "done", "done"),
        ("Task 2", "open", block.rows[1].details),
        ("Task 3", "", "This task is no longer on your list."),
        ("Renamed", "open", "in progress"),
    ]
    assert block.rows[1].details.startswith("due ")
    assert [[one.data for one in row.actions] for row in block.rows] == [
        ["taskundo1:10:all:0"],
        ["taskdone1:2:all:0", "taskundo1:12:all:0", "taskdelete1:2:all:0"],
        ["taskundo1:11:all:0"],
        ["taskdone1:4:all:0", "tasklater1:4:all:0", "taskdelete1:4:all:0"],
    ]
    assert block.rows[0].actions[0].name == "Undo: Task 1"
    assert block.actions == ()
    assert state_of(sent, block) is not None


def test_tasks_that_came_in_between_are_counted_and_can_be_shown() -> None:
    """The tasks behind the rows are on the next page."""
    sent = block_of([task(number) for number in range(1, 7)], place(), 8)
    now = {number: task(number) for number in range(2, 7)}
    shown = ShownTasks(sent, now, ())
    gone = shown.block(TaskListing(place(), 7, [2, 3, 4, 5, 6, 7]), "")
    assert [one.label for one in gone.actions] == ["6–7 ›"]
    urgent = shown.block(TaskListing(place(), 9, [21, 22, 2, 3, 4, 5]), "")
    following, others = urgent.actions
    assert (others.label, others.data) == ("… and 2 more", "tasks1:all:0")
    assert others.name == "Your tasks: … and 2 more"
    assert following.label == "6–9 ›"


def test_task_put_off_is_no_longer_for_today() -> None:
    """Its row stays, with its new day; the title counts the others."""
    today = place(part="today")
    sent = block_of([task(1, due_date=TODAY), task(2, task_type="Today")], today, 2)
    now = {1: task(1, due_date=TODAY + timedelta(days=1)), 2: task(2, task_type="Today")}
    block = ShownTasks(sent, now, ()).block(TaskListing(today, 1, [2]), "")
    assert block.title == "1 task for today"
    assert [row.mark for row in block.rows] == ["open", "open"]
    assert block.actions == ()


def test_schedule_is_a_row_for_each_time_of_the_day() -> None:
    """At most eight, and how many others there are; alone, it is the title."""
    blocks = tuple(TimelineBlock(60 * n, 60 * n + 30, f"Block {n}") for n in range(10))
    listing = TaskListing(place(part="today"), 0, (), DayTimeline(TODAY, blocks, 2))
    block = first_block(listing, ())
    assert block.title == "Schedule"
    assert [(row.label, row.text) for row in block.rows][:2] == [
        ("00:00–00:30", "Block 0"),
        ("01:00–01:30", "Block 1"),
    ]
    assert len(block.rows) == 9
    assert "4 more" in block.rows[-1].text


def titles(locale: str, *, long: bool) -> list[str]:
    """Six titles of a language, of ordinary length or as long as titles may be."""
    if not long:
        return [say(locale, key) for key in ORDINARY]
    names = {"name": "Anna", "title": "Karten", "at": "12:30", "wait": "2", "folder": "Rezepte"}
    sentences = [say(locale, key, **names) for key in LONG]
    # None shares words with another one.
    return [" ".join(sentences[3 * n : 3 * n + 3])[:LONGEST] for n in range(PER_PAGE)]


def compressed_bytes(locale: str, *, long: bool) -> int:
    """The size of a first page of /today: six tasks and six times of the schedule; 0: too large."""
    names = titles(locale, long=long)
    days = [TODAY + timedelta(days=number % 3 - 1) for number in range(PER_PAGE)]
    tasks = [
        task(9_000_000 + number, name, due_date=day, priority="high")
        for number, (name, day) in enumerate(zip(names, days, strict=True))
    ]
    times = tuple(
        TimelineBlock(480 + 60 * number, 540 + 60 * number, name[:120])
        for number, name in enumerate(names)
    )
    listing = TaskListing(place(locale, part="today"), 14, (), DayTimeline(TODAY, times))
    html = widget_html(first_block(listing, tasks))
    return len(zlib.compress(html.encode(), 9)) if html else 0


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_page_of_tasks_fits_into_a_widget_in_every_language(locale: str) -> None:
    """With titles of ordinary length well, and with the longest ones too."""
    assert 0 < compressed_bytes(locale, long=False) <= 3_200
    assert compressed_bytes(locale, long=True) > 0


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_state_has_room_for_three_tasks_that_are_done_and_a_note(locale: str) -> None:
    """With titles of ordinary length; beyond that, the widget is sent anew."""
    names = titles(locale, long=False)
    tasks = [task(9_000_000 + number, name) for number, name in enumerate(names)]
    sent = block_of(tasks, place(locale), 14)
    now = {one.id: replace(one, status="done" if one in tasks[:3] else "todo") for one in tasks}
    undoable = [UndoableCall(f"tg:90000{n}", {"task_id": 9_000_000 + n}) for n in range(3)]
    listed = [one.id for one in tasks[3:]]
    note = say(locale, "agenda-task-done", title=names[2])
    block = ShownTasks(sent, now, undoable).block(TaskListing(place(locale), 11, listed), note)
    assert state_of(sent, block) is not None


def test_long_titles_are_short_in_names_and_notes() -> None:
    """A state has one name for each changed row; the row itself says the title."""
    title = "Sort all the old receipts by year and shop, and put them into the blue box"
    sent = block_of([task(1, title)], place(), 1)
    now, undoable = {1: task(1, title, status="done")}, [UndoableCall("tg:5", {"task_id": 1})]
    note = say("en", "agenda-task-done", title=f"{title} {title}")
    block = ShownTasks(sent, now, undoable).block(TaskListing(place(), 0, ()), note)
    (row,) = block.rows
    assert row.text == title
    assert row.actions[0].name == "Undo: Sort all the…"
    assert sent.rows[0].actions[0].name == "Done: Sort all the old receipts by year and…"
    assert len(block.note) <= 90
    assert block.note.endswith("…")
