"""Finds the letters of a PDF page whose characters nobody can tell: its font does not name them."""

import re
from typing import Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.domain.outgoing.everyday_words import is_everyday

_WORD: Final = re.compile(r"\S+")
_STEP: Final = 40
_LEAST_SAMPLES: Final = 50
_LONG: Final = 3
_READABLE: Final = 0.3


def without_unknown(text: pdfium.PdfTextPage, characters: str) -> tuple[str, int]:
    """The characters of a page with spaces in place of unknown ones, and how many these are.

    Words whose letters have no name but are right nevertheless, as in old bitmap fonts, stay. A few
    letters of each page are looked at; only if one is unknown, all are.
    """
    step = max(1, min(_STEP, len(characters) // _LEAST_SAMPLES))
    if not any(_is_unknown(text, index) for index in range(0, len(characters), step)):
        return characters, 0
    words = [
        match
        for match in _WORD.finditer(characters)
        if 2 * sum(_is_unknown(text, index) for index in range(*match.span())) > len(match[0])
    ]
    long_words = [word[0].lower() for word in words if word[0].isalpha() and len(word[0]) >= _LONG]
    if sum(map(is_everyday, long_words)) > _READABLE * len(long_words):
        return characters, 0
    pieces, end = [], 0
    for word in words:
        pieces += [characters[end : word.start()], " " * len(word[0])]
        end = word.end()
    rest = "".join([*pieces, characters[end:]])
    unknown_count = sum(len(word[0]) for word in words)
    # Signs that are left over between unknown letters are codes by chance.
    if not any(map(str.isalnum, rest)):
        rest = _WORD.sub(lambda sign: " " * len(sign[0]), rest)
    return rest, unknown_count


def _is_unknown(text: pdfium.PdfTextPage, index: int) -> bool:
    is_error: int = raw.FPDFText_HasUnicodeMapError(text, index)
    return is_error == 1
