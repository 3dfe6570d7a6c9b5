"""Recordings that users send, and which answers are spoken."""

from dataclasses import dataclass, field
from typing import Literal

RecordingKind = Literal["voice", "video_note", "audio"]
SpeechMode = Literal["off", "in_kind", "always"]
"""Which answers are spoken: none, those to recordings, or all."""
MAX_SOUND_BYTES = 20_000_000
"""getFile's limit; servers take 25 MB. Sources: Bot API, getFile; OpenAI, createTranscription."""
SOUND_SUFFIXES = (".flac", ".mp3", ".mp4", ".mpeg", ".mpga", ".m4a", ".ogg", ".wav", ".webm")
"""Formats that are heard. Source: OpenAI, createTranscription, `file`."""
_BYTES_PER_S = 4_000
"""Opus for speech, in a messenger or a browser, takes about as much."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A voice message, a video message or an audio file that can be fetched by `file_id`.

    `name` ends in the suffix of its format; `seconds` and `size_bytes` are what the messenger
    announced, None when it did not. `unique_id` names the content.
    """

    file_id: str
    kind: RecordingKind = "voice"
    name: str = "voice.ogg"
    seconds: int | None = None
    size_bytes: int | None = None
    unique_id: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Sound:
    """A recording's bytes, as a server gets them; `name` tells it the format."""

    data: bytes = field(repr=False)
    name: str = "voice.ogg"
    seconds: int | None = None

    @property
    def likely_seconds(self) -> int:
        """Its length as announced, else by its size; at least 1."""
        return max(1, self.seconds or len(self.data) // _BYTES_PER_S)


def is_spoken(mode: SpeechMode, *, in_kind: bool) -> bool:
    """Whether an answer is spoken; `in_kind`: it answers a recording."""
    return mode == "always" or (mode == "in_kind" and in_kind)
