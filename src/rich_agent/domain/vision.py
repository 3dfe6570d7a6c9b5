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
    """The media type of an image by its first bytes, "" for other data."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    # Texts begin with these letters too, but have no zeros.
    if data[:2] == b"BM" and data[6:10] == _NOTHING:
        return "image/bmp"
    media_types = (
        media_type
        for media_type, beginnings in _BEGINNINGS.items()
        if data.startswith(tuple(beginnings))
    )
    return next(media_types, "")


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is ready for a model: checked, scaled, without metadata."""

    data: bytes
    mime: str


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """Limits of images."""

    max_bytes: int = 20_000_000
    """Size of the file. Source: Bot API, getFile."""
    max_pixels: int = 40_000_000
    """Pixels of the decoded image."""
    model_side_px: int = 1568
    """Longest side of the image that the model gets."""


@dataclass(frozen=True, slots=True)
class ImageSummary:
    """A structured description of an image; `tables` are Markdown tables."""

    summary: str
    entities: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON, to be stored."""
        return {
            key: list(field_value) if isinstance(field_value, tuple) else field_value
            for key, field_value in asdict(self).items()
        }

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
        """The summary as Markdown for a prompt: description, entities, tables, warnings."""
        parts = [self.summary]
        if self.entities:
            parts.append("Seen: " + "; ".join(self.entities))
        parts += [f"Table:\n{table}" for table in self.tables]
        if self.warnings:
            parts.append("Uncertain: " + "; ".join(self.warnings))
        return "\n\n".join(parts)


@dataclass(frozen=True, slots=True)
class ImageQuestion:
    """A question about images; `images` are their numbers from 1, () for all images."""

    text: str
    images: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """A hash of the question that ignores spaces, case and final punctuation."""
        words = " ".join(normalized("NFKC", self.text).casefold().split())
        return hashlib.sha256(words.rstrip("?!. 。").encode()).hexdigest()

    def among(self, count: int) -> tuple[int, ...]:
        """The numbers of the images to look at, of `count`; all if none of `images` exists."""
        numbers = tuple(number for number in dict.fromkeys(self.images) if 1 <= number <= count)
        return numbers or tuple(range(1, count + 1))


def merge_summaries(summaries: Sequence[ImageSummary]) -> ImageSummary:
    """One summary for several images, each with its number."""
    if len(summaries) == 1:
        return summaries[0]
    return ImageSummary(
        summary="\n".join(
            f"Image {number}: {image_summary.summary}"
            for number, image_summary in enumerate(summaries, start=1)
        ),
        entities=tuple(
            dict.fromkeys(
                entity for image_summary in summaries for entity in image_summary.entities
            )
        ),
        tables=tuple(
            f"(Image {number})\n{table}"
            for number, image_summary in enumerate(summaries, start=1)
            for table in image_summary.tables
        ),
        warnings=tuple(
            dict.fromkeys(
                warning for image_summary in summaries for warning in image_summary.warnings
            )
        ),
    )
