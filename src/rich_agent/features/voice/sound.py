"""Sound that is transcribed, and answers that are spoken."""

from dataclasses import dataclass, field
from typing import Literal

SpeechMode = Literal["off", "in_kind", "always"]
"""Which answers are spoken: none, those to recordings, or all."""
SOUND_SUFFIXES = (".flac", ".mp3", ".mp4", ".mpeg", ".mpga", ".m4a", ".ogg", ".wav", ".webm")
"""Formats that can be transcribed. Source: OpenAI, createTranscription, `file`."""
_BYTES_PER_S = 4_000
"""Opus for speech, in a messenger or a browser, takes about as much."""


@dataclass(frozen=True, slots=True)
class Sound:
    """The bytes of a recording, as a server gets them; `name` tells it the format."""

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
