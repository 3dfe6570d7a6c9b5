"""Recognises texts that tell a given fact; what a user means is for a model to say."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Literal, Self

from rich_agent.domain.memory.items import LongTermMemory, without
from rich_agent.domain.retrieval.search_terms import terms_in
from rich_agent.domain.text import HIRAGANA
from rich_agent.domain.words import still_in

KeptKind = Literal["memory", "thing", "file", "summary", "message"]
_NEARLY_ALL = 0.8
"""Share of the words of a fact in a text that tells it: inflected, it may lack one of five."""
_SHORTEST_STEM = 4
_SENTENCES = re.compile(r".+?(?:[.!?。！？](?=\s|$)|[。！？]|\n|$)\s*", re.DOTALL)
_HIRAGANA = re.compile(rf"[{HIRAGANA}]")


def terms_of(text: str) -> frozenset[str]:
    """The terms of a fact or of a text, all as of one language: their forms are compared here."""
    return terms_in(text, frozenset())


@dataclass(frozen=True, slots=True)
class KeptText:
    """Something that is kept: an item of the memory, a task or note, a file, a sentence, a turn.

    `key` is the item's mark, the name of the task or note, the file's id, the sentence of the
    summary itself, or the turn's id.
    `taught_by` is the turn that taught an item. `text` is all that it says, `terms` its words,
    `shown` what a person needs to know it again.
    """

    kind: KeptKind
    key: str
    text: str
    shown: str
    terms: frozenset[str]
    taught_by: str = ""


@dataclass(frozen=True, slots=True)
class Traces:
    """Signs that a text tells something: facts, and single words, as terms of each."""

    facts: tuple[frozenset[str], ...] = ()
    words: tuple[frozenset[str], ...] = ()

    @classmethod
    def of(cls, words: Iterable[str], facts: Iterable[str] = ()) -> Self:
        """The traces of these words, and of facts that are remembered in so many words."""
        return cls(
            tuple(filter(None, map(terms_of, facts))),
            tuple(filter(None, map(_bearing, words))),
        )

    def told_in(self, text: str) -> bool:
        """Whether the text holds nearly all words of a fact; one word alone tells too little."""
        return self.told_by(terms_of(text))

    def named_in(self, text: str) -> int:
        """Count the words that stand in the text, in one of their forms."""
        return self.named_by(terms_of(text))

    def told_by(self, said: Collection[str]) -> bool:
        """`told_in` of a text's terms."""
        return any(
            len(fact) > 1 and sum(_stands_in(t, said) for t in fact) >= _NEARLY_ALL * len(fact)
            for fact in self.facts
        )

    def named_by(self, said: Collection[str]) -> int:
        """`named_in` of a text's terms."""
        return sum(all(_stands_in(term, said) for term in word) for word in self.words)


def sentences_of(summary: str) -> list[str]:
    """The sentences of a summary, each with the space behind it."""
    return _SENTENCES.findall(summary)


def forget(
    memory: LongTermMemory, marks: Collection[str], traces: Traces, sentences: Collection[str] = ()
) -> LongTermMemory:
    """The memory without the items that have these marks.

    These sentences of the conversation's summary go too, and those that tell one of the facts.
    """
    summary = "".join(
        sentence
        for sentence in sentences_of(memory.conversation_summary)
        if sentence.strip() not in sentences and not traces.told_in(sentence)
    )
    return replace(
        without(memory, *marks),
        conversation_summary=summary.strip(),
        summary_words=still_in(summary, memory.summary_words),
    )


def _bearing(word: str) -> frozenset[str]:
    """The terms that carry a word's meaning: of Japanese not its endings, where it has others."""
    terms = terms_of(word)
    return frozenset(term for term in terms if not _HIRAGANA.search(term)) or terms


def _stands_in(term: str, said: Collection[str]) -> bool:
    """Whether a term stands there, or an inflected form: two thirds of it from its beginning."""
    if term in said:
        return True
    if len(term) < _SHORTEST_STEM:
        return False
    start = term[:_SHORTEST_STEM]
    return any(other.startswith(start) and _is_form(term, other) for other in said)


def _is_form(one: str, other: str) -> bool:
    pairs = zip(one, other, strict=False)
    common = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    return 3 * common >= 2 * max(len(one), len(other))
