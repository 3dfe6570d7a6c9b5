"""What a vision model said about an image."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

ImageRefusal = Literal[
    "empty", "too_large", "too_many_pixels", "unreadable", "format", "heif", "animated"
]


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """What is looked at: bytes before decoding, pixels after, sides as sent to the model.

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
        """The summary in the shape in which it is stored and prompted."""
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


def merge_summaries(summaries: Sequence[ImageSummary]) -> ImageSummary:
    """One summary of several images, each introduced by its number."""
    if len(summaries) == 1:
        return summaries[0]
    return ImageSummary(
        summary="\n".join(f"Image {n}: {s.summary}" for n, s in enumerate(summaries, start=1)),
        entities=tuple(dict.fromkeys(e for s in summaries for e in s.entities)),
        tables=tuple(t for s in summaries for t in s.tables),
        warnings=tuple(dict.fromkeys(w for s in summaries for w in s.warnings)),
    )
