"""The sentences of an answer, each with what it stands on, also in the opinion of a model.

The markers of the answer are written and corrected from what is known.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rich_agent.domain.answer.citation import CitedText, resolve_citations
from rich_agent.domain.answer.numbers import GivenNumbers, differs, is_invented
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.retrieval.search_terms import languages_in

_NO_PASSAGE = re.compile(r"\[0\]")
_CLOSES_WIDE = re.compile("[。！？」』）]")
MOST_JUDGED = 20_000
"""Characters of an answer whose sentences are compared; nobody reads doubts about more."""
MOST_ASKED = 40
"""Sentences that a model is asked about at once."""
_MOST_NAMED = 3
"""Passages that are named behind one sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer without its markers; `strange` names and numbers were not given.

    `start` is its place in the answer, and `place` that where a marker goes, None where none does:
    it states nothing. Its own `marks` are there, and name the passages `cites`. Those that have it
    word for word are `quoted`. It `lacks` a passage if it says so itself.
    """

    text: str
    strange: frozenset[str]
    is_doubtful: bool
    start: int = 0
    place: int | None = None
    marks: tuple[tuple[int, int], ...] = ()
    cites: frozenset[int] = frozenset()
    quoted: tuple[int, ...] = ()
    lacks: bool = False

    @property
    def is_claim(self) -> bool:
        """Whether it states something that no passage has word for word."""
        return self.place is not None and not self.lacks and not self.quoted


@dataclass(frozen=True, slots=True)
class Opinion:
    """A model's opinion of numbered sentences, each by its number from 1.

    The `supported` ones have the numbers of the passages that say so, the `contradicted` ones of
    those that say otherwise; there may be no such passage. The `unanswering` say that there is no
    answer, the `unclaiming` need no passage.
    """

    supported: Mapping[int, Sequence[int]] = field(default_factory=dict)
    unsupported: frozenset[int] = frozenset()
    unanswering: frozenset[int] = frozenset()
    unclaiming: frozenset[int] = frozenset()
    contradicted: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def among(self, sentences: int, passages: Sequence[int]) -> "Opinion":
        """Without nonsense: what is said of sentences, or by passages, that there are not.

        `passages` are their own numbers, in the order in which the model read them. A sentence that
        is called two things is called none, nor is one with a passage that was not shown.
        """
        denials = self.unsupported | self.contradicted.keys()
        kinds = (self.supported.keys(), denials, self.unanswering, self.unclaiming)
        once = {n for n in range(1, sentences + 1) if sum(n in kind for kind in kinds) == 1}

        def existing(numbers: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
            by_sentence = {n: _existing_numbers(numbers[n], passages) for n in numbers if n in once}
            return {
                n: passage_numbers
                for n, passage_numbers in by_sentence.items()
                if passage_numbers or not numbers[n]
            }

        contradictions = existing(self.contradicted)
        bare = {n for n, passage_numbers in contradictions.items() if not passage_numbers}
        return Opinion(
            existing(self.supported),
            frozenset(self.unsupported & once | bare),
            self.unanswering & once,
            self.unclaiming & once,
            {
                n: passage_numbers
                for n, passage_numbers in contradictions.items()
                if passage_numbers
            },
        )


def _in_order(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    return tuple(sorted(sentences, key=lambda one: one.start))


def _existing_numbers(numbers: Sequence[int], passages: Sequence[int]) -> tuple[int, ...]:
    return tuple(passages[n - 1] for n in numbers if 1 <= n <= len(passages))


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer compared with its passages, and with all that was `given` to the model.

    `says_nothing` when it says that they hold no answer, `needs_none` when it claims nothing that
    they could hold. `supports` are the numbers of the passages that say what a sentence says. No
    passage says the `unsupported` sentences; of these, passages say otherwise than `contradicted`.
    A model has an opinion of the `settled` ones; in it, the `unclaiming` ones need no passage.
    `marks` are the passages to be named behind sentences, by where these start.
    """

    written: str
    passages: Sequence[Passage]
    given: str
    cited: CitedText
    sentences: tuple[Sentence, ...]
    says_nothing: bool
    needs_none: bool = False
    supports: Mapping[str, Sequence[int]] = field(default_factory=dict)
    unsupported: tuple[Sentence, ...] = ()
    contradicted: Mapping[str, Sequence[int]] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    unclaiming: frozenset[str] = frozenset()
    marks: Mapping[int, Sequence[int]] = field(default_factory=dict)

    @property
    def is_grounded(self) -> bool:
        """Whether it cites, says that there is nothing to cite, or has nothing to."""
        return bool(self.cited.citations) or self.says_nothing or self.needs_none

    @property
    def doubtful(self) -> tuple[Sentence, ...]:
        """The doubtful sentences: all of an answer that neither cites nor says [0]."""
        own = (s for s in self.sentences if not s.quoted)
        return tuple(s for s in own if s.is_doubtful or not self.is_grounded)

    def to_ask(self, *, of_all: bool) -> tuple[Sentence, ...]:
        """The sentences that a model is asked about: the doubtful ones, or all that state anything.

        None that is known: quoted, said to lack a passage, or judged before. At most `MOST_ASKED`.
        """
        return _in_order(self._pending(of_all=of_all)[:MOST_ASKED])

    def unjudged(self, *, of_all: bool) -> tuple[Sentence, ...]:
        """The claims that a model has no opinion of, though it should, in order.

        It should of all where `of_all`, else of the doubtful ones.
        """
        return _in_order(s for s in self._pending(of_all=of_all) if s.is_claim)

    def states(self, *, of_all: bool) -> dict[str, Any]:
        """The claims that are `open_claims`, and the numbers of those `judged` and `unsampled`.

        Quotations are judged. Those are unsampled that no model was to have an opinion of.
        """
        stating = [s for s in self.sentences if s.place is not None and not s.lacks]
        open_claims = self.unjudged(of_all=of_all)
        unknown = len(self.unjudged(of_all=True))
        return {
            "unjudged": [sentence.text for sentence in open_claims],
            "judged": len(stating) - unknown,
            "unsampled": unknown - len(open_claims),
        }

    def _pending(self, *, of_all: bool) -> list[Sentence]:
        """The sentences that are to be judged and are not known, the doubtful ones first."""
        settled_texts = {*self.supports, *self.settled, *(one.text for one in self.unsupported)}
        claims = (s for s in self.sentences if of_all and s.is_claim)
        due = {s.start: s for s in (*self.doubtful, *claims)}
        return [s for s in due.values() if s.text not in settled_texts]

    def with_opinion(
        self, opinion: Opinion, sentences: Sequence[Sentence], passages: Sequence[int]
    ) -> "Judged":
        """With what a model says of the sentences `sentences`.

        `passages` are the numbers here of the passages that it read, in the order of its numbers.
        A number that the passage of a sentence has otherwise contradicts it, whatever is said.
        """
        valid, by_number = opinion.among(len(sentences), passages), dict(enumerate(sentences, 1))
        # A lead-in takes no marker, also where a passage is said to support it.
        lead_ins = {n for n in opinion.supported if n in by_number and by_number[n].place is None}
        supports: dict[str, Sequence[int]] = {
            by_number[n].text: numbers_of
            for n, numbers in valid.supported.items()
            if (numbers_of := numbers or sorted(by_number[n].cites))
        }
        contradictions = {by_number[n].text: numbers for n, numbers in valid.contradicted.items()}
        refusals = [by_number[n] for n in valid.unsupported]
        for one, is_denied in self._wrong_counts(sentences, supports):
            numbers_of = supports.pop(one.text)
            if is_denied:
                contradictions[one.text] = numbers_of
            else:
                refusals.append(one)
        refusals += [one for one in sentences if one.text in contradictions]
        unclaiming = {by_number[n].text for n in valid.unclaiming | valid.unanswering | lead_ins}
        result = self.with_support({**self.supports, **supports}, frozenset(passages))
        result = replace(
            result,
            unsupported=tuple(sorted((*self.unsupported, *refusals), key=lambda one: one.start)),
            contradicted={**self.contradicted, **contradictions},
            unclaiming=self.unclaiming | unclaiming,
            settled=self.settled.union(unclaiming, supports, (one.text for one in refusals)),
        )
        if result.unsupported or result.cited.citations:
            return replace(result, says_nothing=False)
        is_silent = self.says_nothing or bool(valid.unanswering)
        settled_texts = {*result.settled, *(one.text for one in sentences)}
        claims_nothing = bool(settled_texts) and settled_texts <= result.unclaiming
        return replace(result, says_nothing=is_silent, needs_none=claims_nothing)

    def with_numbers(self) -> "Judged":
        """With what the numbers of the claims say of which no model has an opinion."""
        claims = [s for s in self._pending(of_all=True) if s.is_claim]
        wrong = dict(self._wrong_counts(claims, {s.text: sorted(s.cites) for s in claims}))
        denials = {one.text: sorted(one.cites) for one, is_denied in wrong.items() if is_denied}
        return replace(
            self,
            unsupported=_in_order((*self.unsupported, *wrong)),
            contradicted={**self.contradicted, **denials},
        )

    def _wrong_counts(
        self, claims: Sequence[Sentence], supports: Mapping[str, Sequence[int]]
    ) -> Iterator[tuple[Sentence, bool]]:
        """Yield the claims with other numbers than their passages, and whether these deny them.

        What names no passage is compared with all of them, which deny nothing.
        """
        languages = languages_in(self.written[:MOST_JUDGED])
        numbers = GivenNumbers.of(self.given, languages)
        for one in claims:
            if (sources := supports.get(one.text)) is None:
                continue
            source = "\n".join(map(self._whole, sources or range(1, len(self.passages) + 1)))
            if sources and differs(one.text, source, numbers, languages):
                yield one, True
            elif is_invented(one.text, source, numbers, languages):
                yield one, False

    def _whole(self, number: int) -> str:
        passage = self.passages[number - 1]
        return f"{passage.title} {passage.section}\n{passage.content}"

    def as_repair_of(self, first: "Judged", *, by_signs: bool = True) -> "Judged":
        """With what it still has of the sentences of the `first` wording.

        Those with a passage keep it; the unsupported ones stay so, and `by_signs` also in other
        words: what has a strange name or number of theirs.
        """
        refusals = {sentence.text for sentence in first.unsupported}
        supports = {**first.supports, **self.supports}
        strange = frozenset[str]().union(*(s.strange for s in first.unsupported if by_signs))
        unsupported_ones = [
            s
            for s in self.sentences
            if s.text in refusals or (s.strange & strange and s.text not in supports)
        ]
        own = {s.text for s in self.sentences}
        return replace(
            self.with_support({text: numbers for text, numbers in supports.items() if text in own}),
            unsupported=tuple(unsupported_ones),
            contradicted={t: numbers for t, numbers in first.contradicted.items() if t in own},
            settled=(self.settled | first.settled) & own,
            unclaiming=(self.unclaiming | first.unclaiming) & own,
        )

    @property
    def corrected(self) -> str:
        """The answer as the model wrote it, its markers corrected: none behind the unsupported."""
        refusals = {sentence.text for sentence in self.unsupported}
        bare = {s.start: () for s in self.sentences if s.text in refusals}
        return self._with_markers({**self.marks, **bare})

    def with_support(
        self, supports: Mapping[str, Sequence[int]], read: frozenset[int] = frozenset()
    ) -> "Judged":
        """With a marker behind each sentence of which it is known which passages say it.

        A sentence whose own markers name other passages, all of them `read`, gets these instead;
        one that is inferred from several has a marker for each.
        """
        new = {
            s.start: _marks_for(s, supports[s.text])
            for s in self.sentences
            if supports.get(s.text)
            and s.cites <= read
            and not s.cites & {*s.quoted}
            and not s.cites >= {*supports[s.text]}
        }
        marks = {**self.marks, **new}
        resolution = (
            resolve_citations(self._with_markers(marks), self.passages) if new else self.cited
        )
        return replace(self, cited=resolution, supports=supports, marks=marks)

    def _with_markers(self, marks: Mapping[int, Sequence[int]]) -> str:
        """The answer with these passages as the markers of the sentences that start there."""
        parts, position = list[str](), 0
        for sentence in self.sentences:
            place, numbers = sentence.place, marks.get(sentence.start)
            if place is None or numbers is None or not (numbers or sentence.marks):
                continue
            head = ""
            for start, end in (*sentence.marks, (place, place)):
                head += self.written[position:start]
                position = end
            wide = _CLOSES_WIDE.match(head[-1:])
            # "[1](note)" would be a link.
            tail = " " if self.written[position:][:1] == "(" else ""
            markers = "".join(f"[{number}]" for number in numbers)
            parts += [head, "" if wide else " ", markers, tail] if numbers else [head]
        return "".join([*parts, self.written[position:]])


def _marks_for(sentence: Sentence, numbers: Sequence[int]) -> tuple[int, ...]:
    """The passages to name behind a sentence: those that it has right, then the others."""
    right = [number for number in numbers if number in sentence.cites]
    return tuple(dict.fromkeys([*right, *numbers]))[:_MOST_NAMED]


def says_nothing(text: str) -> bool:
    """Whether an answer has the marker of what no passage says."""
    return bool(_NO_PASSAGE.search(text))
