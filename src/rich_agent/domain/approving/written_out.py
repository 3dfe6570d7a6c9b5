r"""Texts from outside with escapes for invisible and deceptive characters.

A character is escaped as `\u200b` or `\U000e0041`. A backslash that would start an escape is
written as `\u005c`, so that the text can be read back exactly.
"""

import re
import unicodedata
from collections.abc import Iterator

from rich_agent.domain.look_alikes import imitating_places

_SPACES = re.compile(" ++")
_MOST_SPACES = 4
"""The most consecutive spaces in a line: more could push text out of sight."""
_MOST_INDENT = 16
_ESCAPE = re.compile(r"\\(?=u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs", "Me"})
_MARKS = frozenset({"Mn", "Mc"})
_MOST_MARKS = 2
"""The most stacked marks on one letter: languages need no more, and more cover other lines."""
# Characters that are drawn as nothing although their category does not say so.
# Source: Unicode 16, DerivedCoreProperties.txt, Default_Ignorable_Code_Point; and blank signs.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc"
    "\U0001d159\U000e0000-\U000e0fff]"
)
_MOST_VOWELS = 8
"""The most marks on one letter that only some fonts stack; each may come once."""
_OVERLAY, _VIRAMA, _NOT_STACKED = 1, 9, (0, 7, 8, 9)
"""Canonical combining classes of marks that strike a letter through, join, or do not stack."""
_NON_JOINER, _JOINER = "\u200c", "\u200d"


def escape_invisible(text: str, *, in_lines: bool = False) -> str:
    """The text without invisible characters; `in_lines` keeps line feeds.

    Escaped are control and format characters, all spaces but U+0020, spaces at the edges of a line,
    many consecutive spaces, marks that strike out, stack or stand alone, and look-alikes of ASCII.
    Joiners stay where a script needs them.
    """
    escaped_places = set(_invisible_places(text))
    return "".join(
        character
        if index not in escaped_places or (in_lines and character == "\n")
        else f"\\u{ord(character):04x}"
        if character <= "\uffff"
        else f"\\U{ord(character):08x}"
        for index, character in enumerate(text)
    )


def _invisible_places(text: str) -> Iterator[int]:
    """The positions of the characters to escape."""
    yield from (match.start() for match in _ESCAPE.finditer(text))
    for run in _SPACES.finditer(text):
        yield from _spaces(text, run.start(), run.end())
    if text.isascii():
        yield from (index for index, character in enumerate(text) if not character.isprintable())
        return
    yield from imitating_places(text)
    yield from _unseen_places(text)


def _spaces(text: str, start: int, end: int) -> Iterator[int]:
    """The positions in a run of spaces to escape: all of them, or none."""
    is_edge = start == 0 or end == len(text) or text[end] == "\n"
    most_spaces = _MOST_INDENT if start and text[start - 1] == "\n" else _MOST_SPACES
    if is_edge or end - start > most_spaces:
        yield from range(start, end)


def _unseen_places(text: str) -> Iterator[int]:
    """The positions of invisible characters, and of marks where no language has them."""
    mark_count, vowel_marks, has_base, previous_character = 0, "", False, ""
    for index, character in enumerate(text):
        category = unicodedata.category(character)
        if category in _MARKS and not _BLANK.match(character):
            combining_class = unicodedata.combining(character)
            mark_count += combining_class not in _NOT_STACKED
            is_repeated = combining_class in _NOT_STACKED and (
                character in vowel_marks or len(vowel_marks) > _MOST_VOWELS
            )
            if (
                not has_base
                or combining_class == _OVERLAY
                or mark_count > _MOST_MARKS
                or is_repeated
            ):
                yield index
                has_base = False
            vowel_marks = (vowel_marks + character)[: _MOST_VOWELS + 1]
        else:
            is_hidden = (category in _HIDDEN and character != " ") or bool(_BLANK.match(character))
            if is_hidden and not (
                has_base and _joins(previous_character, character, text[index + 1 : index + 2])
            ):
                yield index
            mark_count, vowel_marks, has_base = 0, "", not (is_hidden or character == " ")
        previous_character = character


def _joins(previous_character: str, joiner: str, next_character: str) -> bool:
    """Whether a joiner stands where Arabic or an Indic script needs it. Source: RFC 5892, A.1."""
    if joiner not in (_NON_JOINER, _JOINER) or not next_character:
        return False
    if unicodedata.combining(previous_character) == _VIRAMA:
        return True
    return joiner == _NON_JOINER and {
        unicodedata.bidirectional(neighbour) for neighbour in (previous_character, next_character)
    } == {"AL"}
