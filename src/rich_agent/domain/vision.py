"""Descriptions of images by a vision model."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

from rich_agent.domain.text import normalized

ImageRefusal = Literal[
    "empty", "too_large", "too_many_pixels", "unreadable", "format", "heif", "animated"
]

_BEGINNINGS: Mapping[str, Sequence[bytes]] = {
    "image/jpeg": [b"\xff\xd8\xff"],
    "image/png": [b"\x89PNG\r\n\x1a\n"],
    "image/gif": [b"GIF87a", b"GIF89a"],
}
_NOTHING = bytes(4)


def image_type(data: bytes) -> str:
    """The media type of an image by its first bytes, whatever it is called; "" if it is none."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    # Texts begin with these letters too, but have no zeros.
    if data[:2] == b"BM" and data[6:10] == _NOTHING:
        return "image/bmp"
    types = (mime for mime, starts in _BEGINNINGS.items() if data.startswith(tuple(starts)))
    return next(types, "")


@dataclass(frozen=True, slots=True)
class Image:
    """An image as it is sent to a model: checked, scaled, without metadata."""

    data: bytes
    mime: str


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """Limits of images: bytes before decoding, pixels after, sides as sent to the model.

    `max_bytes` is getFile's limit. Source: Bot API, getFile.
    """

    max_bytes: int = 20_000_000
    max_pixels: int = 40_000_000
    model_side_px: int = 1568


@dataclass(frozen=True, slots=True)
class ImageSummary:
    """Structured description of one image; `tables` are Markdown tables."""

    summary: str
    entities: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """The summary in the shape in which it is stored."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self).items()}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        """The summary that `to_json` wrote."""
        return cls(
            summary=value["summary"],
            entities=tuple(value.get("entities", ())),
            tables=tuple(value.get("tables", ())),
            warnings=tuple(value.get("warnings", ())),
        )

    def to_text(self) -> str:
        """The summary as a prompt shows it: what is seen, then each table as a table."""
        parts = [self.summary]
        if self.entities:
            parts.append("Seen: " + "; ".join(self.entities))
        parts += [f"Table:\n{table}" for table in self.tables]
        if self.warnings:
            parts.append("Uncertain: " + "; ".join(self.warnings))
        return "\n\n".join(parts)


@dataclass(frozen=True, slots=True)
class ImageQuestion:
    """A question that a further look at images answers; `images` are numbers from 1, () for all."""

    text: str
    images: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """A hash of the question, the same however it is spaced, capitalised and ended."""
        words = " ".join(normalized("NFKC", self.text).casefold().split())
        return hashlib.sha256(words.rstrip("?!. 。").encode()).hexdigest()

    def among(self, count: int) -> tuple[int, ...]:
        """Which of `count` images it concerns: all of them unless some are named that exist."""
        numbers = tuple(n for n in dict.fromkeys(self.images) if 1 <= n <= count)
        return numbers or tuple(range(1, count + 1))


def merge_summaries(summaries: Sequence[ImageSummary]) -> ImageSummary:
    """One summary of several images, each introduced by its number."""
    if len(summaries) == 1:
        return summaries[0]
    return ImageSummary(
        summary="\n".join(f"Image {n}: {s.summary}" for n, s in enumerate(summaries, start=1)),
        entities=tuple(dict.fromkeys(e for s in summaries for e in s.entities)),
        tables=tuple(
            f"(Image {n})\n{table}" for n, s in enumerate(summaries, start=1) for table in s.tables
        ),
        warnings=tuple(dict.fromkeys(w for s in summaries for w in s.warnings)),
    )
