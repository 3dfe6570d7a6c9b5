"""Living blocks: a message's content as data, with actions, that shows changes in its place.

A block is shown as a widget in Telegram where clients run these, as a card on pages, and otherwise
as the message that comes with it. Its code never changes, and neither does the block as it was
sent: what has changed since is its state, which is derived anew each time.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

MOST_STATE_BYTES: Final = 1_024
"""The most bytes of a state. Source: Bot API, sendWidget, chat_data."""
MOST_ACTION_BYTES: Final = 64
"""The most bytes of an action's data. Source: Bot API, WidgetQuery; InlineKeyboardButton."""
Json = dict[str, Any]
ActionKind = Literal["plain", "main", "danger"]
RowMark = Literal["", "open", "done", "current"]
"""Whether a row can be ticked, is ticked, or is the one that counts now."""
ChartKind = Literal["bar", "line", "table"]
"""How numbers are drawn; what is only a table may have words in place of numbers."""


@dataclass(frozen=True, slots=True)
class BlockAction:
    """A button of a block; `data` is that of a message's button, a verb and its argument."""

    label: str
    data: str
    name: str = ""
    """What a screen reader says, if the label alone does not say it, such as that of a sign."""
    kind: ActionKind = "plain"

    def __post_init__(self) -> None:
        if not 1 <= len(self.data.encode()) <= MOST_ACTION_BYTES:
            raise ValueError(f"an action has 1 to {MOST_ACTION_BYTES} bytes of data")


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A row: a text or an argument, what is known of it, and actions on it."""

    text: str
    key: str = ""
    """The name of the row in its block; the row of another block may have the same."""
    label: str = ""
    """The name of the value that `text` is; it is shown above it."""
    details: str = ""
    body: str = ""
    """A longer text, which is shown when the row is opened; that of the current row is open."""
    mark: RowMark = ""
    actions: tuple[BlockAction, ...] = ()
    url: str = ""
    """The address of what the row is about."""


@dataclass(frozen=True, slots=True)
class BlockChart:
    """Numbers that were computed, drawn and as a table: names by series."""

    kind: ChartKind
    names: tuple[str, ...]
    series: tuple[tuple[str, tuple[float, ...]], ...]
    """The series with a value for each name; without values in what is only a table."""
    words: tuple[tuple[str, ...], ...] = ()
    """The values as words of the reader's language, series by series; () for the numbers."""
    corner: str = ""
    """The heading of the names' column."""


@dataclass(frozen=True, slots=True)
class LivingBlock:
    """The content of a message as data."""

    kind: str
    """The word of the block's feature, such as "tasks"."""
    title: str
    locale: str
    rows: tuple[BlockRow, ...] = ()
    actions: tuple[BlockAction, ...] = ()
    note: str = ""
    """A sentence about what has just changed, or about the outcome."""
    steps: tuple[int, int] = (0, 0)
    """How many steps of how many are done; (0, 0) for a block without steps."""
    chart: BlockChart | None = None

    def to_json(self) -> Json:
        """The block as JSON, with short names, for widgets and pages."""
        written: Json = {
            "kind": self.kind,
            "title": self.title,
            "locale": self.locale,
            "rows": [_row_json(row) for row in self.rows],
            "actions": [_action_json(action) for action in self.actions],
            "note": self.note,
            "steps": list(self.steps),
        }
        if self.chart:
            written["chart"] = _chart_json(self.chart)
        return written

    @property
    def action_data(self) -> frozenset[str]:
        """The data of all its buttons."""
        of_rows = (action.data for row in self.rows for action in row.actions)
        return frozenset([*of_rows, *(action.data for action in self.actions)])

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The block that `to_json` wrote, perhaps of another version of the program."""
        chart, (done, all_steps) = value.get("chart"), value.get("steps", (0, 0))
        return cls(
            value["kind"],
            value["title"],
            value["locale"],
            tuple(map(_row_of, value.get("rows", ()))),
            tuple(map(_action_of, value.get("actions", ()))),
            value.get("note", ""),
            (done, all_steps),
            _chart_of(chart) if chart else None,
        )


def _action_json(action: BlockAction) -> Json:
    return {"label": action.label, "data": action.data, "name": action.name, "kind": action.kind}


def _action_of(value: Mapping[str, Any]) -> BlockAction:
    return BlockAction(
        value["label"], value["data"], value.get("name", ""), value.get("kind", "plain")
    )


_ROW_TEXTS = ("text", "key", "label", "details", "body", "mark", "url")


def _row_json(row: BlockRow) -> Json:
    texts = {name: getattr(row, name) for name in _ROW_TEXTS}
    return {**texts, "actions": [_action_json(action) for action in row.actions]}


def _row_of(value: Mapping[str, Any]) -> BlockRow:
    texts = {name: value[name] for name in _ROW_TEXTS if name in value}
    return BlockRow(**texts, actions=tuple(map(_action_of, value.get("actions", ()))))


def _chart_json(chart: BlockChart) -> Json:
    return {
        "kind": chart.kind,
        "names": list(chart.names),
        "series": [[name, list(values)] for name, values in chart.series],
        "words": [list(texts) for texts in chart.words],
        "corner": chart.corner,
    }


def _chart_of(value: Mapping[str, Any]) -> BlockChart:
    return BlockChart(
        value["kind"],
        tuple(value["names"]),
        tuple((name, tuple(values)) for name, values in value["series"]),
        tuple(map(tuple, value["words"])),
        value["corner"],
    )


def state_of(sent: LivingBlock, now: LivingBlock) -> str | None:
    """The state that turns the block as it was sent into the block as it is now.

    The state is JSON: changes as lists of a path's steps and the new value. None if it is larger
    than a state may be; then the block has to be sent again.
    """
    if _has_other_code(sent, now):
        return None
    changes = list(_changes(sent.to_json(), now.to_json(), ()))
    state = json.dumps(changes, ensure_ascii=False, separators=(",", ":")) if changes else ""
    return state if len(state.encode()) <= MOST_STATE_BYTES else None


def _has_other_code(sent: LivingBlock, now: LivingBlock) -> bool:
    """Whether the document of the sent block lacks something that the block now needs."""
    is_other = (sent.kind, sent.locale, sent.chart) != (now.kind, now.locale, now.chart)
    lacks_list = bool(now.rows) and not sent.rows
    return is_other or lacks_list or bool(sent.steps[1]) != bool(now.steps[1])


def _changes(sent: object, now: object, path: tuple[str | int, ...]) -> Iterator[list[object]]:
    """Yield the changes from one value to another; lists of another length change as a whole."""
    if sent == now:
        return
    pairs: Sequence[tuple[str | int, object, object]] = ()
    if isinstance(sent, dict) and isinstance(now, dict) and sent.keys() == now.keys():
        pairs = [(key, sent[key], now[key]) for key in sent]
    elif isinstance(sent, list) and isinstance(now, list) and len(sent) == len(now):
        pairs = [(place, sent[place], now[place]) for place in range(len(sent))]
    if not pairs:
        yield [*path, now]
    for step, earlier, later in pairs:
        yield from _changes(earlier, later, (*path, step))


def with_state(sent: LivingBlock, state: str) -> LivingBlock:
    """The block that a widget shows in a state that `state_of` wrote."""
    if not state:
        return sent
    written = sent.to_json()
    for *path, name, value in json.loads(state):
        place: Any = written
        for step in path:
            place = place[step]
        place[name] = value
    return LivingBlock.from_json(written)


def query_answer(notice: str, state: str | None = None) -> str:
    """The answer to a widget's query, as JSON: a notice, and the state that is shown from now on.

    With the state None, the widget goes on showing what it shows. What would make it longer than an
    answer may be is left out; a widget is told its state anyway.
    """
    told = {"note": notice, **({} if state is None else {"state": json.loads(state or "[]")})}
    answers = [told, {"note": notice}, {}]
    written = (json.dumps(answer, ensure_ascii=False, separators=(",", ":")) for answer in answers)
    return next(text for text in written if len(text.encode()) <= MOST_STATE_BYTES)
