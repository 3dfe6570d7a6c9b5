"""Cards in one line: what a call of the product's own tools does, as its user is told afterwards.

A line says an argument whole, or leaves it to a row below. A call whose line could be read in two
ways has none: it is shown by its title and every argument.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import regex

from rich_agent.domain.approving.written_out import escape_invisible
from rich_agent.domain.text import shorten
from rich_agent.tools.line_forms import MIDDLE_DOT, CardLine, ReadableCall, phrase_around
from rich_agent.tools.tool import Tool

_MOST_PART_CHARS, _MOST_LINE_CHARS, _CUT_CHARS = 120, 300, 60
_PICTURES = regex.compile(
    r"\p{Extended_Pictographic}\ufe0f?+(?:\u200d\p{Extended_Pictographic}\ufe0f?+){0,8}+"
)
"""Emoji of several characters, which a card would write out."""


def line_of(tool: Tool, call: ReadableCall) -> CardLine:
    """The line of a call that can be undone; of any other, none."""
    if tool.effect == "read" or not (tool.undo or tool.card_extras):
        return CardLine()
    defaults = [name for name in call.values if _is_default(tool, name, call.arguments)]
    names = [name for name in call.values if name not in defaults]
    subject = next((one for one in _subjects(tool, names) if one in names), "")
    text = call.values.get(subject, "")
    if not _is_plain(text) or (len(names) > 1 and any(mark in text for mark in tool.line.marks)):
        return CardLine()
    visible_text = text if _is_short(text) else shorten(text, _CUT_CHARS)
    line = tool.line.sentence(visible_text, call)
    if not line.text:
        return line
    whole = line.arguments | {*defaults, *([subject] if visible_text == text else [])}
    others = [name for name in names if name not in whole and name != subject]
    return _with_others(CardLine(line.text, whole), others, call)


def _subjects(tool: Tool, names: Iterable[str]) -> Iterable[str]:
    """The arguments, the one that the call is about first."""
    return (*tool.line.subjects, *tool.arguments.model_fields, *names)


def _is_default(tool: Tool, name: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a value is what the tool takes anyway, so that it need not be said."""
    field = tool.arguments.model_fields.get(name)
    if field is None or field.is_required():
        return False
    value = arguments[name]
    if value is None and tool.arguments.null_clears:
        return False
    return type(value) is type(field.default) and bool(value == field.default)


def _with_others(line: CardLine, names: Iterable[str], call: ReadableCall) -> CardLine:
    """The line with other arguments behind their labels, as far as they are short."""
    text, whole = line.text, set(line.arguments)
    for name in names:
        value = call.values[name]
        part = phrase_around("card-labelled", value, call, label=call.labels[name])
        is_whole = _is_plain(value) and _is_short(value) and MIDDLE_DOT not in value
        if is_whole and len(text) + len(part) <= _MOST_LINE_CHARS:
            text, whole = f"{text} {MIDDLE_DOT} {part}", whole | {name}
    return CardLine(text, frozenset(whole))


def _is_short(text: str) -> bool:
    return len(text) <= _MOST_PART_CHARS and "\n" not in text


def _is_plain(text: str) -> bool:
    """Whether a text is all that is seen of it."""
    rest = _PICTURES.sub("☺", text)
    return escape_invisible(rest, in_lines=True) == rest
