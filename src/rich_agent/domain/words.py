"""Authors of the words in a prompt, and which of the words an answer repeats."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NotRequired, Self, TypedDict

from rich_agent.domain.text import normalized, shorten

Origin = Literal["user", "memory", "assistant", "document", "page", "file", "server", "other"]
"""Who wrote words: "document" stands for its author, "other" for another person.

"memory" is what the bot keeps for the user: what they told it before, their tasks and notes.
"""
OWN: frozenset[Origin] = frozenset({"user", "memory", "assistant"})
_NAME_CHARS = 80
_MOST_KEPT = 20
_KEPT_CHARS = 2_000
_SENTENCE = re.compile(r"[^.!?。！？\n]*+[.!?。！？\n]|[^.!?。！？\n]++")
_REPEATED, _WIDE_REPEATED = 23, 9
"""Letters and digits in a row that are a repetition; a shorter sentence is one as a whole."""


class WordsState(TypedDict):
    """`Words` as JSON, for the graph's state and for what is stored of a turn."""

    origin: Origin
    name: NotRequired[str]
    text: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Words:
    """A text and who wrote it; `name` says which page, file, server or person, "" if unknown.

    `text` is what is left of them: "" where they were read and are not kept.
    """

    text: str
    origin: Origin
    name: str = ""

    @property
    def is_foreign(self) -> bool:
        """Whether neither the user nor the bot wrote them, so that they may order nothing."""
        return self.origin not in OWN

    def to_state(self) -> WordsState:
        """The words as JSON, without what is empty."""
        state: WordsState = {"origin": self.origin}
        if self.name:
            state["name"] = self.name
        if self.text:
            state["text"] = self.text
        return state

    @classmethod
    def from_state(cls, value: Mapping[str, Any]) -> Self:
        """The words that `to_state` wrote."""
        return cls(value.get("text", ""), value["origin"], value.get("name", ""))


def read_words(stored: Iterable[Mapping[str, Any]] | None) -> tuple[Words, ...]:
    """Words as they were stored, none for what was stored before their authors were known."""
    return tuple(map(Words.from_state, stored or ()))


def left_in(text: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """Return the authors of the foreign words read for `text`, with the sentences that repeat them.

    One entry for each author, at most 20.
    """
    sentences = _sentences(text)
    left: dict[tuple[Origin, str], str] = {}
    for words in read:
        author = words.origin, shorten(words.name, _NAME_CHARS)
        if words.is_foreign and (author in left or len(left) < _MOST_KEPT):
            said = " ".join(filter(None, (left.get(author, ""), _repeating(sentences, words.text))))
            left[author] = said[:_KEPT_CHARS]
    return tuple(Words(said, origin, name) for (origin, name), said in left.items())


def still_in(text: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """Return the foreign words that `text` repeats, each with the sentences that do."""
    return tuple(words for words in left_in(text, read) if words.text)


def is_part_of(text: str, whole: str) -> bool:
    """Whether the letters and digits of a text stand in another one, in a row."""
    return letters_of(text) in letters_of(whole)


def taken_into(summary: str, before: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """The foreign words of turns that a summary took in: its sentences that were not there before.

    A summary says things in its own words, so that any new sentence may be theirs.
    """
    known = set(_sentences(before))
    added = " ".join(one for one in _sentences(summary) if one not in known)[:_KEPT_CHARS]
    return tuple(replace(one, text=added) for one in left_in("", read) if added)


def _sentences(text: str) -> list[str]:
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip()]


def _repeating(sentences: Iterable[str], of: str) -> str:
    """The sentences that repeat a text: 23 letters and digits in a row, 9 where they are CJK."""
    source = letters_of(of)
    if not source:
        return ""
    runs = {size: _runs_of(source, size) for size in (_REPEATED, _WIDE_REPEATED)}
    return " ".join(one for one in sentences if _repeats(letters_of(one), source, runs))


def _runs_of(text: str, size: int) -> set[str]:
    """Every run of so many characters, wherever it stands."""
    return {text[start : start + size] for start in range(len(text) - size + 1)}


def _repeats(sentence: str, source: str, runs: Mapping[int, set[str]]) -> bool:
    size = _WIDE_REPEATED if 2 * sum(map(_is_wide, sentence)) > len(sentence) else _REPEATED
    if len(sentence) < size:
        return 2 * len(sentence) > size and sentence in source
    return not runs[size].isdisjoint(_runs_of(sentence, size))


def verbatim_of(text: str) -> str:
    """The text in one line, folded: what differs in case or spaces alone is the same."""
    return " ".join(normalized("NFKC", text).casefold().split())


def letters_of(text: str) -> str:
    """The letters and digits of a text, folded, so that marks and spaces hide no repetition."""
    return "".join(filter(str.isalnum, normalized("NFKC", text).casefold()))


def _is_wide(character: str) -> bool:
    return character >= "\u2e80"
