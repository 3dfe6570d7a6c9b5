"""Pictures that belong to an answer, kept as what they are drawn from.

The bytes of a picture are never kept: it is drawn each time it is sent or fetched.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypedDict

MOST_ATTACHMENTS: Final = 4
"""Attachments of one answer; one of each kind."""
_DAY: Final = "day"
"""The kind of those that versions before kept as a `timeline`."""

Draw = Callable[[Mapping[str, Any], str], bytes]
"""Draws the content of an attachment, with labels in a locale: a PNG or JPEG of at most 10 MB.

It runs in a thread. Raises: OSError if it cannot be drawn here.
"""


class AttachmentState(TypedDict):
    """An `Attachment` as JSON."""

    kind: str
    caption: str
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A picture below an answer.

    `kind` says which function draws it, and is unique within an answer. `caption` names what it
    shows, such as a date, in up to 60 characters. `content` is JSON.
    """

    kind: str
    caption: str
    content: Mapping[str, Any] = field(default_factory=dict)

    def to_state(self) -> AttachmentState:
        """The attachment as JSON for the graph's state."""
        return {"kind": self.kind, "caption": self.caption, "content": dict(self.content)}

    @classmethod
    def from_state(cls, value: AttachmentState) -> Self:
        """The attachment that `to_state` wrote."""
        return cls(value["kind"], value["caption"], value.get("content", {}))


def attachments_in(record: Mapping[str, Any]) -> tuple[Attachment, ...]:
    """The attachments of an answer, a tool's result or a message, from its record.

    Versions before kept one day alone, as `timeline`, and in events its date, as `day`.
    """
    if states := record.get("attachments"):
        return tuple(map(Attachment.from_state, states))
    if timeline := record.get("timeline"):
        return (Attachment(_DAY, timeline["day"], timeline),)
    return (Attachment(_DAY, record["day"]),) if record.get("day") else ()


def last_of_each_kind(attachments: Iterable[Attachment]) -> tuple[Attachment, ...]:
    """The attachments of an answer, from those of all that was done for it."""
    by_kind = {one.kind: one for one in attachments}
    return tuple(by_kind.values())[:MOST_ATTACHMENTS]
