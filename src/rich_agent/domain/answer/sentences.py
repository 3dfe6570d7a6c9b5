"""The sentences of a Markdown text: their positions, their markers, and places for new markers.

Code and addresses are no sentences. A sentence ends at its final mark or at the end of a line.
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
# A series of marks is read once, from the first.
_END = re.compile(
    rf"(?<![.!?…।؟])[.!?…।؟]++[\"'”’»)*_]*+(?:{_MARK})*(?=\s|\Z)|[。！？]++[」』）)*_]*+(?:{_MARK})*+"
)
_ASIDE = r"[*_]*+[(（].*[)）][*_]*"
_IS_ASIDE = re.compile(_ASIDE)
# A heading, a lead-in, a question, or a remark in brackets.
_STATES_NOTHING = re.compile(rf"#.*|.*[:：?？؟][*_]*|{_ASIDE}")
# The line of dashes below the head of a table.
_HEAD = re.compile(r"[ \t]*+\n[ \t]*+\|?[ \t]*+:?-")
# The word before a full stop, which may have points between its letters, and the word after it.
_WORD_BEFORE = re.compile(r"[^\s\d(\[{«„“\"'‘’*_/–—-][^\s\d(\[{«„“\"/–—]{0,14}\Z")
_NUMBER_BEFORE = re.compile(r"(?<!\d)\d{1,2}\Z")
_WORD_BEHIND = re.compile(r"\s{0,3}([^\W\d_]{1,20})")
_ACRONYM = re.compile(r"[^\W\d_]{1,3}(?:\.[^\W\d_]{1,3}){1,5}")
_EAST_ASIAN = re.compile(rf"[{CJK}{KATAKANA}。、！？]")
_LONGEST_WORD = 16
_PLACEHOLDER = "\ufffc"
"""The character in place of code and addresses within a line; positions stay the same."""


def prose_of(text: str) -> str:
    """The text with code and addresses blanked out; all positions stay the same."""
    return _LEFT_OUT.sub(_blank, text)


def without_marks(text: str) -> str:
    """The text without markers."""
    return _MARKS.sub("", text)


def marks_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each marker, with a blank before it."""
    return (match.span() for match in _MARKS.finditer(text))


def states_nothing(sentence: str) -> bool:
    """Whether the sentence is a heading, a lead-in, a question, or a remark in brackets."""
    return bool(_STATES_NOTHING.fullmatch(sentence))


def plain(sentence: str) -> str:
    """The sentence without its bullet and its markers."""
    return without_marks(_BULLET.sub("", sentence, count=1)).strip()


def _blank(code: re.Match[str]) -> str:
    """The filler for code: equally long, with the same line ends."""
    lines = code[0].split("\n")
    filler = " " if len(lines) > 1 else _PLACEHOLDER
    return "\n".join(filler * len(line) for line in lines)


def place_in(text: str, start: int, end: int) -> int | None:
    """The position for a sentence's marker: its end, or inside the last cell of a table row.

    None for the head of a table.
    """
    end = start + len(text[start:end].rstrip())
    if text[end - 1] != "|":
        return end
    return None if _HEAD.match(text, end) else start + len(text[start : end - 1].rstrip())


def sentences_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sentence or line, with the markers after it."""
    line_start = 0
    for whole_line in text.splitlines(keepends=True):
        line, sentence_start = whole_line.rstrip("\r\n"), 0
        for end_match in () if _IS_ASIDE.fullmatch(line.strip()) else _END.finditer(line):
            if _goes_on(line, end_match):
                continue
            yield line_start + sentence_start, line_start + end_match.end()
            sentence_start = end_match.end()
        if line[sentence_start:].strip():
            yield line_start + sentence_start, line_start + len(line)
        line_start += len(whole_line)


@lru_cache(maxsize=1)
def _abbreviations() -> Mapping[str, frozenset[str]]:
    """The abbreviations of `abbreviations.toml` by kind."""
    table = files(__package__).joinpath("abbreviations.toml").read_text("utf-8")
    words_by_kind = {kind: frozenset(words.split()) for kind, words in tomllib.loads(table).items()}
    return MappingProxyType(words_by_kind)


@lru_cache(maxsize=1)
def _beginnings() -> frozenset[str]:
    """The most common words of languages with small and capital letters."""
    lists = (words for script in ("LATIN", "CYRILLIC") for words in STOP_WORDS[script].values())
    return frozenset[str]().union(*lists)


def _goes_on(line: str, end: re.Match[str]) -> bool:
    """Whether the sentence continues after an initial, an abbreviation, or the day of a month."""
    next_character = line[end.end() : end.end() + 2].strip()[:1]
    next_match = _WORD_BEHIND.match(line, end.end())
    next_word = next_match[1].casefold() if next_match else ""
    initial = line[max(0, end.start() - 2) : end.start()].strip()
    # "z. B. so" and "J. Smith" are no ends.
    if next_character.islower() or len(initial) == 1:
        return not (initial.isdigit() and next_word in _beginnings())
    if not next_character or not end[0].startswith("."):
        return False
    preceding_text = line[max(0, end.start() - _LONGEST_WORD) : end.start()]
    if _NUMBER_BEFORE.search(preceding_text):
        return is_month(next_word)
    return _is_short(preceding_text, next_character, next_word)


def _is_short(preceding_text: str, next_character: str, next_word: str) -> bool:
    """Whether the text ends with an abbreviation that the following text continues."""
    word_match, lists = _WORD_BEFORE.search(preceding_text), _abbreviations()
    short_word = _EAST_ASIAN.split(word_match[0])[-1].casefold() if word_match else ""
    if short_word in lists["names"]:
        return True
    if next_character.isdigit():
        return any(short_word in words for words in lists.values())
    is_word = short_word in lists["words"] or bool(_ACRONYM.fullmatch(short_word))
    return is_word and next_word not in _beginnings()
