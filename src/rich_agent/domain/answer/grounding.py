"""The sentences of an answer, each with what it stands on: by signs, and in the opinion of a model.

Signs are markers, names, numbers and quotations. They hold in any language and understand no
meaning, so they judge only what is copied from a passage; for the rest they say what is doubtful.
The markers of the answer are written and corrected from what is known.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from rich_agent.domain.answer.citation import CitedText, resolve_citations
from rich_agent.domain.answer.numbers import (
    GivenNumbers,
    differs,
    known_numbers,
    strange_numbers,
    worked_out,
)
from rich_agent.domain.answer.sentences import (
    marks_in,
    place_in,
    plain,
    prose_of,
    sentences_in,
    states_nothing,
    without_marks,
)
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.retrieval.search_terms import Languages, languages_in, terms_in
from rich_agent.domain.text import CJK, HAN, HANGUL, KATAKANA, normalized

_NO_PASSAGE = re.compile(r"\[0\]")
_WORD = re.compile(rf"[{CJK}]|[^\W\d_{CJK}][^\W{CJK}]*(?:[.'’-][^\W{CJK}]+)*")
_CLOSES_WIDE = re.compile("[。！？」』）]")
_NAME_SIGN = re.compile(rf"[{KATAKANA}{HAN}{HANGUL}]")
MOST_JUDGED = 20_000
"""Characters of an answer whose sentences are compared; nobody reads doubts about more."""
MOST_ASKED = 40
"""Sentences that a model is asked about at once."""
_MOST_NAMED = 3
"""Passages that are named behind one sentence."""
_FEWEST_WORDS = 3
_NOTHING_FOUND_CHARS = 400
"""The longest way to say that nothing was found; whatever is longer states something, too."""
_SAME_LANGUAGE = 0.4
"""An answer of whose words fewer were given is in another language than its passages."""


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
        refused = self.unsupported | self.contradicted.keys()
        called = (self.supported.keys(), refused, self.unanswering, self.unclaiming)
        once = {n for n in range(1, sentences + 1) if sum(n in kind for kind in called) == 1}

        def known(told: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
            named = {n: _named(told[n], passages) for n in told if n in once}
            return {n: found for n, found in named.items() if found or not told[n]}

        contradicted = known(self.contradicted)
        bare = {n for n, found in contradicted.items() if not found}
        return Opinion(
            known(self.supported),
            frozenset(self.unsupported & once | bare),
            self.unanswering & once,
            self.unclaiming & once,
            {n: found for n, found in contradicted.items() if found},
        )


def _named(numbers: Sequence[int], passages: Sequence[int]) -> tuple[int, ...]:
    return tuple(passages[n - 1] for n in numbers if 1 <= n <= len(passages))


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer compared with its passages, and with all that was `given` to the model.

    `says_nothing` when it says that they hold no answer, `needs_none` when it claims nothing that
    they could hold. `supports` are the numbers of the passages that say what a sentence says. No
    passage says the `unsupported` sentences; of these, passages say otherwise than `contradicted`.
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
        known = {*self.supports, *(one.text for one in self.unsupported)}
        doubtful = self.doubtful
        stating = (s for s in self.sentences if of_all and s.place is not None and not s.lacks)
        wanted = {s.start: s for s in (*doubtful, *stating) if s.text not in known}
        return tuple(wanted[start] for start in sorted(list(wanted)[:MOST_ASKED]))

    def with_opinion(
        self, opinion: Opinion, asked: Sequence[Sentence], passages: Sequence[int]
    ) -> "Judged":
        """With what a model says of the sentences `asked`.

        `passages` are the numbers here of the passages that it read, in the order of its numbers.
        A number that the passage of a sentence has otherwise contradicts it, whatever is said.
        """
        told, by_number = opinion.among(len(asked), passages), dict(enumerate(asked, 1))
        supports = {by_number[n].text: found for n, found in told.supported.items() if found}
        contradicted = {by_number[n].text: found for n, found in told.contradicted.items()}
        for text in self._miscounted(supports):
            contradicted[text] = supports.pop(text)
        refused = [by_number[n] for n in told.unsupported]
        refused += [one for one in asked if one.text in contradicted]
        marked = self.with_support({**self.supports, **supports}, frozenset(passages))
        marked = replace(
            marked,
            unsupported=tuple(sorted((*self.unsupported, *refused), key=lambda one: one.start)),
            contradicted={**self.contradicted, **contradicted},
        )
        if marked.unsupported or marked.cited.citations:
            return replace(marked, says_nothing=False)
        is_silent = self.says_nothing or bool(told.unanswering)
        # A lead-in takes no marker, also where a passage is said to support it.
        leads = {n for n in opinion.supported if n in by_number and by_number[n].place is None}
        claims_nothing = by_number.keys() <= told.unclaiming | told.unanswering | leads
        return replace(marked, says_nothing=is_silent, needs_none=claims_nothing and bool(asked))

    def _miscounted(self, supports: Mapping[str, Sequence[int]]) -> list[str]:
        """The sentences with another number than the passages that are said to support them."""
        given, languages = GivenNumbers.of(self.given), languages_in(self.written[:MOST_JUDGED])
        return [
            text
            for text, named in supports.items()
            if differs(text, "\n".join(map(self._whole, named)), given, languages)
        ]

    def _whole(self, number: int) -> str:
        passage = self.passages[number - 1]
        return f"{passage.title} {passage.section}\n{passage.content}"

    def as_repair_of(self, first: "Judged", *, by_signs: bool = True) -> "Judged":
        """With what it still has of the sentences of the `first` wording.

        Those with a passage keep it; the unsupported ones stay so, and `by_signs` also in other
        words: what has a strange name or number of theirs.
        """
        refused = {sentence.text for sentence in first.unsupported}
        supports = {**first.supports, **self.supports}
        strange = frozenset[str]().union(*(s.strange for s in first.unsupported if by_signs))
        kept = [
            s
            for s in self.sentences
            if s.text in refused or (s.strange & strange and s.text not in supports)
        ]
        own = {s.text for s in self.sentences}
        return replace(
            self.with_support({text: named for text, named in supports.items() if text in own}),
            unsupported=tuple(kept),
            contradicted={t: named for t, named in first.contradicted.items() if t in own},
        )

    @property
    def corrected(self) -> str:
        """The answer as the model wrote it, its markers corrected: none behind the unsupported."""
        refused = {sentence.text for sentence in self.unsupported}
        bare = {s.start: () for s in self.sentences if s.text in refused}
        return self._rewritten({**self.marks, **bare})

    def with_support(
        self, supports: Mapping[str, Sequence[int]], read: frozenset[int] = frozenset()
    ) -> "Judged":
        """With a marker behind each sentence of which it is known which passages say it.

        A sentence whose own markers name other passages, all of them `read`, gets these instead.
        """
        new = {
            s.start: tuple(dict.fromkeys(supports[s.text]))[:_MOST_NAMED]
            for s in self.sentences
            if supports.get(s.text) and s.cites <= read and not s.cites & {*supports[s.text]}
        }
        marks = {**self.marks, **new}
        cited = resolve_citations(self._rewritten(marks), self.passages) if new else self.cited
        return replace(self, cited=cited, supports=supports, marks=marks)

    def _rewritten(self, marks: Mapping[int, Sequence[int]]) -> str:
        """The answer with these passages as the markers of the sentences that start there."""
        parts, position = list[str](), 0
        for sentence in self.sentences:
            place, named = sentence.place, marks.get(sentence.start)
            if place is None or named is None or not (named or sentence.marks):
                continue
            head = ""
            for start, end in (*sentence.marks, (place, place)):
                head += self.written[position:start]
                position = end
            wide = _CLOSES_WIDE.match(head[-1:])
            # "[1](note)" would be a link.
            tail = " " if self.written[position:][:1] == "(" else ""
            shown = "".join(f"[{number}]" for number in named)
            parts += [head, "" if wide else " ", shown, tail] if named else [head]
        return "".join([*parts, self.written[position:]])


def says_nothing(text: str) -> bool:
    """Whether an answer has the marker of what no passage says."""
    return bool(_NO_PASSAGE.search(text))


@dataclass(frozen=True, slots=True)
class _Known:
    """The terms that were given, all of them read as in the languages of the answer."""

    terms: frozenset[str]
    languages: Languages


@dataclass(frozen=True, slots=True)
class _Comparison:
    """An answer, of which `prose` is what may state something, and all that it is compared with.

    `is_foreign` when it is in another language than its passages, `is_silent` when all that it says
    is that they hold no answer.
    """

    text: str
    prose: str
    passages: Sequence[Passage]
    known: _Known
    numbers: frozenset[str]
    quotable: Mapping[str, tuple[int, ...]]
    is_foreign: bool
    is_silent: bool

    def sentences(self) -> Iterator[Sentence]:
        """Yield the sentences that say something, in order."""
        places = {passage.id: number for number, passage in enumerate(self.passages, 1)}
        for start, end in sentences_in(self.prose):
            if any(map(str.isalnum, plain(self.prose[start:end]))):
                yield self._sentence(start, end, places)

    def _sentence(self, start: int, end: int, places: Mapping[str, int]) -> Sentence:
        written = self.prose[start:end]
        own, lacks = resolve_citations(written, self.passages).citations, says_nothing(written)
        states = not states_nothing(plain(written))
        says = _words(plain(written), self.known) if states else []
        strange = self._strange(plain(written), says)
        is_doubtful = bool(strange)
        if not (own or lacks or self.is_silent):
            new = {word for word, is_new in says[1:] if is_new and word[0].isupper()}
            strange, is_doubtful = strange | new, bool(strange or new) or _is_new(says)
        first, last = end - len(written.lstrip()), start + len(written.rstrip())
        shown = plain(self.text[first:last])
        quoted = self.quotable.get(_bare(shown), ()) if len(says) >= _FEWEST_WORDS else ()
        return Sentence(
            shown,
            strange,
            is_doubtful=is_doubtful and not quoted,
            start=start,
            place=place_in(self.prose, start, end) if states else None,
            marks=tuple((start + first, start + last) for first, last in marks_in(written)),
            cites=frozenset(places[citation.id] for citation in own),
            quoted=quoted,
            lacks=lacks or self.is_silent,
        )

    def _strange(self, sentence: str, says: Sequence[tuple[str, bool]]) -> frozenset[str]:
        names = _names(says, self.is_foreign or self.is_silent)
        return frozenset({*strange_numbers(sentence, self.numbers), *names})


def judge(text: str, passages: Sequence[Passage], given: str) -> Judged:
    """The answer with its markers resolved, and its sentences with what is doubtful of them.

    `given` is all that the model read: names and numbers of the conversation may be repeated. The
    sentences are those of the first `MOST_JUDGED` characters. What a passage has word for word is
    supported, and gets a marker if it has none.
    """
    text = text.strip()
    cited = resolve_citations(text, passages)
    prose = prose_of(text[:MOST_JUDGED])
    lacks = says_nothing(text) and not cited.citations
    languages = languages_in(prose)
    known, numbers = _Known(terms_in(given, languages), languages), known_numbers(given)
    numbers |= worked_out(without_marks(prose), numbers)
    small = [new for word, new in _words(without_marks(prose), known) if not word[0].isupper()]
    is_foreign = len(small) >= _FEWEST_WORDS and small.count(False) < _SAME_LANGUAGE * len(small)
    is_silent = lacks and len(text) <= _NOTHING_FOUND_CHARS
    compared = _Comparison(
        text, prose, passages, known, numbers, _quotable(passages), is_foreign, is_silent
    )
    sentences = tuple(compared.sentences())
    quoted = {one.text: one.quoted for one in sentences if one.quoted}
    return Judged(text, passages, given, cited, sentences, lacks).with_support(quoted)


def _quotable(passages: Sequence[Passage]) -> Mapping[str, tuple[int, ...]]:
    """The sentences of the passages, each with the numbers of those that have it."""
    found: dict[str, tuple[int, ...]] = {}
    for number, passage in enumerate(passages, 1):
        text = passage.content[:MOST_JUDGED]
        for sentence in {_bare(plain(text[start:end])) for start, end in sentences_in(text)}:
            found[sentence] = (*found.get(sentence, ()), number)
    return found


def _bare(sentence: str) -> str:
    """A sentence as it is compared: one in bold is the same."""
    return " ".join(normalized("NFKC", sentence).replace("*", "").split())


def _names(words: Sequence[tuple[str, bool]], is_foreign: bool) -> Iterator[str]:  # noqa: FBT001
    """New words side by side with capitals, or new characters of Chinese, Japanese and Korean.

    One alone says little where every noun has a capital. In another language every character is
    new, and so is the first word with its capital.
    """
    pairs = pairwise(words[1:] if is_foreign else words)
    for (one, is_new), (other, is_next_new) in pairs:
        by_capital = one[0].isupper() and other[0].isupper()
        by_sign = _NAME_SIGN.match(one) and _NAME_SIGN.match(other) and not is_foreign
        if is_new and is_next_new and (by_capital or by_sign):
            yield from (one, other)


def _is_new(words: Sequence[tuple[str, bool]]) -> bool:
    return len(words) >= _FEWEST_WORDS and 2 * sum(new for _, new in words) >= len(words)


def _words(text: str, known: _Known) -> list[tuple[str, bool]]:
    """The words of a text, or its Chinese, Japanese and Korean characters, and which are new."""
    found = _WORD.findall(normalized("NFKC", text))
    return [
        (w, bool(terms := terms_in(w, known.languages)) and not terms & known.terms) for w in found
    ]
