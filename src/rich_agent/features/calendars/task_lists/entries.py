"""A task as an entry of a list on another server: its fields, and its changes on either side.

A field is a JSON value. `project` is the name of a project, `parent` the uid of another entry.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

FIELDS = (
    *("title", "description", "status", "priority", "due_date", "recurrence"),
    *("is_archived", "project", "parent", "is_deleted"),
)
Fields = Mapping[str, Any]
GONE: Fields = {"is_deleted": True}
"""The fields of an entry, or a task, that does not exist any more."""
Verdict = Literal["same", "take", "push", "agree", "replace"]
"""Do nothing, take theirs, push ours, note that both are alike, or replace ours by theirs."""


@dataclass(frozen=True, slots=True)
class TaskEntry:
    """An entry as its server has it; `fields` has no `project` yet, which is one of `categories`.

    `fields` is None for an entry that cannot be read as a task.
    """

    href: str
    etag: str
    uid: str = ""
    fields: Fields | None = None
    categories: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether it is a task that is yet to be done."""
        fields = self.fields
        return fields is not None and fields["status"] != "done" and not fields["is_archived"]


@dataclass(frozen=True, slots=True)
class Sides:
    """A task and its entry, now and as of the last sync (`ours` and `theirs`)."""

    ours: Fields
    task: Fields
    theirs: Fields
    entry: Fields

    def weigh(self) -> Verdict:
        """Decide on changes; if task and entry changed differently, the entry wins."""
        own_changes = changed_fields(self.ours, self.task)
        list_changes = changed_fields(self.theirs, self.entry)
        if not list_changes:
            return "push" if own_changes else "same"
        if not own_changes:
            return "take"
        if self.task.get("is_deleted") and self.entry.get("is_deleted"):
            return "take"
        field_names = own_changes.keys() | list_changes.keys()
        alike = all(self.task.get(name) == self.entry.get(name) for name in field_names)
        return "agree" if alike else "replace"


def changed_fields(before: Fields, after: Fields) -> dict[str, Any]:
    """The changed fields with their values in `after`, None for missing ones.

    If the task is deleted in `after`, only `is_deleted` is compared.
    """
    field_names = ("is_deleted",) if after.get("is_deleted") else FIELDS
    return {
        name: after.get(name)
        for name in field_names
        if _plain(before.get(name)) != _plain(after.get(name))
    }


def _plain(value: object) -> object:
    return value or None
