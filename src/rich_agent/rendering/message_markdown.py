"""Messages as Markdown: bold parts, code and quotes, other marks escaped."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.spans import (
    QUOTES,
    VERBATIM,
    utf16_offsets,
)

_MARKS = re.compile(r"[\\`*~|$]|\[(?!\d{1,4}\])|(?<!\w)_|_(?!\w)")
_LINE_STARTS = re.compile(r"^([ \t]{0,3}+)([-+#>=])", re.MULTILINE)


def as_markdown(message: RenderedMessage) -> str:
    """The text with its bold parts, code and quotes; characters that would be marks are escaped.

    Line ends stay where they are.
    """
    index_of = {unit: index for index, unit in enumerate(utf16_offsets(message.text))}
    spans = [
        _Span(one.type, index_of[one.offset], index_of[one.offset + one.length])
        for one in message.entities
    ]
    quotes = [one for one in spans if one.kind in QUOTES]
    marks = [one for one in spans if one.kind in {"bold", *VERBATIM}]
    lines, start = list[str](), 0
    for line in message.text.split("\n"):
        end = start + len(line)
        is_quoted = any(one.start <= start and end <= one.end for one in quotes)
        lines.append(("> " if is_quoted else "") + _line(message.text, start, end, marks))
        start = end + 1
    return "\n".join(lines)


class _Span(NamedTuple):
    kind: str
    start: int
    end: int


def _line(text: str, start: int, end: int, marks: Sequence[_Span]) -> str:
    """A line with its marks; two blanks at its end keep it apart from the next one."""
    pieces, at = list[str](), start
    for one in marks:
        begin, stop = max(one.start, at), min(one.end, end)
        if begin < stop:
            pieces += [_escape(text[at:begin]), _mark(one.kind, text[begin:stop])]
            at = stop
    pieces.append(_escape(text[at:end]))
    line = _LINE_STARTS.sub(r"\1\\\2", "".join(pieces))
    return f"{line}  " if line.strip() else line


def _mark(kind: str, words: str) -> str:
    return f"**{_escape(words)}**" if kind == "bold" else f"`{words}`"


def _escape(text: str) -> str:
    return _MARKS.sub(r"\\\g<0>", text)
