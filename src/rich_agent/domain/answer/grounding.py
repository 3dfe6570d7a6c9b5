"""The sentences of an answer, each with its support by passages, also in a model's opinion.

The markers of the answer are corrected by the known support.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rich_agent.domain.answer.citation import CitedText, resolve_citations
from rich_agent.domain.answer.numbers import GivenNumbers, differs, is_invented
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.retrieval.search_terms import languages_in

_NO_PASSAGE = re.compile(r"\[0\]")
_CLOSES_WIDE = re.compile("[。！？」』）]")
MOST_JUDGED = 20_000
"""The most characters of an answer whose sentences are compared with passages."""
MOST_ASKED = 40
"""The most sentences that a model is asked about at once."""
_MOST_NAMED = 3
"""The most markers at one sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer without its markers."""

    text: str
    strange: frozenset[str]
    """The names and numbers that the model did not read anywhere."""
    is_doubtful: bool
    start: int = 0
    """Its position in the answer."""
    place: int | None = None
    """The position for its marker, None if it states nothing."""
    marks: tuple[tuple[int, int], ...] = ()
    """The start and end of each of its own markers."""
    cites: frozenset[int] = frozenset()
    """The numbers of the passages that its own markers name."""
    quoted: tuple[int, ...] = ()
    """The numbers of the passages that have it word for word."""
    lacks: bool = False
    """Whether the sentence itself says that no passage has the answer."""

    @property
    def is_claim(self) -> bool:
        """Whether the sentence states something that no passage has word for word."""
        return self.place is not None and not self.lacks and not self.quoted


@dataclass(frozen=True, slots=True)
class Opinion:
    """A model's opinion of numbered sentences, each by its number from 1."""

    supported: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """The passages that say a sentence; the list may be empty."""
    unsupported: frozenset[int] = frozenset()
    unanswering: frozenset[int] = frozenset()
    """The sentences that say that there is no answer."""
    unclaiming: frozenset[int] = frozenset()
    """The sentences that need no passage."""
    contradicted: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """The passages that deny a sentence; the list may be empty."""

    def among(self, sentence_count: int, passages: Collection[int]) -> "Opinion":
        """The opinion without sentences or passages that do not exist.

        `passages` are the numbers of the passages that the model read. A sentence with two
        different judgements, or with nonexistent passages only, is left out.
        """
        denials = self.unsupported | self.contradicted.keys()
        judgements = (self.supported.keys(), denials, self.unanswering, self.unclaiming)
        judged_once = {
            number
            for number in range(1, sentence_count + 1)
            if sum(number in judged for judged in judgements) == 1
        }

        def existing(numbers: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
            return {
                number: passage_numbers
                for number in numbers
                if number in judged_once
                and (
                    (passage_numbers := tuple(n for n in numbers[number] if n in passages))
                    or not numbers[number]
                )
            }

        contradictions = existing(self.contradicted)
        denied_without_passage = {
            number for number, passage_numbers in contradictions.items() if not passage_numbers
        }
        return Opinion(
            existing(self.supported),
            frozenset(self.unsupported & judged_once | denied_without_passage),
            self.unanswering & judged_once,
            self.unclaiming & judged_once,
            {
                number: passage_numbers
                for number, passage_numbers in contradictions.items()
                if passage_numbers
            },
        )


def _in_order(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """The sentences by their position."""
    return tuple(sorted(sentences, key=lambda sentence: sentence.start))


def _lead_ins(sentences: Iterable[Sentence]) -> frozenset[int]:
    """The numbers of the sentences that have no place for a marker, from 1."""
    return frozenset(
        number for number, sentence in enumerate(sentences, 1) if sentence.place is None
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer compared with its passages, and with all that the model read."""

    written: str
    """The answer as the model wrote it."""
    passages: Sequence[Passage]
    given: str
    """All that the model read."""
    cited: CitedText
    """The answer with its markers resolved."""
    sentences: tuple[Sentence, ...]
    says_nothing: bool
    """Whether the answer says that the passages have no answer."""
    needs_none: bool = False
    """Whether the answer claims nothing that needs a passage."""
    supports: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The passages that say a sentence, by its text."""
    unsupported: tuple[Sentence, ...] = ()
    """The sentences that no passage says."""
    contradicted: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The passages that deny a sentence, by its text; such sentences are unsupported."""
    settled: frozenset[str] = frozenset()
    """The texts of the sentences that a model has an opinion of."""
    unclaiming: frozenset[str] = frozenset()
    """The texts of the sentences that need no passage by that opinion."""
    marks: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """The passages for a sentence's markers, by its start."""

    @property
    def is_grounded(self) -> bool:
        """Whether the answer cites, says that there is nothing to cite, or needs no citation."""
        return bool(self.cited.citations) or self.says_nothing or self.needs_none

    @property
    def doubtful(self) -> tuple[Sentence, ...]:
        """The doubtful sentences: all, if the answer neither cites nor says [0]."""
        unquoted_sentences = (sentence for sentence in self.sentences if not sentence.quoted)
        return tuple(
            sentence
            for sentence in unquoted_sentences
            if sentence.is_doubtful or not self.is_grounded
        )

    def to_ask(self, *, of_all: bool) -> tuple[Sentence, ...]:
        """The sentences to ask a model about: the doubtful ones, or all claims.

        Known sentences are left out: quoted, said to lack a passage, or judged before. At most
        `MOST_ASKED`.
        """
        return _in_order(self._pending(of_all=of_all)[:MOST_ASKED])

    def unjudged(self, *, of_all: bool) -> tuple[Sentence, ...]:
        """The claims that still need a model's opinion, in order.

        With `of_all` every claim needs one, else only the doubtful ones.
        """
        return _in_order(sentence for sentence in self._pending(of_all=of_all) if sentence.is_claim)

    def states(self, *, of_all: bool) -> dict[str, Any]:
        """The texts of `unjudged` claims, and the numbers of claims `judged` and `unsampled`.

        Quotations count as judged. Unsampled claims are those that needed no opinion.
        """
        statements = [
            statement
            for statement in self.sentences
            if statement.place is not None and not statement.lacks
        ]
        open_claims = self.unjudged(of_all=of_all)
        unknown_count = len(self.unjudged(of_all=True))
        return {
            "unjudged": [sentence.text for sentence in open_claims],
            "judged": len(statements) - unknown_count,
            "unsampled": unknown_count - len(open_claims),
        }

    def _pending(self, *, of_all: bool) -> list[Sentence]:
        """The sentences that have to be judged and are not known, the doubtful ones first."""
        settled_texts = {
            *self.supports,
            *self.settled,
            *(sentence.text for sentence in self.unsupported),
        }
        claims = (sentence for sentence in self.sentences if of_all and sentence.is_claim)
        sentence_by_start = {sentence.start: sentence for sentence in (*self.doubtful, *claims)}
        return [
            sentence
            for sentence in sentence_by_start.values()
            if sentence.text not in settled_texts
        ]

    def with_opinion(
        self, opinion: Opinion, sentences: Sequence[Sentence], passages: Collection[int]
    ) -> "Judged":
        """The judgement with a model's opinion of `sentences`.

        `passages` are the numbers of the passages that the model read. A number that the passage of
        a sentence has differently contradicts the sentence in any case.
        """
        valid_opinion = opinion.among(len(sentences), passages)
        supports: dict[str, Sequence[int]] = {
            sentences[number - 1].text: passage_numbers
            for number, numbers in valid_opinion.supported.items()
            if (passage_numbers := numbers or sorted(sentences[number - 1].cites))
        }
        contradictions = {
            sentences[number - 1].text: numbers
            for number, numbers in valid_opinion.contradicted.items()
        }
        unsupported = [sentences[number - 1] for number in valid_opinion.unsupported]
        for sentence, is_denied in self._wrong_counts(sentences, supports):
            passage_numbers = supports.pop(sentence.text)
            if is_denied:
                contradictions[sentence.text] = passage_numbers
            else:
                unsupported.append(sentence)
        unsupported += [sentence for sentence in sentences if sentence.text in contradictions]
        # A lead-in takes no marker, even if the model names a passage that supports it.
        lead_ins = _lead_ins(sentences) & opinion.supported.keys()
        needing_none = valid_opinion.unclaiming | valid_opinion.unanswering | lead_ins
        unclaiming_texts = {sentences[number - 1].text for number in needing_none}
        unsupported_texts = {sentence.text for sentence in unsupported}
        judgement = replace(
            self.with_support({**self.supports, **supports}, frozenset(passages)),
            unsupported=_in_order((*self.unsupported, *unsupported)),
            contradicted={**self.contradicted, **contradictions},
            unclaiming=self.unclaiming | unclaiming_texts,
            settled=self.settled.union(unclaiming_texts, supports, unsupported_texts),
        )
        return _with_silence(judgement, sentences, is_unanswered=bool(valid_opinion.unanswering))

    def with_numbers(self) -> "Judged":
        """The judgement, with the numbers compared in each claim that no model judged."""
        claims = [sentence for sentence in self._pending(of_all=True) if sentence.is_claim]
        is_denied_by_claim = dict(
            self._wrong_counts(
                claims, {sentence.text: sorted(sentence.cites) for sentence in claims}
            )
        )
        denials = {
            claim.text: sorted(claim.cites)
            for claim, is_denied in is_denied_by_claim.items()
            if is_denied
        }
        return replace(
            self,
            unsupported=_in_order((*self.unsupported, *is_denied_by_claim)),
            contradicted={**self.contradicted, **denials},
        )

    def _wrong_counts(
        self, claims: Sequence[Sentence], supports: Mapping[str, Sequence[int]]
    ) -> Iterator[tuple[Sentence, bool]]:
        """Yield the claims whose numbers their passages lack, and whether the passages deny them.

        A claim without a passage is compared with all of them, which deny nothing.
        """
        languages = languages_in(self.written[:MOST_JUDGED])
        numbers = GivenNumbers.of(self.given, languages)
        for claim in claims:
            if (passage_numbers := supports.get(claim.text)) is None:
                continue
            source_text = "\n".join(
                map(self._whole, passage_numbers or range(1, len(self.passages) + 1))
            )
            if passage_numbers and differs(claim.text, source_text, numbers, languages):
                yield claim, True
            elif is_invented(claim.text, source_text, numbers, languages):
                yield claim, False

    def _whole(self, passage_number: int) -> str:
        """A passage with its title and section."""
        passage = self.passages[passage_number - 1]
        return f"{passage.title} {passage.section}\n{passage.content}"

    def as_repair_of(self, first: "Judged", *, by_signs: bool = True) -> "Judged":
        """The judgement of a repaired answer, with the findings about the `first` wording.

        Sentences keep their passages, and unsupported ones stay unsupported. `by_signs`, a new
        sentence is unsupported too if it has a strange name or number of an unsupported one.
        """
        unsupported_texts = {sentence.text for sentence in first.unsupported}
        supports = {**first.supports, **self.supports}
        strange_terms = frozenset[str]().union(
            *(candidate.strange for candidate in first.unsupported if by_signs)
        )
        unsupported_sentences = [
            candidate
            for candidate in self.sentences
            if candidate.text in unsupported_texts
            or (candidate.strange & strange_terms and candidate.text not in supports)
        ]
        own_texts = {candidate.text for candidate in self.sentences}
        return replace(
            self.with_support(
                {text: numbers for text, numbers in supports.items() if text in own_texts}
            ),
            unsupported=tuple(unsupported_sentences),
            contradicted={
                text: numbers for text, numbers in first.contradicted.items() if text in own_texts
            },
            settled=(self.settled | first.settled) & own_texts,
            unclaiming=(self.unclaiming | first.unclaiming) & own_texts,
        )

    @property
    def corrected(self) -> str:
        """The answer as the model wrote it, with corrected markers.

        Unsupported sentences have no marker.
        """
        unsupported_texts = {sentence.text for sentence in self.unsupported}
        no_marks = {
            candidate.start: ()
            for candidate in self.sentences
            if candidate.text in unsupported_texts
        }
        return self._with_markers({**self.marks, **no_marks})

    def with_support(
        self, supports: Mapping[str, Sequence[int]], read: frozenset[int] = frozenset()
    ) -> "Judged":
        """The judgement with a marker at each sentence whose passages are known.

        If all passages that a sentence cites were `read` and others support it, these replace them.
        A sentence that rests on several passages gets a marker for each.
        """
        new_marks = {
            sentence.start: _marks_for(sentence, supports[sentence.text])
            for sentence in self.sentences
            if supports.get(sentence.text)
            and sentence.cites <= read
            and not sentence.cites & {*sentence.quoted}
            and not sentence.cites >= {*supports[sentence.text]}
        }
        marks = {**self.marks, **new_marks}
        resolution = (
            resolve_citations(self._with_markers(marks), self.passages) if new_marks else self.cited
        )
        return replace(self, cited=resolution, supports=supports, marks=marks)

    def _with_markers(self, marks: Mapping[int, Sequence[int]]) -> str:
        """The answer with these passages as markers, by the start of their sentence."""
        text_parts, position = list[str](), 0
        for sentence in self.sentences:
            marker_position, numbers = sentence.place, marks.get(sentence.start)
            if marker_position is None or numbers is None or not (numbers or sentence.marks):
                continue
            text_before = ""
            for start, end in (*sentence.marks, (marker_position, marker_position)):
                text_before += self.written[position:start]
                position = end
            ends_wide = _CLOSES_WIDE.match(text_before[-1:])
            # "[1](note)" would be a link.
            separator = " " if self.written[position:][:1] == "(" else ""
            markers = "".join(f"[{number}]" for number in numbers)
            text_parts += (
                [text_before, "" if ends_wide else " ", markers, separator]
                if numbers
                else [text_before]
            )
        return "".join([*text_parts, self.written[position:]])


def _marks_for(sentence: Sentence, passage_numbers: Sequence[int]) -> tuple[int, ...]:
    """The passages for a sentence's markers: correctly cited passages first, then others."""
    cited_numbers = [
        passage_number for passage_number in passage_numbers if passage_number in sentence.cites
    ]
    return tuple(dict.fromkeys([*cited_numbers, *passage_numbers]))[:_MOST_NAMED]


def says_nothing(text: str) -> bool:
    """Whether the text has the marker [0], which says that no passage has the answer."""
    return bool(_NO_PASSAGE.search(text))


def _with_silence(
    judgement: Judged, sentences: Iterable[Sentence], *, is_unanswered: bool
) -> Judged:
    """Conclude whether the answer says nothing, or needs no passage, from judged sentences."""
    if judgement.unsupported or judgement.cited.citations:
        return replace(judgement, says_nothing=False)
    settled_texts = {*judgement.settled, *(sentence.text for sentence in sentences)}
    claims_nothing = bool(settled_texts) and settled_texts <= judgement.unclaiming
    is_silent = judgement.says_nothing or is_unanswered
    return replace(judgement, says_nothing=is_silent, needs_none=claims_nothing)
