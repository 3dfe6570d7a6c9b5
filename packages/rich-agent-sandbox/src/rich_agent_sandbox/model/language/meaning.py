"""The meaning and the subject of a message, from word lists of several languages."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from rich_agent_sandbox.model.language.tongues import plain

Kind = Literal[
    "about_bot", "about_user", "documents", "tasks", "composing", "tells", "private", "now",
    "now_elsewhere", "price", "how", "asks", "follows",
]  # fmt: skip
_ARABIC = str.maketrans("أإآٱىةؤ", "اااايهو", "ًٌٍَُِّْـٰ")
_LATIN = re.compile(r"[a-z0-9]")
# Only in capitals or after a number, because "sol" also means the sun, or the ground.
_TICKER = re.compile(r"(?<![A-Za-z])SOL(?![A-Za-z])|\d\s?个?[Ss]ol(?![A-Za-z])")
_FEWEST_WORDS_OF_SUBJECT = 2


def bare(text: str) -> str:
    """Lower case without accents, with one form of each Arabic letter and simple spaces."""
    return " ".join(plain(text).translate(_ARABIC).replace("’", "'").split())


def means(kind: Kind, text: str) -> bool:
    """Whether a text is of a kind, according to the words of all languages."""
    return bool(_kinds()[kind].search(bare(text)))


def subject_named(text: str) -> list[str]:
    """The English names of the terms of crypto assets and trading in a text."""
    return _named("subject", text) or (["solana"] if _TICKER.search(text) else [])


def glossed(text: str) -> list[str]:
    """The English names of these terms and of related words in a text."""
    return [*subject_named(text), *_named("beside", text)]


def is_of_subject(description: str) -> bool:
    """Whether the description of a domain is about crypto assets and trading."""
    return len(subject_named(description)) >= _FEWEST_WORDS_OF_SUBJECT


def _named(table: str, text: str) -> list[str]:
    bare_text = bare(text)
    return [english for english, pattern in _glossary(table).items() if pattern.search(bare_text)]


@cache
def _kinds() -> Mapping[str, re.Pattern[str]]:
    return {
        kind: re.compile(
            "|".join(filter(None, "\n".join(patterns_by_language.values()).splitlines()))
        )
        for kind, patterns_by_language in _read("meaning.toml").items()
    }


@cache
def _glossary(table: str) -> Mapping[str, re.Pattern[str]]:
    return {
        english: re.compile("|".join(map(_beginning, foreign_words.split("; "))))
        for english, foreign_words in _read("subject.toml")[table].items()
    }


def _beginning(word: str) -> str:
    """A pattern for words with this beginning; in scripts without spaces, for any occurrence."""
    return rf"\b{re.escape(word)}" if _LATIN.match(word) else re.escape(word)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
