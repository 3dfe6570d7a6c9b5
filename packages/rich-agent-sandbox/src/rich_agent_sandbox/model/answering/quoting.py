"""Picks the sentences of passages that match a question best, by common words."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich_agent_sandbox.model.answering.prose import Sentence, last_heading, quotable_sentences
from rich_agent_sandbox.model.language import phrases
from rich_agent_sandbox.model.language.text import (
    cjk_bigrams,
    clip,
    content_terms,
    normalise,
    stem,
    words,
)
from rich_agent_sandbox.model.prompt import Passage

MOST_QUOTES = 3
LONGEST_QUOTE = 500  # characters
_HEADING_WEIGHT = 0.4
_DEFINITION_WEIGHT = 0.5
_DEFINES = 0.25  # the score of a definition of which half the terms are the question's
_OWN_SECTION_WEIGHT = 1.0
_OWN_SECTION = 0.5  # shared part of the terms of heading and question
_SMALLEST_SHARE = 0.5  # of the weight of the question's terms; more than that is needed
_FEWEST_TERMS = 2  # of the question in a sentence whose heading has none of them
_SAME_QUESTION = 0.75  # shared part of the words of heading and question
_BEST_FRACTION = 0.5
_WORTH_OF_PLACE = 0.97  # of a passage, compared with the one before it
_WORTH_OF_FORM = {"prose": 1.0, "item": 0.9, "row": 0.6, "fragment": 0.5}
_WORTH_OF_LEANING = 0.7
_LEANING = re.compile(r"(?:it|its|this|that|these|those|they|their|he|she|such)\b|[こそ][のれ]")
_SUBJECT = re.compile(
    r"(?!if\b|when\b|while\b)(?:an? |the )?(.{1,80}?)"
    r"(?:,| (?:is|are|was|were|means?|refers? to)\b)|(.{1,40}?)(?:とは|は)"
)
_NAMED = re.compile(
    r"\b(?:called|known as) (?:an? |the )?(.{1,60}?)(?:[,.;:]|$| and\b)"
    r"|([^、。をは]{1,20})と呼[びば]"
)
# These phrases name the place of a search, not its subject.
_FRAME = re.compile(
    r"\baccording to [^,?]{1,60}[,?]"
    r"|\bin (?:the|your|my) (?:registered )?(?:documents?|docs|files?|sources?)\b"
    r"|\bwhat do(?:es)? (?:the|your|my) (?:registered )?(?:documents?|docs|files?|sources?) say\b"
    r"|(?:登録された)?(?:資料|文書|ドキュメント)(?:によると|では|には)",
    re.IGNORECASE,
)
# These phrases name the manner of an answer, not its subject.
_MANNER = re.compile(
    r"\b(?:explain )?(?:it )?(?:to me )?like i['’]?m (?:five|5)\b|\beli5\b"
    r"|\b(?:in|with) (?:simple|plain|easy) (?:words|terms|language|english)\b",
    re.IGNORECASE,
)
_WEIGHT_OF_MIXED_PAIR = 0.4
_WITH_HIRAGANA = re.compile(r"[\u3041-\u3096]")
_COMPOUND = re.compile(r"\w{1,40}(?:-\w{1,40})+")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b")
_IN_BRACKETS = re.compile(r"\s*[(（].*?[)）]")


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim sentence of passage `number`; `listed`: it is in a list or a table."""

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
    is_apt: bool

    @property
    def quote(self) -> Quote:
        return _quote(self.reading, self.reading.sentences[self.position])


def pick_quotes(
    question: str, passages: Sequence[Passage], needed: frozenset[str] = frozenset()
) -> list[Quote]:
    """Up to 3 sentences that match the question best; empty if none answers in its own words.

    A sentence does so if it and its headings have most of the weight of the question's terms, and
    its headings have one of them or it has two, or if the question is hardly more than its heading.
    One of `needed` has to be among them. A page on the bot answers what is about the bot, or what
    one of its headings asks.

    If a section's heading asks the same, they are the sentences of that section, beginning with its
    best one. Otherwise they are the best of all passages, in reading order. For a question of only
    function words, they are the beginning of the passage with the most similar heading.
    """
    question = _MANNER.sub("", question)
    readings = [
        _Reading(passage, place, tuple(quotable))
        for place, passage in enumerate(passages)
        if (quotable := quotable_sentences(passage.text, passage.section))
    ]
    question_terms = frozenset(content_terms(_FRAME.sub("", question)))
    if not question_terms:
        return _beginning_of_likest(question, readings)
    candidates = [
        candidate
        for candidate in _candidates(question_terms, readings)
        if _is_on_subject(candidate, question, question_terms)
        and (not needed or needed & set(content_terms(_context(candidate))))
    ]
    if not candidates or _lacks_a_name(question, readings):
        return []
    best_candidate = candidates[0]
    if _is_part_of_a_name(question_terms, best_candidate):
        return []
    if _likeness(question_terms, content_terms(best_candidate.reading.heading)) >= _OWN_SECTION:
        return _run(best_candidate.reading, best_candidate.position)
    return _best_of_all(candidates)


def shares_most_terms(question: str, passage: Passage) -> bool:
    """Whether a passage has more than half of the terms of the question, numbers aside.

    One of them has to be in its headings, or two of them anywhere. A page on the bot is for
    questions about the bot.
    """
    terms = {term for term in content_terms(_FRAME.sub("", question)) if not term.isdecimal()}
    in_headings = terms & set(content_terms(f"{passage.title} {passage.section}"))
    shared = terms & {*in_headings, *content_terms(passage.text)}
    is_on_bot = phrases.about_bot(passage.title) and not phrases.about_bot(question)
    is_on_subject = bool(in_headings) or len(shared) >= _FEWEST_TERMS
    return len(shared) > len(terms) / 2 and is_on_subject and not is_on_bot


def _is_on_subject(candidate: _Candidate, question: str, question_terms: frozenset[str]) -> bool:
    """Whether a page on the bot is asked for; true for all other pages."""
    reading = candidate.reading
    return (
        not phrases.about_bot(reading.passage.title)
        or phrases.about_bot(question)
        or _likeness(question_terms, content_terms(reading.heading)) >= _OWN_SECTION
    )


def _context(candidate: _Candidate) -> str:
    return f"{candidate.reading.passage.section} {candidate.quote.text}"


def _lacks_a_name(question: str, readings: Sequence[_Reading]) -> bool:
    """Whether a name in the question ("France") is in no passage."""
    passage_words = {word for reading in readings for word in words(_whole_text(reading))}
    return any(
        not {name.lower(), stem(name.lower())} & passage_words for name in _NAME.findall(question)
    )


def _is_part_of_a_name(question_terms: frozenset[str], best_candidate: _Candidate) -> bool:
    """Whether the question's only term occurs only in compounds: "rich" in "rich-agent"."""
    text = _COMPOUND.sub(" ", best_candidate.quote.text)
    return (
        len(question_terms) == 1
        and best_candidate.share >= 1
        and not question_terms & set(content_terms(text))
    )


def _beginning_of_likest(question: str, readings: Sequence[_Reading]) -> list[Quote]:
    wording = _wording(question)
    if not wording or not readings:
        return []
    likest = max(readings, key=lambda reading: _likeness(wording, _wording(reading.heading)))
    is_same = _likeness(wording, _wording(likest.heading)) >= _SAME_QUESTION
    return _run(likest, 0) if is_same else []


def _wording(text: str) -> frozenset[str]:
    return frozenset([*words(text), *cjk_bigrams(text)])


def _likeness(terms: frozenset[str], other_terms: Iterable[str]) -> float:
    """The Jaccard index of two sets of terms, 0..1."""
    union = terms | set(other_terms)
    return len(terms & set(other_terms)) / len(union) if union else 0.0


def _run(reading: _Reading, start: int) -> list[Quote]:
    """Consecutive sentences, without fragments if there are enough other sentences."""
    later_sentences = reading.sentences[start:]
    whole_sentences = [
        sentence for sentence in later_sentences if sentence.form in ("prose", "item")
    ]
    return [
        _quote(reading, sentence) for sentence in (whole_sentences or later_sentences)[:MOST_QUOTES]
    ]


def _quote(reading: _Reading, sentence: Sentence) -> Quote:
    text = clip(sentence.text, LONGEST_QUOTE)
    return Quote(reading.passage.number, text, sentence.form in ("item", "row"))


def _best_of_all(candidates: Sequence[_Candidate]) -> list[Quote]:
    """The best candidates without repetitions, grouped by passage."""
    least_score = candidates[0].score * _BEST_FRACTION
    distinct: dict[str, _Candidate] = {}
    for candidate in candidates:
        if candidate.score >= least_score:
            distinct.setdefault(candidate.quote.text, candidate)
    chosen_candidates = list(distinct.values())[:MOST_QUOTES]
    places = [candidate.reading.place for candidate in chosen_candidates]
    chosen_candidates.sort(
        key=lambda candidate: (places.index(candidate.reading.place), candidate.position)
    )
    return [candidate.quote for candidate in chosen_candidates]


def _candidates(question_terms: frozenset[str], readings: Sequence[_Reading]) -> list[_Candidate]:
    """The sentences that answer the question in its own words, best first."""
    weights = _weights(question_terms, readings)
    candidates = [
        candidate
        for reading in readings
        for candidate in _candidates_of(reading, weights)
        if candidate.is_apt
    ]
    return sorted(candidates, key=lambda candidate: -candidate.score)


def _weights(question_terms: frozenset[str], readings: Sequence[_Reading]) -> dict[str, float]:
    """The weight of each term of the question; the sum is 1, and rare terms weigh more."""
    counts = Counter(
        term
        for reading in readings
        for term in question_terms & set(content_terms(_whole_text(reading)))
    )
    raw_weights = {
        term: math.log(1 + (len(readings) + 1) / (counts[term] + 0.5)) * _weight_of_form(term)
        for term in question_terms
    }
    weight_sum = sum(raw_weights.values())
    return {term: weight / weight_sum for term, weight in raw_weights.items()}


def _weight_of_form(term: str) -> float:
    # A pair with one kana mostly belongs to a word's ending.
    return _WEIGHT_OF_MIXED_PAIR if _WITH_HIRAGANA.search(term) else 1.0


def _whole_text(reading: _Reading) -> str:
    quotable = (sentence.text for sentence in reading.sentences)
    return "\n".join([reading.passage.title, reading.passage.section, *quotable])


def _candidates_of(reading: _Reading, weights: Mapping[str, float]) -> list[_Candidate]:
    question_terms = frozenset(weights)
    context = set(content_terms(f"{reading.passage.title} {reading.passage.section}"))
    heading_terms = set(content_terms(reading.heading))
    own_section = _likeness(question_terms, heading_terms)
    is_named = heading_terms <= question_terms and own_section >= _OWN_SECTION
    candidates = []
    for position, sentence in enumerate(reading.sentences):
        terms = set(content_terms(sentence.text))
        own_weight = sum(weight for term, weight in weights.items() if term in terms)
        heading_weight = sum(weight for term, weight in weights.items() if term in context - terms)
        share = own_weight + _HEADING_WEIGHT * heading_weight
        definition = _defines(question_terms, sentence.text)
        bonus = _DEFINITION_WEIGHT * definition
        bonus += _OWN_SECTION_WEIGHT * own_section / (1 + position)
        worth = _worth(sentence, len(terms)) * _WORTH_OF_PLACE**reading.place
        first_cell = sentence.text.partition(" | ")[0] if sentence.form == "row" else ""
        subject = context | set(content_terms(first_cell))
        is_on_it = bool(subject & question_terms) or definition >= _DEFINES
        is_apt = is_named or (
            own_weight + heading_weight > _SMALLEST_SHARE
            and (is_on_it or len(terms & question_terms) >= _FEWEST_TERMS)
        )
        candidates.append(_Candidate(reading, position, share, (share + bonus) * worth, is_apt))
    return candidates


def _defines(question_terms: frozenset[str], sentence: str) -> float:
    """A score for a definition of the question's terms, 0..1 ("An X is", "called X", "Xとは")."""
    text = _IN_BRACKETS.sub("", normalise(sentence))
    matches = [match for match in (_SUBJECT.match(text), _NAMED.search(text)) if match]
    return max(
        (
            _likeness(question_terms, content_terms(subject_match[1] or subject_match[2])) ** 2
            for subject_match in matches
        ),
        default=0.0,
    )


def _worth(sentence: Sentence, size: int) -> float:
    """A score for a sentence that is understandable alone, 0..1; `size` is its number of terms."""
    leaning = _LEANING.match(normalise(sentence.text))
    return _WORTH_OF_FORM[sentence.form] * size / (size + 1) * (_WORTH_OF_LEANING if leaning else 1)
