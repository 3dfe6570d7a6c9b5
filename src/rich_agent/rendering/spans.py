"""Entities of a text: their offsets, how they are built and nested, and which links stay."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice

from rich_agent.domain.answer.links import AllowedLinks, find_links, is_web
from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage, TextEntity

VERBATIM = frozenset({"pre", "code"})
QUOTES = frozenset({"blockquote", "expandable_blockquote"})
FORMULA = "formula"
"""An internal type of entity that keeps a formula from being cut in two; never sent."""


def utf16_offsets(text: str) -> Sequence[int]:
    """The UTF-16 offset of each character, and of the end of the text."""
    if not text or max(text) <= "\uffff":
        return range(len(text) + 1)
    unit_counts = [2 if character > "\uffff" else 1 for character in text]
    return list(accumulate(unit_counts, initial=0))


def overlaps(
    entities: Iterable[TextEntity], start: int, end: int, types: frozenset[str] | None = None
) -> bool:
    """Whether an entity shares a unit with `start`..`end`; with `types` None, of any type."""
    return any(
        entity.offset < end and start < entity.offset + entity.length
        for entity in entities
        if types is None or entity.type in types
    )


class Reach:
    """The farthest ends of spans; a look-up is one binary search, however many spans there are."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        sorted_spans = sorted(spans)
        self._starts = [start for start, _ in sorted_spans]
        self._ends = list(accumulate((end for _, end in sorted_spans), max))

    @classmethod
    def of(cls, entities: Iterable[TextEntity]) -> "Reach":
        """The reach of the entities' spans."""
        return cls((entity.offset, entity.offset + entity.length) for entity in entities)

    def of_those_before(self, place: int) -> int:
        """The farthest end of the spans that begin before `place`, 0 without such spans."""
        count = bisect_left(self._starts, place)
        return self._ends[count - 1] if count else 0


def join(first: RenderedMessage, second: RenderedMessage, between: str = "\n\n") -> RenderedMessage:
    """Two messages joined by `between`, with the buttons of the second.

    If one message is blank, the other is returned.
    """
    head = first.text.rstrip()
    if not head or not second.text:
        return second if not head else first
    shift = utf16_length(head + between)
    second_entities = (replace(entity, offset=entity.offset + shift) for entity in second.entities)
    entities = (*first.entities, *second_entities)
    return replace(second, text=head + between + second.text, entities=entities)


def nest_entities(entities: Iterable[TextEntity]) -> tuple[TextEntity, ...]:
    """The entities in order, nested as Telegram allows.

    Only a quote may contain code, so other entities are cut around code. Quotes cannot be nested,
    so an inner quote becomes part of the outer one. Source: Bot API, "Formatting options".
    """
    verbatim: list[TextEntity] = []
    quotes: list[TextEntity] = []
    other_entities: list[TextEntity] = []
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
            other_entities.append(entity)
    code_ends = [entity.offset + entity.length for entity in verbatim]
    pieces = [
        piece
        for entity in other_entities
        for piece in _around(entity, verbatim, bisect_right(code_ends, entity.offset))
    ]
    return tuple(
        sorted([*verbatim, *quotes, *pieces], key=lambda entity: (entity.offset, -entity.length))
    )


def _longer(code: TextEntity, end: int) -> TextEntity:
    """Code extended to `end`, because other code begins inside it; a `pre` block keeps its end."""
    length = max(code.length, end - code.offset) if code.type == "code" else code.length
    return replace(code, length=length)


def _around(entity: TextEntity, code: Sequence[TextEntity], first: int) -> list[TextEntity]:
    """The pieces of an entity outside code; code before index `first` is skipped."""
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


@dataclass(slots=True)
class MessageBuilder:
    """Collects the text of a message; a bullet is written with the first words of its item."""

    bullet: str = ""
    _text: list[str] = field(default_factory=list)
    _units: int = 0
    _entities: list[TextEntity] = field(default_factory=list)
    _is_line_over: bool = False

    def place(self) -> int:
        """Return the offset of the next words, in UTF-16 units."""
        self._write_bullet()
        self._end_line_if_over()
        return self._units

    def write(self, text: str) -> None:
        """Add words; after `end_line`, they begin a new line."""
        if not text:
            return
        self._write_bullet()
        if self._is_line_over:
            self._is_line_over = False
            text = "\n" + text.lstrip()
        self._text.append(text)
        self._units += utf16_length(text)

    def mark(
        self, kind: str, place: int, *, url: str | None = None, language: str | None = None
    ) -> None:
        """Make an entity of the text written since `place`."""
        if self._units > place:
            self._entities.append(TextEntity(kind, place, self._units - place, url, language))

    def write_entity(self, text: str, kind: str, language: str | None = None) -> None:
        """Add words as an entity."""
        offset = self.place()
        self.write(text)
        self.mark(kind, offset, language=language)

    def write_message(self, message: RenderedMessage) -> None:
        """Add a text with its entities."""
        offset = self.place()
        self.write(message.text)
        self._entities += (
            replace(entity, offset=entity.offset + offset) for entity in message.entities
        )

    def start_line(self) -> None:
        """Begin a new line unless the current one is empty."""
        self._write_bullet()
        self._end_line_if_over()
        if self._text and not self._text[-1].endswith("\n"):
            self.write("\n")

    def end_line(self) -> None:
        """Let the next words begin a new line."""
        self._is_line_over = True

    def leave_blank_line(self) -> None:
        """Separate the next block by a blank line."""
        self.start_line()
        if self._text and not "".join(self._text[-2:]).endswith("\n\n"):
            self.write("\n")

    def finish(self) -> RenderedMessage:
        """Return the message, without white space at its end."""
        text = "".join(self._text).rstrip()
        length_units = utf16_length(text)
        clipped_entities = (
            replace(entity, length=min(entity.length, length_units - entity.offset))
            for entity in self._entities
        )
        return RenderedMessage(
            text, nest_entities(entity for entity in clipped_entities if entity.length > 0)
        )

    def _write_bullet(self) -> None:
        """Write the bullet that waits for its first words."""
        bullet, self.bullet = self.bullet, ""
        self.write(bullet)

    def _end_line_if_over(self) -> None:
        """Write the line end that `end_line` requested."""
        if self._is_line_over:
            self._is_line_over = False
            self.write("\n")


def restrict_links(message: RenderedMessage, permitted_links: AllowedLinks) -> RenderedMessage:
    """The message with links to permitted places only; other addresses are shown as code."""
    offsets = utf16_offsets(message.text)
    entities = [
        entity
        for entity in message.entities
        if entity.type != "text_link" or (is_web(entity.url) and permitted_links.permit(entity.url))
    ]
    verbatim = Reach.of(entity for entity in entities if entity.type in VERBATIM)
    link_spans = Reach.of(entity for entity in entities if entity.type == "text_link")
    refusals: list[tuple[int, int]] = []
    code_end = link_end = 0
    for address in sorted(find_links(message.text), key=lambda address: address.start):
        start = offsets[address.start]
        end = offsets[address.start + len(address.texts[0])]
        if max(verbatim.of_those_before(start + 1), code_end) >= end:
            continue
        link = next(filter(permitted_links.permit, address.texts), None)
        if link is None:
            refusals.append((start, end))
            end_of_link = code_end = offsets[address.start + len(address.texts[-1])]
            entities.append(TextEntity("code", start, end_of_link - start))
        elif link != address.texts[0] and (max(link_spans.of_those_before(end), link_end) <= start):
            end_of_link = link_end = offsets[address.start + len(link)]
            url = link if is_web(link) else f"https://{link}"
            entities.append(TextEntity("text_link", start, end_of_link - start, url=url))
    return RenderedMessage(message.text, nest_entities(_without_links(entities, Reach(refusals))))


def _without_links(entities: Iterable[TextEntity], refusals: Reach) -> Iterator[TextEntity]:
    """The entities except links over refused spans, because a link and code cannot share a span."""
    for entity in entities:
        end = entity.offset + entity.length
        if entity.type != "text_link" or refusals.of_those_before(end) <= entity.offset:
            yield entity


def spans_to_defuse(text: str) -> list[tuple[int, int]]:
    """The spans that Telegram would turn into links, in characters."""
    return [(address.start, address.start + len(address.texts[0])) for address in find_links(text)]
