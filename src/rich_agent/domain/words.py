"""Authors of the words in a prompt, and which of the words an answer repeats."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NotRequired, Self, TypedDict, overload

from typing_extensions import override

from rich_agent.domain.text import normalized, shorten

Origin = Literal[
    "user", "memory", "assistant", "document", "page", "private_page", "file", "server", "other"
]
"""Who wrote words: "document" stands for its author, "other" for another person.

A "page" can be read by anybody, a "private_page" only from here or by its secret address.

"memory" is what the bot keeps for the user: what they told it before, their tasks and notes.
"""
OWN: frozenset[Origin] = frozenset({"user", "memory", "assistant"})
_PROVIDED: frozenset[Origin] = frozenset({"document", "file"})
"""What the operator registered, and what the user sent of their own."""
_NAME_CHARS = 80
_MOST_KEPT = 20
_KEPT_CHARS = 2_000
_SENTENCE = re.compile(r"[^.!?。！？\n]*+[.!?。！？\n]|[^.!?。！？\n]++")
_MARKS = {code: None for code in range(128) if not chr(code).isalnum()}
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

    @property
    def is_untrusted(self) -> bool:
        """Whether they are of a page, a forward, another person or another program."""
        return self.origin not in OWN | _PROVIDED

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


@dataclass(frozen=True)
class LazyWords(Sequence[Words]):
    """Words that are read once somebody looks at them: most turns call no tool."""

    read: Callable[[], Iterable[Words]]

    @cached_property
    def _all(self) -> tuple[Words, ...]:
        return tuple(self.read())

    @overload
    def __getitem__(self, place: int) -> Words: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Words, ...]: ...

    @override
    def __getitem__(self, place: int | slice) -> Words | tuple[Words, ...]:
        return self._all[place]

    @override
    def __len__(self) -> int:
        return len(self._all)


def read_words(states: Iterable[Mapping[str, Any]] | None) -> tuple[Words, ...]:
    """Words as they were stored, none for what was stored before their authors were known."""
    return tuple(map(Words.from_state, states or ()))


def repeated_in(text: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """Return the authors of the foreign words read for `text`, with the sentences that repeat them.

    One entry for each author, at most 20.
    """
    return _repetitions(_Sentences(text), read)


def still_in(text: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """Return the foreign words that `text` repeats, each with the sentences that do."""
    return _still(_Sentences(text), read)


def words_behind_text(
    text: str, now: Iterable[Words], before: Iterable[Words]
) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
    """Return what is left of the words read for `text`, and of earlier ones what it repeats."""
    sentences = _Sentences(text)
    return _repetitions(sentences, now), _still(sentences, before)


def _still(sentences: "_Sentences", read: Iterable[Words]) -> tuple[Words, ...]:
    return tuple(words for words in _repetitions(sentences, read) if words.text)


def _repetitions(sentences: "_Sentences", read: Iterable[Words]) -> tuple[Words, ...]:
    sentences_by_author: dict[tuple[Origin, str], dict[str, None]] = {}
    for words in read:
        if not words.is_foreign:
            continue
        author = words.origin, shorten(words.name, _NAME_CHARS)
        if author in sentences_by_author or len(sentences_by_author) < _MOST_KEPT:
            sentences_by_author.setdefault(author, {}).update(sentences.repeating(words.text))
    return tuple(
        Words(" ".join(repetitions)[:_KEPT_CHARS], origin, name)
        for (origin, name), repetitions in sentences_by_author.items()
    )


def is_part_of(text: str, whole: str) -> bool:
    """Whether the letters and digits of a text stand in another one, in a row."""
    return letters_of(text) in letters_of(whole)


def words_in_summary(summary: str, before: str, read: Iterable[Words]) -> tuple[Words, ...]:
    """The foreign words of turns that a summary took in: its sentences that were not there before.

    A summary says things in its own words, so that any new sentence may be theirs.
    """
    old_sentences = set(_sentences(before))
    new_text = " ".join(one for one in _sentences(summary) if one not in old_sentences)[
        :_KEPT_CHARS
    ]
    return tuple(replace(one, text=new_text) for one in repeated_in("", read) if new_text)


def _sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip()]


@dataclass(frozen=True)
class _Sentence:
    """A sentence with its letters; `size` of them in a row are a repetition, fewer of CJK."""

    text: str
    letters: str
    size: int

    @classmethod
    def of(cls, text: str) -> Self:
        """The sentence of this text."""
        letters = letters_of(text)
        is_wide = not letters.isascii() and 2 * sum(map(_is_wide, letters)) > len(letters)
        return cls(text, letters, _WIDE_REPEATED if is_wide else _REPEATED)

    @cached_property
    def halves(self) -> AbstractSet[str]:
        """Everything in it that is half as long as a repetition."""
        return _runs_of(self.letters, _half_of(self.size))

    @cached_property
    def _runs(self) -> AbstractSet[str]:
        return _runs_of(self.letters, self.size)

    def repeats(self, source: str, near: "Mapping[int, _Near]") -> bool:
        """Whether it repeats letters; `near` are, by size, the parts of them that it may share."""
        if len(self.letters) < self.size:
            return 2 * len(self.letters) > self.size and self.letters in source
        halves, runs = near[self.size]
        return not (halves.isdisjoint(self.halves) or runs.isdisjoint(self._runs))


@dataclass(frozen=True)
class _Sentences:
    """The sentences of a text, and which of them repeat others; `known` are those compared."""

    text: str
    known: dict[str, Mapping[str, None]] = field(default_factory=dict)

    @cached_property
    def _all(self) -> Sequence["_Sentence"]:
        return [one for one in map(_Sentence.of, _sentences(self.text)) if one.letters]

    @cached_property
    def _halves(self) -> Mapping[int, AbstractSet[str]]:
        """The halves of all sentences, by the length of a repetition."""
        sizes = {one.size for one in self._all}
        return {
            size: set[str]().union(*(one.halves for one in self._all if one.size == size))
            for size in sizes
        }

    def repeating(self, text: str) -> Mapping[str, None]:
        """The sentences that repeat a text, each once and in order."""
        if text not in self.known:
            source = letters_of(text)
            near = {size: self._near(source, size) for size in self._halves}
            self.known[text] = {one.text: None for one in self._all if one.repeats(source, near)}
        return self.known[text]

    def _near(self, source: str, size: int) -> "_Near":
        """The halves of a source that the sentences hold too, and the runs around them.

        In each repetition stands what is half as long, at a multiple of its own length: only runs
        around such a place, where the sentences hold it too, need a closer look.
        """
        half, halves = _half_of(size), self._halves[size]
        places = [at for at in range(0, len(source), half) if source[at : at + half] in halves]
        # Also a run that is cut by the end: it is too short to be one of a sentence.
        runs = {
            source[start : start + size]
            for at in places
            for start in range(max(0, at + half - size), at + 1)
        }
        return {source[at : at + half] for at in places}, runs


_Near = tuple[AbstractSet[str], AbstractSet[str]]


def _half_of(size: int) -> int:
    return (size + 1) // 2


def _runs_of(text: str, size: int) -> set[str]:
    """Every run of so many characters, wherever it stands."""
    return {text[start : start + size] for start in range(len(text) - size + 1)}


def verbatim_of(text: str) -> str:
    """The text in one line, folded: what differs in case or spaces alone is the same."""
    return " ".join(normalized("NFKC", text).casefold().split())


def letters_of(text: str) -> str:
    """The letters and digits of a text, folded, so that marks and spaces hide no repetition."""
    if text.isascii():
        return text.lower().translate(_MARKS)
    return "".join(filter(str.isalnum, normalized("NFKC", text).casefold()))


def _is_wide(character: str) -> bool:
    return character >= "\u2e80"


_QUOTATIONS = {
    "“": "”",
    "”": "”",
    "„": "“”",
    "«": "»",
    "»": "«»",
    "‹": "›",
    "›": "‹›",
    "「": "」",
    "『": "』",
    "״": "״",
    "＂": "＂",
    '"': '"',
}
"""Marks that open a quotation, and those that may close it. Source: CLDR, delimiters."""
_FEWEST_QUOTED, _FEWEST_SIGNS = 20, 60
"""Words in quotation marks that are another's text, or signs where no spaces part words."""
_FENCE = "```"


def split_passed_on(text: str) -> tuple[str, str]:
    """Return the user's own words of a message, and those that they pass on in it.

    Passed on are lines behind ">", blocks between fences, and longer texts in quotation marks. A
    block ends at a fence of the same length; a longer fence begins a block within it.
    """
    own, other_lines, fences = list[str](), list[str](), list[str]()
    for line in text.splitlines():
        start = line.strip()
        ticks = start[: len(start) - len(start.lstrip("`"))]
        is_fence = ticks.startswith(_FENCE)
        is_own = not (fences or is_fence or start.startswith(">"))
        (own if is_own else other_lines).append(line)
        if fences and start == fences[-1]:
            fences.pop()
        elif is_fence and ticks > "".join(fences[-1:]):
            fences.append(ticks)
    own_text, quotations = _split_quotations("\n".join(own))
    return own_text, "\n".join((*other_lines, *quotations))


def _split_quotations(text: str) -> tuple[str, list[str]]:
    """Take longer texts in quotation marks out of a text; a mark without its partner is nothing."""
    own_parts, quotations, start, place = list[str](), list[str](), 0, 0
    ahead = dict[str, int]()
    while place < len(text):
        end = _nearest(_QUOTATIONS.get(text[place], ""), text, place + 1, ahead)
        if end < len(text):
            inner = text[place + 1 : end]
            is_wide = 2 * sum(map(_is_wide, inner)) > len(inner)
            if len(inner.split()) > _FEWEST_QUOTED or (is_wide and len(inner) > _FEWEST_SIGNS):
                own_parts.append(text[start:place])
                quotations.append(inner)
                start = end + 1
            place = end
        place += 1
    return " ".join((*own_parts, text[start:])), quotations


def _nearest(signs: str, text: str, start: int, ahead: dict[str, int]) -> int:
    """Place of the nearest sign from `start` on, or the text's length.

    `ahead` keeps places of signs: each part of the text is searched once for each of them.
    """
    for sign in signs:
        if ahead.get(sign, -1) < start:
            place = text.find(sign, start)
            ahead[sign] = len(text) if place < 0 else place
    return min((ahead[sign] for sign in signs), default=len(text))
