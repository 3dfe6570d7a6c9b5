"""Messages as Markdown with bold parts, code and quotes; other marks are escaped."""

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
    """The text with its bold parts, code and quotes; other Markdown characters are escaped.

    Line ends stay where they are.
    """
    index_by_utf16_offset = {
        utf16_offset: index for index, utf16_offset in enumerate(utf16_offsets(message.text))
    }
    spans = [
        _Span(
            entity.type,
            index_by_utf16_offset[entity.offset],
            index_by_utf16_offset[entity.offset + entity.length],
        )
        for entity in message.entities
    ]
    quotes = [span for span in spans if span.kind in QUOTES]
    marks = [span for span in spans if span.kind in {"bold", *VERBATIM}]
    lines, start = list[str](), 0
    for line in message.text.split("\n"):
        end = start + len(line)
        is_quoted = any(span.start <= start and end <= span.end for span in quotes)
        lines.append(("> " if is_quoted else "") + _line(message.text, start, end, marks))
        start = end + 1
    return "\n".join(lines)


class _Span(NamedTuple):
    kind: str
    start: int
    end: int


def _line(text: str, start: int, end: int, marked_spans: Sequence[_Span]) -> str:
    """A line with its marks; two blanks at its end separate it from the next line."""
    pieces, position = list[str](), start
    for mark in marked_spans:
        begin, stop = max(mark.start, position), min(mark.end, end)
        if begin < stop:
            pieces += [_escape(text[position:begin]), _mark(mark.kind, text[begin:stop])]
            position = stop
    pieces.append(_escape(text[position:end]))
    line = _LINE_STARTS.sub(r"\1\\\2", "".join(pieces))
    return f"{line}  " if line.strip() else line


def _mark(kind: str, words: str) -> str:
    """The words in bold or as code."""
    return f"**{_escape(words)}**" if kind == "bold" else f"`{words}`"


def _escape(text: str) -> str:
    """The text with Markdown characters escaped."""
    return _MARKS.sub(r"\\\g<0>", text)
