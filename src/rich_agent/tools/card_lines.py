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
    defaults = [
        argument_name
        for argument_name in call.values
        if _is_default(tool, argument_name, call.arguments)
    ]
    argument_names = [
        argument_name for argument_name in call.values if argument_name not in defaults
    ]
    subject = next(
        (
            argument_name
            for argument_name in _subjects(tool, argument_names)
            if argument_name in argument_names
        ),
        "",
    )
    text = call.values.get(subject, "")
    if not _is_plain(text) or (
        len(argument_names) > 1 and any(mark in text for mark in tool.line.marks)
    ):
        return CardLine()
    visible_text = text if _is_short(text) else shorten(text, _CUT_CHARS)
    line = tool.line.sentence(visible_text, call)
    if not line.text:
        return line
    whole_arguments = line.arguments | {*defaults, *([subject] if visible_text == text else [])}
    other_names = [
        argument_name
        for argument_name in argument_names
        if argument_name not in whole_arguments and argument_name != subject
    ]
    return _with_others(CardLine(line.text, whole_arguments), other_names, call)


def _subjects(tool: Tool, names: Iterable[str]) -> Iterable[str]:
    """The arguments, the one that the call is about first."""
    return (*tool.line.subjects, *tool.arguments.model_fields, *names)


def _is_default(tool: Tool, name: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a value is the tool's default, so that the card need not show it."""
    field = tool.arguments.model_fields.get(name)
    if field is None or field.is_required():
        return False
    value = arguments[name]
    if value is None and tool.arguments.null_clears:
        return False
    return type(value) is type(field.default) and bool(value == field.default)


def _with_others(line: CardLine, names: Iterable[str], call: ReadableCall) -> CardLine:
    """The line with other arguments after their labels, if they are short."""
    text, whole_arguments = line.text, set(line.arguments)
    for argument_name in names:
        value = call.values[argument_name]
        part = phrase_around("card-labelled", value, call, label=call.labels[argument_name])
        is_whole = _is_plain(value) and _is_short(value) and MIDDLE_DOT not in value
        if is_whole and len(text) + len(part) <= _MOST_LINE_CHARS:
            text, whole_arguments = f"{text} {MIDDLE_DOT} {part}", whole_arguments | {argument_name}
    return CardLine(text, frozenset(whole_arguments))


def _is_short(text: str) -> bool:
    return len(text) <= _MOST_PART_CHARS and "\n" not in text


def _is_plain(text: str) -> bool:
    """Whether a card can show every character of a text as it is."""
    text_without_pictures = _PICTURES.sub("☺", text)
    return escape_invisible(text_without_pictures, in_lines=True) == text_without_pictures
