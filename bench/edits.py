"""Edits of a Markdown document, as people make them: a paragraph more, a word changed."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_PROSE = re.compile(r"[^\W\d_]")
_PLAIN_WORD = re.compile(r"(?<= )[^\W\d_]{4,}(?= )")
_FEWEST_CHARACTERS = 60
INSERTED = (
    "This paragraph was not there before. It says what changed since the last release, "
    "and whom to ask when something is unclear."
)
_OTHER_WORD = "another"


def insert_paragraph(text: str, at: int, paragraph: str = INSERTED) -> str:
    """The text with a paragraph more, before the line that begins at `at`."""
    return f"{text[:at]}{paragraph}\n\n{text[at:]}"


def change_word(text: str, at: int) -> str:
    """The text with a word replaced in the paragraph at `at`, in its middle where it can be."""
    end = text.find("\n\n", at)
    paragraph = text[at : None if end < 0 else end]
    words = list(_PLAIN_WORD.finditer(paragraph))
    if not words:
        return text[:at] + f"{_OTHER_WORD} " + text[at:]
    word = words[len(words) // 2]
    return text[: at + word.start()] + _OTHER_WORD + text[at + word.end() :]


def paragraphs(text: str) -> Iterator[int]:
    """Yield the start of each paragraph of plain prose: no heading, list, table, or code."""
    at = 0
    is_code = False
    before = ""
    for line in text.splitlines(keepends=True):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and not before.strip() and _is_prose(line):
            yield at
        at += len(line)
        before = line


def _is_prose(line: str) -> bool:
    return len(line) >= _FEWEST_CHARACTERS and bool(_PROSE.match(line))
