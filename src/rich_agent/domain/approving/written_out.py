r"""Texts from outside, with everything written out that nobody sees, or that deceives the eye.

A character is written as `\u200b` or `\U000e0041`. A backslash that would begin such an escape by
itself is written as `\u005c`, so that the text can be read back exactly.
"""

import re
import unicodedata
from collections.abc import Iterator

from rich_agent.domain.look_alikes import imitating_places

_SPACES = re.compile(" ++")
_MOST_SPACES = 4
"""In a row within a line: more of them could push what follows out of sight."""
_MOST_INDENT = 16
_ESCAPE = re.compile(r"\\(?=u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs", "Me"})
_MARKS = frozenset({"Mn", "Mc"})
_MOST_MARKS = 2
"""On one letter: as many as languages need; more of them cover the lines around."""
# What is drawn as nothing although its category does not say so.
# Source: Unicode 16, DerivedCoreProperties.txt, Default_Ignorable_Code_Point; and blank signs.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc"
    "\U0001d159\U000e0000-\U000e0fff]"
)
_MOST_VOWELS = 8
"""On one letter, of the marks that only some fonts stack; none of them comes twice."""
_OVERLAY, _VIRAMA, _NOT_STACKED = 1, 9, (0, 7, 8, 9)
"""Canonical combining classes: what strikes a letter through, what joins, what does not stack."""
_NON_JOINER, _JOINER = "\u200c", "\u200d"


def escape_invisible(text: str, *, in_lines: bool = False) -> str:
    """The text without anything invisible; `in_lines` leaves line feeds as they are.

    Written out are control and format characters, every space but U+0020, spaces at the edges of a
    line or many in a row, marks that strike out, stack or stand alone, and what passes for a
    sign of ASCII. Joiners stay where an orthography needs them.
    """
    places = set(_invisible_places(text))
    return "".join(
        character
        if place not in places or (in_lines and character == "\n")
        else f"\\u{ord(character):04x}"
        if character <= "\uffff"
        else f"\\U{ord(character):08x}"
        for place, character in enumerate(text)
    )


def _invisible_places(text: str) -> Iterator[int]:
    """The places of the characters to write out."""
    yield from (match.start() for match in _ESCAPE.finditer(text))
    for run in _SPACES.finditer(text):
        yield from _spaces(text, run.start(), run.end())
    if text.isascii():
        yield from (place for place, one in enumerate(text) if not one.isprintable())
        return
    yield from imitating_places(text)
    yield from _unseen_places(text)


def _spaces(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the positions in a run of spaces that are written out: all of them, or none."""
    is_edge = start == 0 or end == len(text) or text[end] == "\n"
    most = _MOST_INDENT if start and text[start - 1] == "\n" else _MOST_SPACES
    if is_edge or end - start > most:
        yield from range(start, end)


def _unseen_places(text: str) -> Iterator[int]:
    """The places of what is invisible, and of marks that stand where no language puts them."""
    marks, vowel_marks, has_base, before = 0, "", False, ""
    for place, one in enumerate(text):
        category = unicodedata.category(one)
        if category in _MARKS and not _BLANK.match(one):
            height = unicodedata.combining(one)
            marks += height not in _NOT_STACKED
            is_again = height in _NOT_STACKED and (
                one in vowel_marks or len(vowel_marks) > _MOST_VOWELS
            )
            if not has_base or height == _OVERLAY or marks > _MOST_MARKS or is_again:
                yield place
                has_base = False
            vowel_marks = (vowel_marks + one)[: _MOST_VOWELS + 1]
        else:
            is_hidden = (category in _HIDDEN and one != " ") or bool(_BLANK.match(one))
            if is_hidden and not (has_base and _joins(before, one, text[place + 1 : place + 2])):
                yield place
            marks, vowel_marks, has_base = 0, "", not (is_hidden or one == " ")
        before = one


def _joins(before: str, one: str, after: str) -> bool:
    """Whether a joiner stands where Arabic or an Indic script needs it. Source: RFC 5892, A.1."""
    if one not in (_NON_JOINER, _JOINER) or not after:
        return False
    if unicodedata.combining(before) == _VIRAMA:
        return True
    return one == _NON_JOINER and {unicodedata.bidirectional(s) for s in (before, after)} == {"AL"}
