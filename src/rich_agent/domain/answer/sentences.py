"""The sentences of a Markdown text: where each is, where its markers are, and where one may go.

Code and addresses are no sentences. A text has as many as it has ends of sentences and lines.
"""

import re
from collections.abc import Iterator

_LEFT_OUT = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", re.DOTALL)
_BULLET = re.compile(r"\A\s*+(?:[-*+•]|\d{1,3}[.)])\s")
_MARK = r"[ \t]?(?:\[[\d,; \t:web^]{1,20}\]|【[^】\n]{1,20}】)"
_MARKS = re.compile(_MARK)
# A run of marks is read once, from its first one on.
_END = re.compile(
    rf"(?<![.!?…।؟])[.!?…।؟]++[\"'”’»)*_]*+(?:{_MARK})*(?=\s|\Z)|[。！？]++[」』）)*_]*+(?:{_MARK})*+"
)
_ASIDE = r"[*_]*+[(（].*[)）][*_]*"
_IS_ASIDE = re.compile(_ASIDE)
# A heading, a lead-in, a question, an aside in brackets.
_STATES_NOTHING = re.compile(rf"#.*|.*[:：?？؟][*_]*|{_ASIDE}")
# A table's row whose next line rules off its head.
_HEAD = re.compile(r"[ \t]*+\n[ \t]*+\|?[ \t]*+:?-")
_PLACEHOLDER = "\ufffc"
"""Stands for code and addresses within a line, whose places in the answer are kept."""


def prose_of(text: str) -> str:
    """The text with something else in place of code and addresses, everything at its place."""
    return _LEFT_OUT.sub(_blank, text)


def without_marks(text: str) -> str:
    """The text without markers."""
    return _MARKS.sub("", text)


def marks_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each marker, with the blank before it."""
    return (found.span() for found in _MARKS.finditer(text))


def states_nothing(sentence: str) -> bool:
    """Whether it is a heading, a lead-in, a question, or an aside in brackets."""
    return bool(_STATES_NOTHING.fullmatch(sentence))


def plain(written: str) -> str:
    """The sentence without the sign of a list and without markers."""
    return without_marks(_BULLET.sub("", written, count=1)).strip()


def _blank(code: re.Match[str]) -> str:
    """As many characters in its place, with the ends of its lines."""
    lines = code[0].split("\n")
    filler = " " if len(lines) > 1 else _PLACEHOLDER
    return "\n".join(filler * len(line) for line in lines)


def place_in(text: str, start: int, end: int) -> int | None:
    """Return the place for a sentence's marker: its end, or inside the last cell of a table row.

    None for the head of a table.
    """
    end = start + len(text[start:end].rstrip())
    if text[end - 1] != "|":
        return end
    return None if _HEAD.match(text, end) else start + len(text[start : end - 1].rstrip())


def sentences_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sentence and line, with the markers behind it."""
    at = 0
    for ended in text.splitlines(keepends=True):
        line, start = ended.rstrip("\r\n"), 0
        for end in () if _IS_ASIDE.fullmatch(line.strip()) else _END.finditer(line):
            initial = line[max(0, end.start() - 2) : end.start()].strip()
            # "z. B. so" and "J. Smith" do not end there.
            if line[end.end() : end.end() + 2].strip()[:1].islower() or len(initial) == 1:
                continue
            yield at + start, at + end.end()
            start = end.end()
        if line[start:].strip():
            yield at + start, at + len(line)
        at += len(ended)
