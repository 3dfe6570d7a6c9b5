"""Picks the sentences of passages that fit a question best, by shared words."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich_agent_sandbox.model.answering.prose import Sentence, last_heading, quotable_sentences
from rich_agent_sandbox.model.language.text import (
    cjk_bigrams,
    clip,
    content_terms,
    is_japanese,
    normalise,
    stem,
    words,
)
from rich_agent_sandbox.model.prompt import Passage

MOST_QUOTES = 3
LONGEST_QUOTE = 500  # characters
_HEADING_WEIGHT = 0.4
_DEFINITION_WEIGHT = 0.5
_OWN_SECTION_WEIGHT = 1.0
_OWN_SECTION = 0.5  # shared part of the terms of heading and question
_SMALLEST_SHARE = 0.3  # of the question's weight; Japanese pairs overlap less
_SMALLEST_SHARE_JAPANESE = 0.15
_BEST_FRACTION = 0.5
_WORTH_OF_PLACE = 0.97  # of a passage, against the one given before it
_WORTH_OF_FORM = {"prose": 1.0, "item": 0.9, "row": 0.6, "fragment": 0.5}
_WORTH_OF_LEANING = 0.7
_LEANING = re.compile(r"(?:it|its|this|that|these|those|they|their|he|she|such)\b|[こそ][のれ]")
_SUBJECT = re.compile(
    r"(?:an? |the )?(.{1,80}?)(?:,| (?:is|are|was|were|means?|refers? to)\b)|(.{1,40}?)(?:とは|は)"
)
_NAMED = re.compile(
    r"\b(?:called|known as) (?:an? |the )?(.{1,60}?)(?:[,.;:]|$| and\b)"
    r"|([^、。をは]{1,20})と呼[びば]"
)
# These phrases say where to look, not what for.
_FRAME = re.compile(
    r"\b(?:according to|in) (?:the|your|my) (?:registered )?(?:documents?|docs|files?|sources?)\b"
    r"|\bwhat do(?:es)? (?:the|your|my) (?:registered )?(?:documents?|docs|files?|sources?) say\b"
    r"|(?:登録された)?(?:資料|文書|ドキュメント)(?:によると|では|には)",
    re.IGNORECASE,
)
# These phrases say how to answer, not what.
_MANNER = re.compile(
    r"\b(?:explain )?(?:it )?(?:to me )?like i['’]?m (?:five|5)\b|\beli5\b"
    r"|\b(?:in|with) (?:simple|plain|easy) (?:words|terms|language|english)\b",
    re.IGNORECASE,
)
_COMPOUND = re.compile(r"\w{1,40}(?:-\w{1,40})+")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b")
_IN_BRACKETS = re.compile(r"\s*[(（].*?[)）]")


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim sentence of passage `number`; `listed` if it is in a list or a table."""

    number: int
    text: str
    listed: bool = False


@dataclass(frozen=True, slots=True)
class _Reading:
    """A passage with its quotable sentences, and its place in the prompt."""

    passage: Passage
    place: int
    sentences: tuple[Sentence, ...]

    @property
    def heading(self) -> str:
        return last_heading(self.passage.section) or self.passage.title


@dataclass(frozen=True, slots=True)
class _Candidate:
    reading: _Reading
    position: int
    share: float
    score: float

    @property
    def quote(self) -> Quote:
        return _quote(self.reading, self.reading.sentences[self.position])


def pick_quotes(question: str, passages: Sequence[Passage]) -> list[Quote]:
    """Up to 3 sentences nearest to the question; empty if none has words in common.

    If a section's heading asks the same, they are the sentences of that section from its best one
    on; else the best of all passages, in reading order. For a question of only function words, they
    are the beginning of the passage with the most similar heading.
    """
    question = _MANNER.sub("", question)
    readings = [
        _Reading(passage, place, tuple(found))
        for place, passage in enumerate(passages)
        if (found := quotable_sentences(passage.text, passage.section))
    ]
    asked = frozenset(content_terms(_FRAME.sub("", question)))
    if not asked:
        return _beginning_of_likest(question, readings)
    smallest = _SMALLEST_SHARE_JAPANESE if is_japanese(question) else _SMALLEST_SHARE
    # A mention of the documents says nothing about the subject.
    wordings = (asked, frozenset(content_terms(question)))
    shares = (_best_share(_candidates(wording, readings)) for wording in wordings)
    if _lacks_a_name(question, readings) or min(shares) < smallest:
        return []
    candidates = _candidates(asked, readings)
    best = candidates[0]
    if _is_part_of_a_name(asked, best):
        return []
    if _likeness(asked, content_terms(best.reading.heading)) >= _OWN_SECTION:
        return _run(best.reading, best.position)
    return _best_of_all(candidates)


def _best_share(candidates: Sequence[_Candidate]) -> float:
    return max((candidate.share for candidate in candidates), default=0.0)


def _lacks_a_name(question: str, readings: Sequence[_Reading]) -> bool:
    """Whether a name in the question ("France") occurs in no passage."""
    given = {word for reading in readings for word in words(_whole_text(reading))}
    return any(not {name.lower(), stem(name.lower())} & given for name in _NAME.findall(question))


def _is_part_of_a_name(asked: frozenset[str], best: _Candidate) -> bool:
    """Whether the only word asked for occurs only in compounds, such as "rich" in "rich-agent"."""
    text = _COMPOUND.sub(" ", best.quote.text)
    return len(asked) == 1 and best.share >= 1 and not asked & set(content_terms(text))


def _beginning_of_likest(question: str, readings: Sequence[_Reading]) -> list[Quote]:
    wording = _wording(question)
    if not wording or not readings:
        return []
    return _run(max(readings, key=lambda reading: _likeness(wording, _wording(reading.heading))), 0)


def _wording(text: str) -> frozenset[str]:
    return frozenset([*words(text), *cjk_bigrams(text)])


def _likeness(one: frozenset[str], other: Iterable[str]) -> float:
    """The Jaccard index of two sets of terms, 0..1."""
    union = one | set(other)
    return len(one & set(other)) / len(union) if union else 0.0


def _run(reading: _Reading, start: int) -> list[Quote]:
    """Consecutive sentences; fragments are skipped if there are enough others."""
    following = reading.sentences[start:]
    whole = [sentence for sentence in following if sentence.form in ("prose", "item")]
    return [_quote(reading, sentence) for sentence in (whole or following)[:MOST_QUOTES]]


def _quote(reading: _Reading, sentence: Sentence) -> Quote:
    text = clip(sentence.text, LONGEST_QUOTE)
    return Quote(reading.passage.number, text, sentence.form in ("item", "row"))


def _best_of_all(candidates: Sequence[_Candidate]) -> list[Quote]:
    """The best candidates without repetitions, in the order of their passage."""
    least = candidates[0].score * _BEST_FRACTION
    distinct: dict[str, _Candidate] = {}
    for candidate in candidates:
        if candidate.score >= least:
            distinct.setdefault(candidate.quote.text, candidate)
    chosen = list(distinct.values())[:MOST_QUOTES]
    places = [candidate.reading.place for candidate in chosen]
    chosen.sort(key=lambda candidate: (places.index(candidate.reading.place), candidate.position))
    return [candidate.quote for candidate in chosen]


def _candidates(asked: frozenset[str], readings: Sequence[_Reading]) -> list[_Candidate]:
    """Sentences that share a term with the question, or whose headings do, best first."""
    weights = _weights(asked, readings)
    found = [
        candidate
        for reading in readings
        for candidate in _candidates_of(reading, weights)
        if candidate.share > 0
    ]
    return sorted(found, key=lambda candidate: -candidate.score)


def _weights(asked: frozenset[str], readings: Sequence[_Reading]) -> dict[str, float]:
    """The weight of each term of the question, in sum 1; terms in few passages weigh more."""
    found = Counter(
        term for reading in readings for term in asked & set(content_terms(_whole_text(reading)))
    )
    raw = {term: math.log(1 + (len(readings) + 1) / (found[term] + 0.5)) for term in asked}
    total = sum(raw.values())
    return {term: weight / total for term, weight in raw.items()}


def _whole_text(reading: _Reading) -> str:
    quotable = (sentence.text for sentence in reading.sentences)
    return "\n".join([reading.passage.title, reading.passage.section, *quotable])


def _candidates_of(reading: _Reading, weights: Mapping[str, float]) -> list[_Candidate]:
    asked = frozenset(weights)
    context = set(content_terms(f"{reading.passage.title} {reading.passage.section}"))
    own_section = _likeness(asked, content_terms(reading.heading))
    candidates = []
    for position, sentence in enumerate(reading.sentences):
        terms = set(content_terms(sentence.text))
        own = sum(weight for term, weight in weights.items() if term in terms)
        lent = sum(weight for term, weight in weights.items() if term in context - terms)
        share = own + _HEADING_WEIGHT * lent
        bonus = _DEFINITION_WEIGHT * _defines(asked, sentence.text)
        bonus += _OWN_SECTION_WEIGHT * own_section / (1 + position)
        worth = _worth(sentence, len(terms)) * _WORTH_OF_PLACE**reading.place
        candidates.append(_Candidate(reading, position, share, (share + bonus) * worth))
    return candidates


def _defines(asked: frozenset[str], sentence: str) -> float:
    """Score how far a sentence defines what is asked, 0..1 ("An X is", "called X", "Xとは")."""
    text = _IN_BRACKETS.sub("", normalise(sentence))
    found = [match for match in (_SUBJECT.match(text), _NAMED.search(text)) if match]
    return max((_likeness(asked, content_terms(m[1] or m[2])) ** 2 for m in found), default=0.0)


def _worth(sentence: Sentence, size: int) -> float:
    """Score how well a sentence stands alone, 0..1; `size` counts its terms."""
    leaning = _LEANING.match(normalise(sentence.text))
    return _WORTH_OF_FORM[sentence.form] * size / (size + 1) * (_WORTH_OF_LEANING if leaning else 1)
