"""Media of messages that a feature makes text of, such as recordings."""

from dataclasses import dataclass, field
from typing import Literal, get_args

MediaKind = Literal["voice", "video_note", "audio"]
MEDIA_KINDS: tuple[MediaKind, ...] = get_args(MediaKind)
"""Kinds that can be fetched, as the Bot API names them. All others are left out as unread."""
MAX_MEDIA_BYTES = 20_000_000
"""The limit of getFile. Source: Bot API, getFile."""


@dataclass(frozen=True, slots=True)
class Medium:
    """A medium that can be fetched by `file_id`; the bytes never travel with it.

    `name` ends in the suffix of its format; `seconds` and `size_bytes` are what the messenger
    announced, None when it did not. `unique_id` names the content.
    """

    file_id: str
    kind: MediaKind = "voice"
    name: str = "voice.ogg"
    seconds: int | None = None
    size_bytes: int | None = None
    unique_id: str = field(default="", compare=False)
