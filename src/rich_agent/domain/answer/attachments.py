"""Pictures and living blocks of an answer, stored as the data that they are made from.

The bytes of a picture are never stored: it is drawn each time it is sent or fetched.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypedDict

from rich_agent.domain.living_blocks import LivingBlock

MOST_ATTACHMENTS: Final = 4
"""The most attachments of one answer, one of each kind."""
_DAY: Final = "day"
"""The kind of attachments that older versions stored as a `timeline`."""

Draw = Callable[[Mapping[str, Any], str], bytes]
"""Draws the content of an attachment, with labels in a locale, as PNG or JPEG of up to 10 MB.

It runs in a thread. Raises: OSError if the picture cannot be drawn here.
"""


class AttachmentState(TypedDict):
    """An `Attachment` as JSON."""

    kind: str
    caption: str
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A picture below an answer."""

    kind: str
    """The name of the function that draws the picture; unique within an answer."""
    caption: str
    """The subject of the picture, such as a date or what was computed, in a line."""
    content: Mapping[str, Any] = field(default_factory=dict)
    """The data of the picture, as JSON."""

    def to_state(self) -> AttachmentState:
        """The attachment as JSON for the graph's state."""
        return {"kind": self.kind, "caption": self.caption, "content": dict(self.content)}

    @classmethod
    def from_state(cls, value: AttachmentState) -> Self:
        """The attachment that `to_state` wrote."""
        return cls(value["kind"], value["caption"], value.get("content", {}))


MakeBlock = Callable[[Attachment, str], LivingBlock]
"""Makes a living block of an attachment, with words in a locale."""


def attachments_in(record: Mapping[str, Any]) -> tuple[Attachment, ...]:
    """The attachments in the record of an answer, a tool's result or a message.

    Older versions stored a single day as `timeline`, and its date as `day` in events.
    """
    if states := record.get("attachments"):
        return tuple(map(Attachment.from_state, states))
    if timeline := record.get("timeline"):
        return (Attachment(_DAY, timeline["day"], timeline),)
    return (Attachment(_DAY, record["day"]),) if record.get("day") else ()


def last_of_each_kind(attachments: Iterable[Attachment]) -> tuple[Attachment, ...]:
    """The last attachment of each kind, for an answer."""
    attachment_by_kind = {attachment.kind: attachment for attachment in attachments}
    return tuple(attachment_by_kind.values())[:MOST_ATTACHMENTS]
