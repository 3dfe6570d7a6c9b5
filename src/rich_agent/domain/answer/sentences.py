"""The sentences of a Markdown text: where each is, where its markers are, and where one may go.

Code and addresses are no sentences. A text has as many as it has ends of sentences and lines.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from rich_agent.domain.answer.dates import is_month
from rich_agent.domain.retrieval.stop_words import STOP_WORDS
from rich_agent.domain.text import CJK, KATAKANA

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
# The word before a point, with points between its letters, and the word behind it.
_WORD_BEFORE = re.compile(r"[^\s\d(\[{«„“\"'‘’*_/–—-][^\s\d(\[{«„“\"/–—]{0,14}\Z")
_NUMBER_BEFORE = re.compile(r"(?<!\d)\d{1,2}\Z")
_WORD_BEHIND = re.compile(r"\s{0,3}([^\W\d_]{1,20})")
_ACRONYM = re.compile(r"[^\W\d_]{1,3}(?:\.[^\W\d_]{1,3}){1,5}")
_EAST_ASIAN = re.compile(rf"[{CJK}{KATAKANA}。、！？]")
_LONGEST_WORD = 16
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
    return (match.span() for match in _MARKS.finditer(text))


def states_nothing(sentence: str) -> bool:
    """Whether it is a heading, a lead-in, a question, or an aside in brackets."""
    return bool(_STATES_NOTHING.fullmatch(sentence))


def plain(sentence: str) -> str:
    """The sentence without the sign of a list and without markers."""
    return without_marks(_BULLET.sub("", sentence, count=1)).strip()


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
    for whole_line in text.splitlines(keepends=True):
        line, start = whole_line.rstrip("\r\n"), 0
        for end in () if _IS_ASIDE.fullmatch(line.strip()) else _END.finditer(line):
            if _goes_on(line, end):
                continue
            yield at + start, at + end.end()
            start = end.end()
        if line[start:].strip():
            yield at + start, at + len(line)
        at += len(whole_line)


@lru_cache(maxsize=1)
def _abbreviations() -> Mapping[str, frozenset[str]]:
    table = files(__package__).joinpath("abbreviations.toml").read_text("utf-8")
    lists = {kind: frozenset(words.split()) for kind, words in tomllib.loads(table).items()}
    return MappingProxyType(lists)


@lru_cache(maxsize=1)
def _beginnings() -> frozenset[str]:
    """The commonest words of languages with small and capital letters."""
    lists = (words for script in ("LATIN", "CYRILLIC") for words in STOP_WORDS[script].values())
    return frozenset[str]().union(*lists)


def _goes_on(line: str, end: re.Match[str]) -> bool:
    """Whether a sentence goes on behind an initial, an abbreviation, or the day of a month."""
    behind = line[end.end() : end.end() + 2].strip()[:1]
    following = _WORD_BEHIND.match(line, end.end())
    next_word = following[1].casefold() if following else ""
    initial = line[max(0, end.start() - 2) : end.start()].strip()
    # "z. B. so" and "J. Smith" do not end there.
    if behind.islower() or len(initial) == 1:
        return not (initial.isdigit() and next_word in _beginnings())
    if not behind or not end[0].startswith("."):
        return False
    before = line[max(0, end.start() - _LONGEST_WORD) : end.start()]
    if _NUMBER_BEFORE.search(before):
        return is_month(next_word)
    return _is_short(before, behind, next_word)


def _is_short(before: str, behind: str, next_word: str) -> bool:
    """Whether a text ends with an abbreviation that goes before what is behind it."""
    word, lists = _WORD_BEFORE.search(before), _abbreviations()
    short = _EAST_ASIAN.split(word[0])[-1].casefold() if word else ""
    if short in lists["names"]:
        return True
    if behind.isdigit():
        return any(short in words for words in lists.values())
    is_word = short in lists["words"] or bool(_ACRONYM.fullmatch(short))
    return is_word and next_word not in _beginnings()
