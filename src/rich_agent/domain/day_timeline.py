"""The timeline of a day, to be shown as lines or as a picture. Its size is limited."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Literal, Protocol, Self, TypedDict

from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.text import normalized, printable, shorten

BlockType = Literal["work", "break", "meeting", "personal"]
MOST_BLOCKS = 30
"""Limit of blocks that are shown. More blocks could not be read at the width of a phone."""
_TITLE_CHARS = 120
_LONGEST_READ = 1_000
_DAY_MINUTES = 24 * 60


class TimelineBlockState(TypedDict):
    """A `TimelineBlock` as JSON."""

    begins: int
    ends: int
    title: str
    kind: BlockType


class DayTimelineState(TypedDict):
    """A `DayTimeline` as JSON, as its attachment contains it."""

    day: str
    blocks: list[TimelineBlockState]
    left_out: int


class Span(Protocol):
    """A span of time that can be a block of the timeline."""

    @property
    def starts_at(self) -> datetime:
        """The beginning, in the user's local time."""

    @property
    def ends_at(self) -> datetime:
        """The end, in the user's local time."""

    @property
    def title(self) -> str:
        """The activity."""

    @property
    def block_type(self) -> BlockType:
        """The type of the block."""


@dataclass(frozen=True, slots=True)
class TimelineBlock:
    """A block of a day. `begins` and `ends` are minutes since midnight, 0 to 1440."""

    begins: int
    ends: int
    title: str
    kind: BlockType = "work"

    @property
    def times(self) -> str:
        """The beginning and the end as times of day: "08:00–09:30"."""
        return f"{_clock(self.begins)}–{_clock(self.ends)}"


@dataclass(frozen=True, slots=True)
class DayTimeline:
    """The blocks of a day in order, in local time. `left_out` is the number of further blocks."""

    day: date
    blocks: tuple[TimelineBlock, ...]
    left_out: int = 0

    @classmethod
    def of(cls, day: date, spans: Sequence[Span]) -> Self:
        """The timeline of a day, with at most `MOST_BLOCKS` blocks. Spans are cut at midnight."""
        inside = sorted(_inside(day, spans), key=lambda block: (block.begins, block.ends))
        return cls(day, tuple(inside[:MOST_BLOCKS]), max(0, len(inside) - MOST_BLOCKS))

    def lines(self) -> list[str]:
        """A line of text for each block."""
        return [f"{block.times} {block.title}".rstrip() for block in self.blocks]

    @property
    def attachment(self) -> Attachment:
        """The day as a picture below an answer."""
        return Attachment("day", self.day.isoformat(), {**self.to_state()})

    def to_state(self) -> DayTimelineState:
        """The day as JSON."""
        return {
            "day": self.day.isoformat(),
            "blocks": [
                {
                    "begins": block.begins,
                    "ends": block.ends,
                    "title": block.title,
                    "kind": block.kind,
                }
                for block in self.blocks
            ],
            "left_out": self.left_out,
        }

    @classmethod
    def from_state(cls, value: DayTimelineState) -> Self:
        """The day from the state that `to_state` wrote."""
        blocks = tuple(TimelineBlock(**block_state) for block_state in value["blocks"])
        return cls(date.fromisoformat(value["day"]), blocks, value["left_out"])


def plain_title(text: str) -> str:
    """A title on one line, in at most 120 characters, without control characters."""
    normal_form = normalized("NFC", printable(text[:_LONGEST_READ]))
    return shorten(normal_form, _TITLE_CHARS)


def _inside(day: date, spans: Iterable[Span]) -> Iterable[TimelineBlock]:
    """The blocks of the spans that touch the day."""
    midnight = datetime.combine(day, time.min)
    for span in spans:
        begin_minutes, end_minutes = (
            min(max(int((moment - midnight).total_seconds() // 60), 0), _DAY_MINUTES)
            for moment in (span.starts_at, span.ends_at)
        )
        if begin_minutes < end_minutes:
            yield TimelineBlock(
                begin_minutes, end_minutes, plain_title(span.title), span.block_type
            )


def _clock(minutes: int) -> str:
    """The minutes since midnight as a time of day."""
    return f"{minutes // 60:02}:{minutes % 60:02}"
