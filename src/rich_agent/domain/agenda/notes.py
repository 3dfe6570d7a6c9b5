"""A user's notes, which may be in folders."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Note:
    """A note; `content` is Markdown."""

    id: int
    title: str
    content: str
    folder_id: int | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class NoteFolder:
    """A folder with the number of its notes."""

    id: int
    name: str
    notes: int = 0
