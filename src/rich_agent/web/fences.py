"""Finds blocks of fenced code, as CommonMark reads them, while a text grows."""

from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Fence:
    """A block of code: its lines from `first` up to `end`, and the marks that close it.

    Every client reads the lines up to `certain_end` as code.
    """

    first: int
    end: int
    certain_end: int
    mark: str
    is_closed: bool


def _block_parser() -> MarkdownIt:
    # Tags and definitions of a guarded text are text.
    parser = MarkdownIt("commonmark").disable(["html_block", "reference"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER = _block_parser()


def find_fences(lines: list[str]) -> list[Fence]:
    """The blocks in order. An open one reaches to the end; more lines change no earlier line."""
    if not any("```" in line or "~~~" in line for line in lines):
        return []
    found = []
    quotes = 0
    for token in _PARSER.parse("\n".join(lines)):
        quotes += {"blockquote_open": 1, "blockquote_close": -1}.get(token.type, 0)
        if token.type == "fence" and token.map:
            found.append(_read(token, lines, in_quote=quotes > 0))
    return found


def _read(token: Token, lines: list[str], *, in_quote: bool) -> Fence:
    first, end = token.map or (0, 0)
    before, _, _ = lines[first].partition(token.markup)
    last = lines[end - 1].strip() if end - first > 1 else ""
    is_closed = len(last) >= len(token.markup) and not last.strip(token.markup[0])
    if not is_closed and not any(line.strip() for line in lines[end:]):
        end = len(lines)  # a line that has just begun may still be code
    certain_end = end
    if in_quote or before.strip(" "):
        certain_end = first
    elif token.level:
        # Clients differ in where the item of a list ends.
        short = (n for n in range(first, end) if not _reaches(lines[n], len(before)))
        certain_end = next(short, end)
    return Fence(first, end, certain_end, before + token.markup, is_closed)


def _reaches(line: str, indent: int) -> bool:
    return not line.strip() or not line[:indent].strip(" ")
