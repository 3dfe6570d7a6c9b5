"""Characters that look like ASCII characters, by Unicode's table of confusables.

The table comes from the library confusable_homoglyphs, and is read when it is first needed.
"""

import json
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import regex

from rich_agent.domain.outgoing.everyday_words import is_everyday
from rich_agent.domain.text import normalized

_TOKEN = regex.compile(r"\S++")
_WORD = regex.compile(r"[\w\p{M}]++")
_WIDE = frozenset("FW")
_TYPOGRAPHIC = frozenset({"Pi", "Pf", "Pd"})
"""Categories of typographic quotation marks and dashes."""


def ascii_of(character: str) -> str:
    """The ASCII character that another character looks like, "" if there is none."""
    if character.isascii():
        return ""
    ascii_form = _table().get(character) or normalized("NFKC", character)
    return ascii_form if len(ascii_form) == 1 and ascii_form.isascii() else ""


def as_ascii(text: str) -> str:
    """The text, with ASCII in place of the characters that look like it."""
    return text if text.isascii() else "".join(ascii_of(char) or char for char in text)


def imitating_places(text: str) -> Iterator[int]:
    """The positions of characters that a reader takes for ASCII characters.

    - In a word with ASCII letters or digits: all characters that look like ASCII.
    - In an unknown word of another script: all characters, if each of them looks like ASCII.
    - Between ASCII characters: marks that look like an ASCII mark.

    Letters of a language do not count if an everyday word of the text has them.
    """
    if text.isascii():
        return
    own_letters = _letters_of_everyday_words(text)
    for token in _TOKEN.finditer(text):
        if not token[0].isascii():
            for word in _WORD.finditer(token[0]):
                yield from (
                    token.start() + word.start() + position
                    for position in _in_word(word[0], own_letters)
                )
            yield from (token.start() + position for position in _marks_in(token[0]))


def _letters_of_everyday_words(text: str) -> frozenset[str]:
    """The letters of the everyday words in a text that are not ASCII."""
    words = (word.casefold() for word in _WORD.findall(text) if not word.isascii())
    return frozenset("".join(word for word in words if is_everyday(word)))


def _in_word(word: str, own_letters: frozenset[str]) -> Iterator[int]:
    """The positions in a word; `own_letters` are letters of the languages of the text."""
    is_own_number = all(not char.isascii() and unicodedata.category(char) == "Nd" for char in word)
    if word.isascii() or is_own_number:
        return
    is_mixed = any(char.isascii() and char.isalnum() for char in word)
    positions = [position for position, char in enumerate(word) if ascii_of(char).isalnum()]
    has_digits = any(char.isascii() and char.isdigit() for char in word)
    if has_digits:
        letters = frozenset(positions)
        positions += [
            position
            for position, char in enumerate(word)
            if position not in letters and char.isdigit() and not char.isascii()
        ]
    if is_mixed or len(positions) < len(word):
        is_own = is_everyday(word.casefold())
        yield from (
            position
            for position in sorted(positions)
            if (is_mixed and not _is_latin(word[position]))
            or (
                _is_latin(word[position])
                and not is_own
                and word[position].casefold() not in own_letters
            )
        )
    elif not is_everyday(word.casefold()) and not all(map(_is_wide, word)):
        yield from positions


def _marks_in(token: str) -> Iterator[int]:
    """The positions of marks between ASCII characters that look like an ASCII mark."""
    has_letters = any(char.isascii() and char.isalpha() for char in token)
    for position in range(1, len(token) - 1):
        char, previous_character, next_character = (
            token[position],
            token[position - 1],
            token[position + 1],
        )
        is_mark = not char.isascii() and not char.isalnum() and bool(ascii_of(char))
        if (
            is_mark
            and not ascii_of(char).isalnum()
            and previous_character.isascii()
            and next_character.isascii()
        ):
            is_usual = unicodedata.category(char) in _TYPOGRAPHIC
            if not is_usual and (has_letters or not _is_wide(char)):
                yield position


def _is_latin(character: str) -> bool:
    """Whether the character is a Latin letter."""
    return unicodedata.name(character, "").startswith("LATIN") and character.isalpha()


def _is_wide(character: str) -> bool:
    """Whether the character takes two columns, as in East Asian text."""
    return unicodedata.east_asian_width(character) in _WIDE


@lru_cache(maxsize=1)
def _table() -> Mapping[str, str]:
    """The ASCII character for each look-alike. Source: Unicode, confusables.txt."""
    # An import of the library would read all its tables, and keep ten times as much.
    package = find_spec("confusable_homoglyphs")
    folders = (package and package.submodule_search_locations) or ()
    content = json.loads(Path(*folders, "confusables.json").read_text("utf-8"))
    return {
        character: look_alike["c"]
        for character, look_alikes in content.items()
        for look_alike in look_alikes
        if len(character) == 1 and not character.isascii() and len(look_alike["c"]) == 1
        if look_alike["c"].isascii()
    }
