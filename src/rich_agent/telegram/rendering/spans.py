"""Entities over a text: where they lie, how they nest, how texts with them are joined."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, islice

from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage, TextEntity

VERBATIM = frozenset({"pre", "code"})
QUOTES = frozenset({"blockquote", "expandable_blockquote"})
FORMULA = "formula"
"""Marks a formula written as text, so that it is not cut in two; never sent to Telegram."""


def utf16_offsets(text: str) -> Sequence[int]:
    """The UTF-16 offset of each character, and of the end."""
    if not text or max(text) <= "\uffff":
        return range(len(text) + 1)
    units = [2 if character > "\uffff" else 1 for character in text]
    return list(accumulate(units, initial=0))


def overlaps(
    entities: Iterable[TextEntity], start: int, end: int, types: frozenset[str] | None = None
) -> bool:
    """Whether an entity of these types (of any, for None) shares a unit with `start`..`end`."""
    return any(
        entity.offset < end and start < entity.offset + entity.length
        for entity in entities
        if types is None or entity.type in types
    )


class Reach:
    """How far spans reach: one look-up for a place, however many spans there are."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._ends = list(accumulate((end for _, end in ordered), max))

    @classmethod
    def of(cls, entities: Iterable[TextEntity]) -> "Reach":
        """That of the entities' spans."""
        return cls((entity.offset, entity.offset + entity.length) for entity in entities)

    def of_those_before(self, place: int) -> int:
        """The farthest end of the spans that begin before `place`, 0 without one."""
        count = bisect_left(self._starts, place)
        return self._ends[count - 1] if count else 0


def join(first: RenderedMessage, second: RenderedMessage, between: str = "\n\n") -> RenderedMessage:
    """The two after one another, with `between` unless one is blank; the buttons of the second."""
    head = first.text.rstrip()
    if not head or not second.text:
        return second if not head else first
    shift = utf16_length(head + between)
    moved = (replace(entity, offset=entity.offset + shift) for entity in second.entities)
    entities = (*first.entities, *moved)
    return replace(second, text=head + between + second.text, entities=entities)


def nested(entities: Iterable[TextEntity]) -> tuple[TextEntity, ...]:
    """The entities in order, nested as Telegram allows.

    Nothing else lies over code but a quote, and no quote lies in a quote: marks are cut around
    code, a quote in a quote is part of it. Source: Bot API, "Formatting options".
    """
    verbatim: list[TextEntity] = []
    quotes: list[TextEntity] = []
    others: list[TextEntity] = []
    for entity in sorted(entities, key=lambda entity: (entity.offset, -entity.length)):
        end = entity.offset + entity.length
        if entity.type in VERBATIM:
            if overlaps(verbatim[-1:], entity.offset, end):
                verbatim[-1] = _longer(verbatim[-1], end)
            else:
                verbatim.append(entity)
        elif entity.type in QUOTES:
            if not overlaps(quotes[-1:], entity.offset, end):
                quotes.append(entity)
        else:
            others.append(entity)
    ends = [entity.offset + entity.length for entity in verbatim]
    kept = [
        piece
        for entity in others
        for piece in _around(entity, verbatim, bisect_right(ends, entity.offset))
    ]
    return tuple(
        sorted([*verbatim, *quotes, *kept], key=lambda entity: (entity.offset, -entity.length))
    )


def _longer(code: TextEntity, end: int) -> TextEntity:
    """Code that goes on where other code begins in it; a block ends where it ends."""
    length = max(code.length, end - code.offset) if code.type == "code" else code.length
    return replace(code, length=length)


def _around(entity: TextEntity, code: Sequence[TextEntity], first: int) -> list[TextEntity]:
    """What of an entity is not code; none of it lies before the `first` block."""
    pieces = []
    start, end = entity.offset, entity.offset + entity.length
    for block in islice(code, first, None):
        if block.offset >= end:
            break
        if block.offset > start:
            pieces.append(replace(entity, offset=start, length=block.offset - start))
        start = block.offset + block.length
    if start < end:
        pieces.append(replace(entity, offset=start, length=end - start))
    return pieces
