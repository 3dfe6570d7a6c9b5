"""Media of messages that a feature turns into text, such as recordings."""

from dataclasses import dataclass, field
from typing import Literal, get_args

MediaKind = Literal["voice", "video_note", "audio"]
MEDIA_KINDS: tuple[MediaKind, ...] = get_args(MediaKind)
"""Kinds of media that can be read, by their names in the Bot API. Other kinds are left out."""
MAX_MEDIA_BYTES = 20_000_000
"""The limit of getFile. Source: Bot API, getFile."""


@dataclass(frozen=True, slots=True)
class Medium:
    """A medium, without its bytes."""

    file_id: str
    """Id by which the messenger gives the bytes."""
    kind: MediaKind = "voice"
    name: str = "voice.ogg"
    """File name with the suffix of the format."""
    seconds: int | None = None
    """Length that the messenger announced, None if it announced none."""
    size_bytes: int | None = None
    """Size that the messenger announced, None if it announced none."""
    unique_id: str = field(default="", compare=False)
    """Id of the content."""
