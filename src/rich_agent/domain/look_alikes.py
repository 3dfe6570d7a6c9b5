"""Characters that look like those of ASCII, by Unicode's table of confusables.

The table is that of the library confusable_homoglyphs; it is read at the first text that needs it.
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
"""Quotation marks and dashes as books have them."""


def ascii_of(character: str) -> str:
    """The character of ASCII that another one looks like, "" if it looks like none."""
    if character.isascii():
        return ""
    plain = _table().get(character) or normalized("NFKC", character)
    return plain if len(plain) == 1 and plain.isascii() else ""


def as_ascii(text: str) -> str:
    """The text with what looks like ASCII written in it."""
    return text if text.isascii() else "".join(ascii_of(one) or one for one in text)


def imitating_places(text: str) -> Iterator[int]:
    """The places of characters that pass for others: by them a reader takes one word for another.

    In a word with letters or digits of ASCII all that look like some do, and in a word of another
    script that nobody knows, all of it, if each of its letters does. So do marks between signs of
    ASCII. Letters of a language stay where an everyday word of the text has them.
    """
    if text.isascii():
        return
    own_letters = _letters_of_everyday_words(text)
    for token in _TOKEN.finditer(text):
        if not token[0].isascii():
            for word in _WORD.finditer(token[0]):
                yield from (
                    token.start() + word.start() + at for at in _in_word(word[0], own_letters)
                )
            yield from (token.start() + at for at in _marks_in(token[0]))


def _letters_of_everyday_words(text: str) -> frozenset[str]:
    words = (word.casefold() for word in _WORD.findall(text) if not word.isascii())
    return frozenset("".join(word for word in words if is_everyday(word)))


def _in_word(word: str, own_letters: frozenset[str]) -> Iterator[int]:
    """The places in a word; `own_letters` are the letters that the languages of its text have."""
    is_own_number = all(not one.isascii() and unicodedata.category(one) == "Nd" for one in word)
    if word.isascii() or is_own_number:
        return
    is_mixed = any(one.isascii() and one.isalnum() for one in word)
    alike = [place for place, one in enumerate(word) if ascii_of(one).isalnum()]
    has_digits = any(one.isascii() and one.isdigit() for one in word)
    if has_digits:
        letters = frozenset(alike)
        alike += [
            place
            for place, one in enumerate(word)
            if place not in letters and one.isdigit() and not one.isascii()
        ]
    if is_mixed or len(alike) < len(word):
        is_own = is_everyday(word.casefold())
        yield from (
            place
            for place in sorted(alike)
            if (is_mixed and not _is_latin(word[place]))
            or (_is_latin(word[place]) and not is_own and word[place].casefold() not in own_letters)
        )
    elif not is_everyday(word.casefold()) and not all(map(_is_wide, word)):
        yield from alike


def _marks_in(token: str) -> Iterator[int]:
    """The places of marks between signs of ASCII that look like a mark of it."""
    has_letters = any(one.isascii() and one.isalpha() for one in token)
    for place in range(1, len(token) - 1):
        one, before, after = token[place], token[place - 1], token[place + 1]
        is_mark = not one.isascii() and not one.isalnum() and bool(ascii_of(one))
        if is_mark and not ascii_of(one).isalnum() and before.isascii() and after.isascii():
            is_usual = unicodedata.category(one) in _TYPOGRAPHIC
            if not is_usual and (has_letters or not _is_wide(one)):
                yield place


def _is_latin(character: str) -> bool:
    return unicodedata.name(character, "").startswith("LATIN") and character.isalpha()


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in _WIDE


@lru_cache(maxsize=1)
def _table() -> Mapping[str, str]:
    """The character of ASCII for each that looks like it. Source: Unicode, confusables.txt."""
    # The library's own import reads all of it, and keeps ten times as much.
    package = find_spec("confusable_homoglyphs")
    folders = (package and package.submodule_search_locations) or ()
    content = json.loads(Path(*folders, "confusables.json").read_text("utf-8"))
    return {
        character: one["c"]
        for character, alike in content.items()
        for one in alike
        if len(character) == 1 and not character.isascii() and len(one["c"]) == 1
        if one["c"].isascii()
    }
