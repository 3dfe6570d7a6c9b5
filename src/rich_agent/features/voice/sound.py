"""Recordings that are transcribed, and the choice of spoken answers."""

from dataclasses import dataclass, field
from typing import Literal

SpeechMode = Literal["off", "in_kind", "always"]
"""The answers that are spoken: none, answers to recordings, or all."""
SOUND_SUFFIXES = (".flac", ".mp3", ".mp4", ".mpeg", ".mpga", ".m4a", ".ogg", ".wav", ".webm")
"""Suffixes of formats that can be transcribed. Source: OpenAI, createTranscription, `file`."""
_BYTES_PER_S = 4_000
"""Approximate bytes per second of speech in Opus, from a messenger or a browser."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A recording. The suffix of `name` tells the server its format."""

    data: bytes = field(repr=False)
    name: str = "voice.ogg"
    seconds: int | None = None

    @property
    def likely_seconds(self) -> int:
        """The announced length in seconds, or an estimate from the size; at least 1."""
        return max(1, self.seconds or len(self.data) // _BYTES_PER_S)


def is_spoken(mode: SpeechMode, *, in_kind: bool) -> bool:
    """Whether an answer is spoken. `in_kind` tells that it answers a recording."""
    return mode == "always" or (mode == "in_kind" and in_kind)
