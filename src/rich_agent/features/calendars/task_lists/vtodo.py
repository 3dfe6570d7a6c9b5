"""Reads and edits entries in the format of RFC 5545 (VTODO); unknown properties stay."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component, Todo
from icalendar.prop import vRecur

from rich_agent.feature.database import clean_text, storable
from rich_agent.feature.times import TimeRefusedError, check_day_rule, zone_named
from rich_agent.features.calendars.task_lists.entries import Fields, TaskEntry
from rich_agent.features.calendars.task_lists.ports import EntryText, PendingPush

PRODUCT: Final = "-//rich-agent//tasks//EN"
BLOCKED: Final = "blocked"
"""The category of a task with this status, for which the format has none."""
_LONGEST_TITLE, _LONGEST_DESCRIPTION = 300, 4_000
_LONGEST_NAME = 200
_UNTITLED = "…"
_STATUS: Final = {"IN-PROCESS": "in_progress", "COMPLETED": "done"}
_TO_STATUS: Final = {name: status for status, name in _STATUS.items()}
_PRIORITY: Final = {"urgent": 1, "high": 3, "medium": 5, "low": 9}


def read_entry(source: EntryText, time_zone: str) -> TaskEntry:
    """The entry; without fields if it holds no task."""
    try:
        todo = _task_in(Calendar.from_ical(source.text))
        if todo is None:
            return TaskEntry(source.href, source.etag)
        uid = clean_text(str(todo.get("UID", "")))[:_LONGEST_NAME]
        fields = storable(_fields_of(todo, _zone(time_zone)))
        return TaskEntry(source.href, source.etag, uid, fields, tuple(_categories(todo)))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError):
        # The library takes what it is given for granted in many places.
        return TaskEntry(source.href, source.etag)


def new_entry(push: PendingPush, now: datetime) -> bytes:
    """An entry for a task that has none yet."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    todo = Todo()
    todo.add("uid", push.uid)
    todo.add("created", now)
    _edit(todo, push, tuple(push.task), now, UTC)
    calendar.add_component(todo)
    return bytes(calendar.to_ical())


def edited_entry(
    text: bytes, push: PendingPush, names: Iterable[str], now: datetime, time_zone: str
) -> bytes:
    """The entry with these fields of the task, and everything else as it was."""
    calendar = Calendar.from_ical(text)
    todo = _task_in(calendar)
    if todo is None:
        raise ValueError("an entry without a task")
    _edit(todo, push, tuple(names), now, _zone(time_zone))
    return bytes(calendar.to_ical())


def _task_in(calendar: Component) -> Component | None:
    """The task itself, not an entry that replaces one of its occurrences."""
    todos: list[Component] = calendar.walk("VTODO")
    return next((todo for todo in todos if "RECURRENCE-ID" not in todo), None)


def _fields_of(todo: Component, zone: ZoneInfo | Any) -> dict[str, Any]:  # noqa: ANN401 - a tzinfo
    description = str(todo.get("DESCRIPTION", ""))[:_LONGEST_DESCRIPTION]
    title = str(todo.get("SUMMARY", "")).strip() or description.strip().partition("\n")[0]
    status = _STATUS.get(str(todo.get("STATUS", "")).upper(), "todo")
    is_blocked = status != "done" and BLOCKED in map(str.casefold, _categories(todo))
    due = _due(todo)
    if isinstance(due, datetime):
        due = (due.astimezone(zone) if due.tzinfo else due).date()
    return {
        "title": title[:_LONGEST_TITLE] or _UNTITLED,
        "description": description,
        "status": "blocked" if is_blocked else status,
        "priority": _read_priority(todo.get("PRIORITY")),
        "due_date": due.isoformat() if due else None,
        "recurrence": _read_rule(todo.get("RRULE")),
        "is_archived": str(todo.get("STATUS", "")).upper() == "CANCELLED",
        "parent": _parent(todo) or None,
    }


def _edit(
    todo: Component,
    push: PendingPush,
    names: Sequence[str],
    now: datetime,
    zone: Any,  # noqa: ANN401 - a tzinfo
) -> None:
    task = push.task
    if "title" in names:
        _put(todo, "SUMMARY", task["title"])
    if "description" in names:
        _put(todo, "DESCRIPTION", task["description"] or None)
    if "priority" in names:
        _put(todo, "PRIORITY", _PRIORITY[task["priority"]])
    if {"status", "is_archived"} & set(names):
        _put_status(todo, task, now)
    if "due_date" in names:
        _put_due(todo, task["due_date"], zone)
    if "recurrence" in names:
        _put_rule(todo, task["recurrence"])
    if "parent" in names:
        _put_parent(todo, task["parent"])
    if {"status", "project"} & set(names):
        _put_categories(todo, push.ours, task)
    _put(todo, "DTSTAMP", now)
    _put(todo, "LAST-MODIFIED", now)


def _put(todo: Component, name: str, value: object) -> None:
    todo.pop(name, None)
    if value is not None:
        todo.add(name, value)


def _put_status(todo: Component, task: Fields, now: datetime) -> None:
    is_done = task["status"] == "done"
    status = _TO_STATUS.get(task["status"], "NEEDS-ACTION")
    _put(todo, "STATUS", "CANCELLED" if task["is_archived"] and not is_done else status)
    _put(todo, "COMPLETED", now if is_done else None)
    if is_done or "PERCENT-COMPLETE" in todo:
        _put(todo, "PERCENT-COMPLETE", 100 if is_done else None)


def _put_due(todo: Component, day: str | None, zone: Any) -> None:  # noqa: ANN401 - a tzinfo
    """Another day; the time of day stays, and so does the distance from the start."""
    old_due = _due(todo)
    if day is None:
        # A start and a rule without an end are as far as the task has any time at all.
        for name in ("DUE", "DTSTART", "DURATION"):
            todo.pop(name, None)
        return
    new_due: date = date.fromisoformat(day)
    if isinstance(old_due, datetime):
        old_local_due = old_due.astimezone(zone) if old_due.tzinfo else old_due
        new_local_due = old_local_due.replace(
            year=new_due.year, month=new_due.month, day=new_due.day
        )
        new_due = new_local_due.astimezone(old_due.tzinfo) if old_due.tzinfo else new_local_due
    start: Any = todo.get("DTSTART")
    if start is not None and old_due is not None and type(start.dt) is type(old_due):
        _put(todo, "DTSTART", start.dt + (new_due - old_due))
    elif start is not None:
        todo.pop("DTSTART")
    todo.pop("DURATION", None)
    _put(todo, "DUE", new_due)


def _put_rule(todo: Component, rule: str) -> None:
    _put(todo, "RRULE", vRecur.from_ical(rule) if rule else None)
    # A rule counts from a start. Source: RFC 5545, 3.8.5.3.
    if rule and "DTSTART" not in todo and "DUE" in todo:
        due: Any = todo["DUE"]
        todo.add("DTSTART", due.dt)


def _put_categories(todo: Component, before: Fields, task: Fields) -> None:
    dropped_names = {name.casefold() for name in (BLOCKED, before.get("project") or "") if name}
    category_names = [name for name in _categories(todo) if name.casefold() not in dropped_names]
    if task["project"]:
        category_names.append(task["project"])
    if task["status"] == "blocked":
        category_names.append(BLOCKED)
    _put(todo, "CATEGORIES", list(dict.fromkeys(category_names)) or None)


def _put_parent(todo: Component, parent: str | None) -> None:
    other_relations = [
        relation for relation in _as_list(todo.get("RELATED-TO")) if not _is_parent(relation)
    ]
    todo.pop("RELATED-TO", None)
    for relation in other_relations:
        todo.add("RELATED-TO", relation)
    if parent:
        todo.add("RELATED-TO", parent)


def _due(todo: Component) -> date | None:
    due = getattr(todo.get("DUE"), "dt", None)
    return due if isinstance(due, date) else None


def _read_priority(value: object) -> str:
    """Source: RFC 5545, 3.8.1.9: 1 is the highest, 0 is none, and 5 is in the middle."""
    number = int(value) if isinstance(value, int) else 0
    if not 0 < number <= 9:
        return "medium"
    return "urgent" if number < 3 else "high" if number < 5 else "medium" if number == 5 else "low"


def _read_rule(value: object) -> str:
    """The rule, "" for one that no task can have here."""
    if not isinstance(value, vRecur):
        return ""
    rule: Any = value
    try:
        return check_day_rule(rule.to_ical().decode())
    except (TimeRefusedError, ValueError):
        return ""


def _categories(todo: Component) -> list[str]:
    category_names = [str(name) for one in _as_list(todo.get("CATEGORIES")) for name in one.cats]
    return [clean_text(name)[:_LONGEST_NAME] for name in category_names]


def _parent(todo: Component) -> str:
    parents = [str(one) for one in _as_list(todo.get("RELATED-TO")) if _is_parent(one)]
    return parents[0][:_LONGEST_NAME] if parents else ""


def _is_parent(relation: Any) -> bool:  # noqa: ANN401 - a property of icalendar
    """Whether a relation names the parent, as without a type. Source: RFC 5545, 3.2.15."""
    return str(relation.params.get("RELTYPE", "PARENT")).upper() == "PARENT"


def _as_list(value: Any) -> list[Any]:  # noqa: ANN401 - one property of icalendar, or several
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _zone(name: str) -> Any:  # noqa: ANN401 - a tzinfo
    zone = zone_named(name)
    return ZoneInfo(zone) if zone else UTC
