"""Approval cards as data: which call a user is asked to approve, with every argument verbatim.

Surfaces lay these rows out and add nothing; no part of them is Markdown.
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
"""Of all calls of one question: nobody reads more, so more is not asked for."""
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
"""What a line is, told by its mark: no text can begin a line of another kind."""


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
    """An argument with nothing invisible in it: its name on one line, its value on any number.

    `source` tells whose words the value holds, "" if that is not told. `left_out` counts the
    characters of the value that are not here. One that is `in_line` is said by the card's line.
    """

    name: str
    value: str
    left_out: int = 0
    source: str = ""
    in_line: bool = False

    def cut(self, units: int) -> "CardField":
        """The field with as much of its value as fits into these UTF-16 units and 12 lines."""
        lines = self.value.split("\n")
        visible_value = first_units("\n".join(lines[:_MOST_LINES]), units)
        return replace(
            self, value=visible_value, left_out=self.left_out + len(self.value) - len(visible_value)
        )


@dataclass(frozen=True, slots=True)
class ApprovalCard:
    """A call that waits for approval; `left_out` counts the arguments that are not here.

    Cards of the same `tool` can be laid out as one; "" for a card that stands alone. `line` says
    the call in a sentence, "" for one that is shown by its title and every argument.
    """

    call_id: str
    title: str
    fields: tuple[CardField, ...] = ()
    left_out: int = 0
    tool: str = ""
    line: str = ""

    @property
    def heading(self) -> str:
        """The first line."""
        return self.line or self.title

    @property
    def rows(self) -> tuple[CardField, ...]:
        """The fields below the first line: what it does not say, and what somebody else wrote."""
        return tuple(one for one in self.fields if one.source or not (self.line and one.in_line))

    @property
    def size_chars(self) -> int:
        """The number of characters to read."""
        sizes = (len(one.name) + len(one.value) + len(one.source) for one in self.fields)
        return len(self.heading) + sum(sizes)

    def with_sources(self, sources: Sequence[str]) -> "ApprovalCard":
        """The card with whose words its first fields hold; what nobody sees is written out."""
        with_source = [
            replace(one, source=escape_invisible(source))
            for one, source in zip(self.fields, sources, strict=False)
        ]
        return replace(self, fields=(*with_source, *self.fields[len(with_source) :]))

    def with_field(self, name: str, value: str, *, in_line: bool = False) -> "ApprovalCard":
        """The card with a row that is no argument, below those that are."""
        text = escape_invisible(value, in_lines=True)
        more = CardField(escape_invisible(name), text, in_line=in_line)
        return replace(self, fields=(*self.fields, more))

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
                one["name"],
                one["value"],
                source=one.get("source", ""),
                in_line=one.get("in_line", False),
            )
            for one in value["fields"]
        )
        tool, line = value.get("tool", ""), value.get("line", "")
        return cls(value["call_id"], value["title"], fields, tool=tool, line=line)


def _field_state(field: CardField) -> FieldState:
    state: FieldState = {"name": field.name, "value": field.value}
    if field.source:
        state["source"] = field.source
    if field.in_line:
        state["in_line"] = True
    return state


@dataclass(frozen=True, slots=True)
class Wording:
    """The product's own words for a call: its `title`, and how its arguments are said.

    `labels` are the names of arguments in the user's language, `values` what some of them mean.
    `line` is a sentence that says the arguments `in_line`.
    """

    title: str
    labels: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    line: str = ""
    in_line: frozenset[str] = frozenset()


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
    """The name of an argument; quoted if it is empty, or would read as quoted."""
    return name if name and not name.startswith('"') else json.dumps(name, ensure_ascii=False)


def cards_in(states: Iterable[CardState], calls: Iterable[ToolCall]) -> tuple[ApprovalCard, ...]:
    """The cards as they were stored; of calls that were asked for without any, plain ones."""
    return tuple(map(ApprovalCard.from_state, states)) or tuple(map(card_of, calls))


def verbatim(value: Any) -> str:  # noqa: ANN401 - JSON
    """A text as it is, anything else as JSON; a text that would read as JSON is quoted."""
    if isinstance(value, str) and not _reads_as_json(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _reads_as_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True


@dataclass(frozen=True, slots=True)
class CardRow:
    """One part of a card; only a value has several lines. `left_out` counts what it lacks."""

    kind: RowKind
    text: str
    left_out: int = 0

    @property
    def lines(self) -> Sequence[str]:
        """Its lines, each behind the mark that tells what it is."""
        return [f"{_MARKS[self.kind]}{line}" for line in self.text.split("\n")]


@dataclass(frozen=True, slots=True)
class JoinedCard:
    """Calls of one tool in a row, laid out as one card; `left_out` counts arguments not in it."""

    cards: tuple[ApprovalCard, ...]

    @property
    def left_out(self) -> int:
        """The number of arguments that are not here."""
        return sum(card.left_out for card in self.cards)

    @property
    def shared_fields(self) -> tuple[CardField, ...]:
        """The fields that every one of several calls has, with the same value from the same."""
        first, *others = (Counter(card.fields) for card in self.cards)
        fields = self.cards[0].fields if others else ()
        return tuple(
            field
            for field in fields
            if first[field] == 1 and all(other[field] == 1 for other in others)
        )

    def rows(self) -> Iterator[CardRow]:
        """The card from top to bottom: its title, then each argument's name, value and source.

        Of several calls: how many, the arguments that they share, then each with all its others.
        A call that is said in a line has that, and what it does not say.
        """
        if len(self.cards) == 1 or self.cards[0].line:
            for card in self.cards:
                yield CardRow("title", card.heading)
                yield from _rows_of(card.rows)
            return
        yield CardRow("title", self.cards[0].title)
        common, count = self.shared_fields, len(self.cards)
        yield CardRow("call", f"× {count}")
        yield from _rows_of(common)
        for number, card in enumerate(self.cards, 1):
            yield CardRow("call", f"{number}/{count}")
            yield from _rows_of([field for field in card.fields if field not in common])


def _rows_of(fields: Iterable[CardField]) -> Iterator[CardRow]:
    for one in fields:
        yield CardRow("name", one.name)
        yield CardRow("value", one.value, one.left_out)
        if one.source:
            yield CardRow("source", one.source)


def join_cards(cards: Iterable[ApprovalCard]) -> list[JoinedCard]:
    """The cards in their order, those of one tool that follow each other as one."""

    def tool_of(item: tuple[int, ApprovalCard]) -> object:
        number, card = item
        return (card.tool, card.title, bool(card.line)) if card.tool else number

    groups = groupby(enumerate(cards), tool_of)
    return [JoinedCard(tuple(card for _, card in group)) for _, group in groups]


def card_text(cards: Iterable[ApprovalCard]) -> str:
    """The cards as plain text."""
    return "\n\n".join(
        "\n".join(line for row in one.rows() for line in row.lines) for one in join_cards(cards)
    )


def shorten_cards(
    cards: Sequence[ApprovalCard], units: int, most_fields: int
) -> tuple[ApprovalCard, ...]:
    """The cards in about so many UTF-16 units; each says what it leaves out.

    What is short stays whole, wherever it stands: the long values share what is left.
    """
    short_cards: list[ApprovalCard] = []
    room = units - sum(utf16_length(card.line or _short_name(card.title)) for card in cards)
    for card in cards:
        fields: list[CardField] = []
        for one in card.rows[:most_fields]:
            name = _short_name(one.name)
            if (room := room - utf16_length(name) - utf16_length(one.source)) < 0:
                break
            fields.append(replace(one, name=name))
        most_fields -= len(fields)
        surplus = len(card.rows) - len(fields)
        short_cards.append(
            replace(card, title=_short_name(card.title), fields=tuple(fields), left_out=surplus)
        )
    sizes = [utf16_length(one.value) for card in short_cards for one in card.fields]
    share = _share(sizes, max(0, room))
    return tuple(
        replace(card, fields=tuple(one.cut(share) for one in card.fields)) for card in short_cards
    )


def _short_name(name: str) -> str:
    return name if len(name) <= _MOST_NAME_CHARS else f"{name[:_MOST_NAME_CHARS]}…"


def _share(sizes: Sequence[int], room: int) -> int:
    """The most that one of these may take so that all of them fit."""
    share = 0
    for number, size in enumerate(sorted(sizes)):
        share = max(share, room // (len(sizes) - number))
        room -= min(size, share)
    return share
