"""Entries of RFC 5545: what is read of them, and that all else survives a change."""

from datetime import UTC, datetime
from typing import Any

import icalendar
import pytest

from rich_agent.features.calendars.task_lists.entries import TaskEntry
from rich_agent.features.calendars.task_lists.ports import EntryText, PendingPush
from rich_agent.features.calendars.task_lists.vtodo import edited_entry, new_entry, read_entry

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
TASK: dict[str, Any] = {
    "title": "Buy milk",
    "description": "",
    "status": "todo",
    "priority": "medium",
    "due_date": None,
    "recurrence": "",
    "is_archived": False,
    "project": None,
    "parent": None,
    "is_deleted": False,
}


def entry_of(*lines: str) -> bytes:
    """An entry with these properties."""
    task = ["BEGIN:VTODO", "UID:u1", "DTSTAMP:20261101T000000Z", *lines, "END:VTODO"]
    whole = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN", *task, "END:VCALENDAR", ""]
    return "\r\n".join(whole).encode()


def read(text: bytes, zone: str = "") -> TaskEntry:
    """The entry that is read."""
    return read_entry(EntryText("/u1.ics", "e1", text), zone)


def fields_of(*lines: str, zone: str = "") -> dict[str, Any]:
    """The fields of an entry with these properties."""
    fields = read(entry_of(*lines), zone).fields
    assert fields is not None
    return dict(fields)


def edited(text: bytes, before: dict[str, Any], **changes: Any) -> Any:
    """The task in an entry after fields of it were changed here; icalendar has wide types."""
    push = PendingPush(1, "u1", "/u1.ics", "e1", {**TASK, **before, **changes}, before)
    written = edited_entry(text, push, changes, NOW, "Europe/Berlin")
    (todo,) = icalendar.Calendar.from_ical(written).walk("VTODO")
    return todo


@pytest.mark.parametrize(
    ("lines", "name", "value"),
    [
        (["SUMMARY:Call\\, then write"], "title", "Call, then write"),
        (["DESCRIPTION:First line\\nsecond"], "title", "First line"),
        ([], "title", "…"),
        (["STATUS:IN-PROCESS"], "status", "in_progress"),
        (["STATUS:COMPLETED", "CATEGORIES:blocked"], "status", "done"),
        (["CATEGORIES:Home,Blocked"], "status", "blocked"),
        (["STATUS:CANCELLED"], "is_archived", True),
        (["PRIORITY:0"], "priority", "medium"),
        (["PRIORITY:2"], "priority", "urgent"),
        (["PRIORITY:4"], "priority", "high"),
        (["PRIORITY:7"], "priority", "low"),
        (["DUE;VALUE=DATE:20261224"], "due_date", "2026-12-24"),
        (["DUE:20261224T230000Z"], "due_date", "2026-12-25"),
        (["RRULE:FREQ=WEEKLY;BYDAY=MO"], "recurrence", "FREQ=WEEKLY;BYDAY=MO"),
        (["RRULE:FREQ=HOURLY"], "recurrence", ""),
        (["RELATED-TO;RELTYPE=CHILD:c", "RELATED-TO:p"], "parent", "p"),
    ],
)
def test_entry_is_read_as_a_task(lines: list[str], name: str, value: object) -> None:
    """Each property; a moment is a day where the user is."""
    assert fields_of(*lines, zone="Europe/Berlin")[name] == value


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"no calendar",
        b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
        b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        b"BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nDUE:tomorrow",
        b"\xff\xfe\x00",
    ],
)
def test_entry_that_is_no_task_has_no_fields(text: bytes) -> None:
    """Whatever a server sends."""
    assert read(text).fields is None


def test_new_entry_is_read_as_the_task_that_it_was_made_of() -> None:
    """Every field goes there and back."""
    task = {
        **TASK,
        "description": "Two litres; semi-skimmed\nor none",
        "status": "blocked",
        "priority": "low",
        "due_date": "2026-12-24",
        "recurrence": "FREQ=MONTHLY",
        "parent": "u0",
        "project": "Home, sweet home",
    }
    entry = read(new_entry(PendingPush(1, "u1", "/u1.ics", "", task, {}), NOW))
    assert {**(entry.fields or {}), "project": task["project"], "is_deleted": False} == task
    assert entry.categories == ("Home, sweet home", "blocked")
    assert entry.uid == "u1"


def test_edit_leaves_what_it_does_not_change() -> None:
    """Alarms, other programs' properties, values between ours, and categories."""
    text = entry_of(
        *("SUMMARY:Old", "PRIORITY:2", "X-ORDER;X-BY=me:7", "CATEGORIES:Errand,Garden"),
        *("BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM"),
    )
    todo = edited(text, {"title": "Old", "project": "Garden"}, title="New", project="Home")
    assert (str(todo["SUMMARY"]), todo["PRIORITY"], str(todo["X-ORDER"])) == ("New", 2, "7")
    assert todo["X-ORDER"].params["X-BY"] == "me"
    assert todo["CATEGORIES"].cats == ["Errand", "Home"]
    assert len(todo.walk("VALARM")) == 1


def test_edit_moves_a_moment_to_another_day_at_the_same_time() -> None:
    """And what the task starts at with it."""
    text = entry_of(
        "DTSTART;TZID=Europe/Berlin:20261223T090000", "DUE;TZID=Europe/Berlin:20261224T180000"
    )
    todo = edited(text, {"due_date": "2026-12-24"}, due_date="2026-12-31")
    assert todo["DUE"].dt.isoformat() == "2026-12-31T18:00:00+01:00"
    assert todo["DTSTART"].dt.isoformat() == "2026-12-30T09:00:00+01:00"
    assert "DUE" not in edited(text, {"due_date": "2026-12-24"}, due_date=None)


def test_edit_opens_a_done_task_again() -> None:
    """Nothing says any more that it was done."""
    text = entry_of("STATUS:COMPLETED", "COMPLETED:20261120T120000Z", "PERCENT-COMPLETE:100")
    todo = edited(text, {"status": "done"}, status="todo")
    assert str(todo["STATUS"]) == "NEEDS-ACTION"
    assert not {"COMPLETED", "PERCENT-COMPLETE"} & set(todo)
