"""Cards in one line: what a call of the product's own tools does, as its user is told afterwards.

A line says an argument whole, or leaves it to a row below. A call whose line could be read in two
ways has none: it is shown by its title and every argument.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Any

import regex

from rich_agent.domain.approving.cards import verbatim
from rich_agent.domain.approving.written_out import escape_invisible
from rich_agent.domain.languages import RIGHT_TO_LEFT
from rich_agent.domain.reminders.wall_time import read_clock
from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.times import Clocks
from rich_agent.tools.tool import Tool

_MOST_PART_CHARS, _MOST_LINE_CHARS, _CUT_CHARS = 120, 300, 60
_MOST_BLOCK_MINUTES = 24 * 60
_MIDDLE_DOT, _DASH = "·", "–"
_FROM_RIGHT = frozenset({"R", "AL"})
_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"
_PICTURES = regex.compile(
    r"\p{Extended_Pictographic}\ufe0f?+(?:\u200d\p{Extended_Pictographic}\ufe0f?+){0,8}+"
)
"""Emoji of several characters, which a card would write out."""


@dataclass(frozen=True, slots=True)
class CardLine:
    """A call in one sentence, "" without one, and the arguments of which it leaves nothing out."""

    text: str = ""
    arguments: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReadableCall:
    """A call as its user reads it: its title, and the label and value of each known argument.

    `values` also hold what the tool shows besides its arguments, by its label.
    """

    title: str
    arguments: Mapping[str, Any]
    labels: Mapping[str, str]
    values: Mapping[str, str]
    clocks: Clocks


def line_of(tool: Tool, call: ReadableCall) -> CardLine:
    """The line of a call that can be undone; of any other, none."""
    if tool.effect == "read" or not (tool.undo or tool.card_extras):
        return CardLine()
    defaults = [name for name in call.values if _is_default(tool, name, call.arguments)]
    names = [name for name in call.values if name not in defaults]
    sentence = _SENTENCES.get(tool.name, _title_line)
    subject = next((one for one in _subjects(tool, names) if one in names), "")
    marks = (_MIDDLE_DOT, _DASH) if sentence is _reminder_line else (_MIDDLE_DOT,)
    text = call.values.get(subject, "")
    if not _is_plain(text) or (len(names) > 1 and any(mark in text for mark in marks)):
        return CardLine()
    visible_text = text if _is_short(text) else shorten(text, _CUT_CHARS)
    line = sentence(visible_text, call)
    if not line.text:
        return line
    whole = line.arguments | {*defaults, *([subject] if visible_text == text else [])}
    others = [name for name in names if name not in whole and name != subject]
    return _with_others(CardLine(line.text, whole), others, call)


def _subjects(tool: Tool, names: Iterable[str]) -> Iterable[str]:
    """The arguments, the one that the call is about first."""
    return (*_FIRST.get(tool.name, ()), *tool.arguments.model_fields, *names)


def _is_default(tool: Tool, name: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a value is what the tool takes anyway, so that it need not be said."""
    field = tool.arguments.model_fields.get(name)
    if field is None or field.is_required():
        return False
    value = arguments[name]
    if value is None and tool.arguments.null_clears:
        return False
    return type(value) is type(field.default) and bool(value == field.default)


def _title_line(subject: str, call: ReadableCall) -> CardLine:
    """Its title, and what it is about: "Add a task: Milk"."""
    if not subject:
        return CardLine(call.title)
    return CardLine(_phrase("card-labelled", subject, call, label=call.title))


def _reminder_line(subject: str, call: ReadableCall) -> CardLine:
    """As it is confirmed: "Reminder: Water the plants – Mon, 30 Nov, 9:00 · every week"."""
    when, place = call.values.get("when", ""), call.values.get("time_zone", "")
    if not when or when == verbatim(call.arguments["when"]):
        return CardLine()
    at = f" {_MIDDLE_DOT} ".join(filter(None, (when, place)))
    line = _phrase("reminder-set", subject, call, at=at)
    return CardLine(line, frozenset({"when", "time_zone"}))


def _block_line(subject: str, call: ReadableCall) -> CardLine:
    """With its hours: "Add to your schedule: Write the report · Fri, 27 Nov, 9:00–11:00"."""
    line, arguments = _title_line(subject, call), call.arguments
    try:
        day = date.fromisoformat(str(arguments["date"]))
        clock = read_clock(str(arguments["start_time"]))
        minutes = int(str(arguments["duration_minutes"]))
    except (KeyError, ValueError):
        return line
    if clock is None or not 0 < minutes < _MOST_BLOCK_MINUTES:
        return line
    begins = datetime.combine(day, clock)
    hours = call.clocks.dated_span(begins, begins + timedelta(minutes=minutes))
    names = frozenset({"date", "start_time", "duration_minutes"})
    return CardLine(f"{line.text} {_MIDDLE_DOT} {hours}", names)


def _with_others(line: CardLine, names: Iterable[str], call: ReadableCall) -> CardLine:
    """The line with other arguments behind their labels, as far as they are short."""
    text, whole = line.text, set(line.arguments)
    for name in names:
        value = call.values[name]
        part = _phrase("card-labelled", value, call, label=call.labels[name])
        is_whole = _is_plain(value) and _is_short(value) and _MIDDLE_DOT not in value
        if is_whole and len(text) + len(part) <= _MOST_LINE_CHARS:
            text, whole = f"{text} {_MIDDLE_DOT} {part}", whole | {name}
    return CardLine(text, frozenset(whole))


def _is_short(text: str) -> bool:
    return len(text) <= _MOST_PART_CHARS and "\n" not in text


def _is_plain(text: str) -> bool:
    """Whether a text is all that is seen of it."""
    rest = _PICTURES.sub("☺", text)
    return escape_invisible(rest, in_lines=True) == rest


def _phrase(key: str, text: str, call: ReadableCall, **more: str) -> str:
    """The phrase with a text that is kept together if it is from right to left.

    Phrases of languages that are written so keep each value together themselves.
    """
    locale = call.clocks.locale
    phrase = say(locale, key, text=text, **more)
    is_from_right = any(unicodedata.bidirectional(one) in _FROM_RIGHT for one in text)
    if locale in RIGHT_TO_LEFT or not is_from_right:
        return phrase
    before, _, after = phrase.rpartition(text)
    return f"{before}{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}{after}"


_SENTENCES: Mapping[str, Callable[[str, ReadableCall], CardLine]] = MappingProxyType(
    {"remind": _reminder_line, "create_schedule_block": _block_line}
)
_FIRST: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"create_schedule_block": ("title", "task_id"), "remind": ("text",)}
)
