"""Approval cards as data: the call that a user may approve, with every argument verbatim.

Surfaces lay the rows out and add nothing; no part of a row is Markdown.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Literal, NotRequired, Self, TypedDict

from rich_agent.domain.approving.written_out import escape_invisible
from rich_agent.domain.text import first_units, utf16_length
from rich_agent.domain.tools import ToolCall

MOST_SHOWN_CHARS = 100_000
"""The most characters of all calls in one question: nobody reads more."""
_MOST_NAME_CHARS = 120
_MOST_LINES = 12
_MARKS: Mapping["RowKind", str] = {
    "title": "■ ",
    "call": "□ ",
    "name": "• ",
    "value": "│ ",
    "source": "↳ ",
}
RowKind = Literal["title", "call", "name", "value", "source"]
"""The kind of a line, shown by its mark: no text can imitate another kind."""


class FieldState(TypedDict):
    """A `CardField` as JSON."""

    name: str
    value: str
    source: NotRequired[str]
    in_line: NotRequired[bool]


class CardState(TypedDict):
    """An `ApprovalCard` as JSON, for the graph's state and for clients."""

    call_id: str
    title: str
    fields: list[FieldState]
    tool: NotRequired[str]
    line: NotRequired[str]


@dataclass(frozen=True, slots=True)
class CardField:
    """An argument without invisible characters: its name on one line, its value on any number."""

    name: str
    value: str
    left_out: int = 0
    """The number of characters of the value that were cut off."""
    source: str = ""
    """The authors of the words in the value, "" if they are not shown."""
    in_line: bool = False
    """Whether the card's summary line says this argument."""

    def cut(self, units: int) -> "CardField":
        """The field with as much of its value as fits into `units` UTF-16 units and 12 lines."""
        lines = self.value.split("\n")
        visible_value = first_units("\n".join(lines[:_MOST_LINES]), units)
        return replace(
            self, value=visible_value, left_out=self.left_out + len(self.value) - len(visible_value)
        )


@dataclass(frozen=True, slots=True)
class ApprovalCard:
    """A call that waits for approval."""

    call_id: str
    title: str
    fields: tuple[CardField, ...] = ()
    left_out: int = 0
    """The number of arguments that were left out."""
    tool: str = ""
    """Cards of the same tool may be shown as one; "" for a card of its own."""
    line: str = ""
    """A sentence that says the call; "" if the title and all arguments are shown."""

    @property
    def heading(self) -> str:
        """The first line of the card."""
        return self.line or self.title

    @property
    def rows(self) -> tuple[CardField, ...]:
        """The fields below the first line: not said by it, or with authors other than the user."""
        return tuple(
            field for field in self.fields if field.source or not (self.line and field.in_line)
        )

    @property
    def size_chars(self) -> int:
        """The number of characters to read."""
        sizes = (len(field.name) + len(field.value) + len(field.source) for field in self.fields)
        return len(self.heading) + sum(sizes)

    def with_sources(self, sources: Sequence[str]) -> "ApprovalCard":
        """The card with the authors of its first fields; invisible characters are escaped."""
        with_source = [
            replace(field, source=escape_invisible(source))
            for field, source in zip(self.fields, sources, strict=False)
        ]
        return replace(self, fields=(*with_source, *self.fields[len(with_source) :]))

    def with_field(self, name: str, value: str, *, in_line: bool = False) -> "ApprovalCard":
        """The card with another row that is no argument, below the arguments."""
        text = escape_invisible(value, in_lines=True)
        extra_field = CardField(escape_invisible(name), text, in_line=in_line)
        return replace(self, fields=(*self.fields, extra_field))

    def to_state(self) -> CardState:
        """The card as JSON."""
        fields = list(map(_field_state, self.fields))
        state: CardState = {"call_id": self.call_id, "title": self.title, "fields": fields}
        if self.tool:
            state["tool"] = self.tool
        if self.line:
            state["line"] = self.line
        return state

    @classmethod
    def from_state(cls, value: CardState) -> Self:
        """The card that `to_state` wrote."""
        fields = tuple(
            CardField(
                field_state["name"],
                field_state["value"],
                source=field_state.get("source", ""),
                in_line=field_state.get("in_line", False),
            )
            for field_state in value["fields"]
        )
        tool, line = value.get("tool", ""), value.get("line", "")
        return cls(value["call_id"], value["title"], fields, tool=tool, line=line)


def _field_state(field: CardField) -> FieldState:
    """The field as JSON."""
    state: FieldState = {"name": field.name, "value": field.value}
    if field.source:
        state["source"] = field.source
    if field.in_line:
        state["in_line"] = True
    return state


@dataclass(frozen=True, slots=True)
class Wording:
    """The product's words for a call."""

    title: str
    labels: Mapping[str, str] = field(default_factory=dict)
    """The names of arguments in the user's language."""
    values: Mapping[str, str] = field(default_factory=dict)
    """The meaning of some arguments in the user's language."""
    line: str = ""
    """A sentence that says the call."""
    in_line: frozenset[str] = frozenset()
    """The names of the arguments that the sentence says."""


def card_of(call: ToolCall, wording: Wording | None = None) -> ApprovalCard:
    """The card of a call, with every character of its arguments."""
    phrases = wording or Wording(call.name)
    fields = (
        CardField(
            escape_invisible(phrases.labels.get(name) or _quoted_if_odd(name)),
            escape_invisible(phrases.values.get(name) or verbatim(value), in_lines=True),
            in_line=name in phrases.in_line,
        )
        for name, value in call.arguments.items()
    )
    title = escape_invisible(phrases.title)
    return ApprovalCard(call.id, title, tuple(fields), tool=call.name, line=phrases.line)


def _quoted_if_odd(name: str) -> str:
    """The name of an argument; quoted if it is empty or begins with a quotation mark."""
    return name if name and not name.startswith('"') else json.dumps(name, ensure_ascii=False)


def cards_in(states: Iterable[CardState], calls: Iterable[ToolCall]) -> tuple[ApprovalCard, ...]:
    """The stored cards; without any, a plain card for each call."""
    return tuple(map(ApprovalCard.from_state, states)) or tuple(map(card_of, calls))


def verbatim(value: Any) -> str:  # noqa: ANN401 - JSON
    """A text as it is, another value as JSON; a text that would read as JSON is quoted."""
    if isinstance(value, str) and not _reads_as_json(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _reads_as_json(text: str) -> bool:
    """Whether the text is valid JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True


@dataclass(frozen=True, slots=True)
class CardRow:
    """A row of a card, such as a call or a value. Only a value may have several lines.

    `left_out` counts the missing characters.
    """

    kind: RowKind
    text: str
    left_out: int = 0

    @property
    def lines(self) -> Sequence[str]:
        """The lines of the row, each after the mark of its kind."""
        return [f"{_MARKS[self.kind]}{line}" for line in self.text.split("\n")]


@dataclass(frozen=True, slots=True)
class JoinedCard:
    """Consecutive calls of one tool, shown as one card."""

    cards: tuple[ApprovalCard, ...]

    @property
    def left_out(self) -> int:
        """The number of arguments that were left out."""
        return sum(card.left_out for card in self.cards)

    @property
    def shared_fields(self) -> tuple[CardField, ...]:
        """The fields that all of several calls have, with the same value and authors."""
        first_counts, *other_counts = (Counter(card.fields) for card in self.cards)
        fields = self.cards[0].fields if other_counts else ()
        return tuple(
            field
            for field in fields
            if first_counts[field] == 1 and all(counts[field] == 1 for counts in other_counts)
        )

    def rows(self) -> Iterator[CardRow]:
        """The card from top to bottom: its title, then each argument's name, value and source.

        Several calls begin with their number and their shared arguments; then each has its others.
        A call with a summary line has the line, and the arguments that the line does not say.
        """
        if len(self.cards) == 1 or self.cards[0].line:
            for card in self.cards:
                yield CardRow("title", card.heading)
                yield from _rows_of(card.rows)
            return
        yield CardRow("title", self.cards[0].title)
        shared_fields, count = self.shared_fields, len(self.cards)
        yield CardRow("call", f"× {count}")
        yield from _rows_of(shared_fields)
        for position, card in enumerate(self.cards, 1):
            yield CardRow("call", f"{position}/{count}")
            yield from _rows_of([field for field in card.fields if field not in shared_fields])


def _rows_of(fields: Iterable[CardField]) -> Iterator[CardRow]:
    """The rows of these fields."""
    for card_field in fields:
        yield CardRow("name", card_field.name)
        yield CardRow("value", card_field.value, card_field.left_out)
        if card_field.source:
            yield CardRow("source", card_field.source)


def join_cards(cards: Iterable[ApprovalCard]) -> list[JoinedCard]:
    """The cards in their order; consecutive cards of one tool are joined."""

    def tool_of(item: tuple[int, ApprovalCard]) -> object:
        position, card = item
        return (card.tool, card.title, bool(card.line)) if card.tool else position

    groups = groupby(enumerate(cards), tool_of)
    return [JoinedCard(tuple(card for _, card in group)) for _, group in groups]


def card_text(cards: Iterable[ApprovalCard]) -> str:
    """The cards as plain text."""
    return "\n\n".join(
        "\n".join(line for row in joined_card.rows() for line in row.lines)
        for joined_card in join_cards(cards)
    )


def shorten_cards(
    cards: Sequence[ApprovalCard], units: int, most_fields: int
) -> tuple[ApprovalCard, ...]:
    """The cards, shortened to about `units` UTF-16 units; each says what it leaves out.

    Short values stay whole; the long ones share the remaining room.
    """
    short_cards: list[ApprovalCard] = []
    room_units = units - sum(utf16_length(card.line or _short_name(card.title)) for card in cards)
    for card in cards:
        fields: list[CardField] = []
        for card_field in card.rows[:most_fields]:
            name = _short_name(card_field.name)
            if (
                room_units := room_units - utf16_length(name) - utf16_length(card_field.source)
            ) < 0:
                break
            fields.append(replace(card_field, name=name))
        most_fields -= len(fields)
        left_out_count = len(card.rows) - len(fields)
        short_cards.append(
            replace(
                card, title=_short_name(card.title), fields=tuple(fields), left_out=left_out_count
            )
        )
    value_lengths = [
        utf16_length(card_field.value) for card in short_cards for card_field in card.fields
    ]
    value_units = _share(value_lengths, max(0, room_units))
    return tuple(
        replace(card, fields=tuple(card_field.cut(value_units) for card_field in card.fields))
        for card in short_cards
    )


def _short_name(name: str) -> str:
    """The name, cut to `_MOST_NAME_CHARS`."""
    return name if len(name) <= _MOST_NAME_CHARS else f"{name[:_MOST_NAME_CHARS]}…"


def _share(sizes: Sequence[int], room: int) -> int:
    """The largest size at which values can be cut so that all fit."""
    share = 0
    for index, size in enumerate(sorted(sizes)):
        share = max(share, room // (len(sizes) - index))
        room -= min(size, share)
    return share
