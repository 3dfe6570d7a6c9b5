"""Checks by words, names and numbers whether passages support sentences."""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from rich_agent_sandbox.model.answering.small_talk import wordings
from rich_agent_sandbox.model.language.text import content_terms, normalise, sentences, words
from rich_agent_sandbox.model.language.tongues import language_of, numerals_in, says_nothing_found
from rich_agent_sandbox.model.prompt import Passage, Prompt

NO_PASSAGE = "[0]"
_MARKERS = re.compile(r"\s*\[\d{1,4}\]")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_NOTE = re.compile("|".join(re.escape(note) for note in wordings("note")))
_ITEM = re.compile(r"^\s*(?:[-*]|\d+[.)])\s+")
_SMALLEST_SHARE = 0.8
_SMALLEST_SHARE_IN_PARTS = 0.5  # of a sentence's words, because the others may be paraphrased
_NAMES = re.compile(r"(?<=\w )[A-Z][a-z]+(?: [A-Z][a-z]+)+|(?<=\w )[A-Z][a-z]+(?=\.$)")
_OF_CALENDARS = {7, 12, 24, 30, 52, 60, 100, 365}
_CATALOGUE = "catalogue"
INVENTED_NAME = "The CEO is Ada Quill."
NOTHING_FOUND = "Die Dokumente enthalten dazu keine Angaben."


def with_markers(draft: str, passages: Sequence[Passage]) -> str:
    """The sentences of the draft, each with the number of a supporting passage, else `[0]`."""
    lines = [_line(line, passages) for line in _NOTE.sub("", draft).splitlines()]
    marked_text = "\n".join(lines).strip()
    note = _NOTE.search(draft)
    return "\n\n".join(
        [marked_text, note[0]] if marked_text and note else [marked_text or NO_PASSAGE]
    )


def _line(line: str, passages: Sequence[Passage]) -> str:
    item = _ITEM.match(line)
    plain_sentences = [
        _MARKERS.sub("", sentence) for sentence in sentences(line[item.end() if item else 0 :])
    ]
    sentence_numbers = [(sentence, _supporting(sentence, passages)) for sentence in plain_sentences]
    marked_line = " ".join(
        f"{sentence} [{number}]" for sentence, number in sentence_numbers if number
    )
    return f"{item[0]}{marked_line}" if item and marked_line else marked_line


def _supporting(sentence: str, passages: Sequence[Passage]) -> int:
    """The number of a passage with the sentence's words and all its numbers, 0 if none."""
    terms = set(content_terms(sentence))
    if not terms:
        return 0
    numbers = set(_DIGITS.findall(normalise(sentence)))
    shares = {
        passage.number: len(terms & set(content_terms(passage.text))) / len(terms)
        for passage in passages
        if numbers <= set(_DIGITS.findall(normalise(passage.text)))
    }
    best_number = max(shares, key=lambda number: shares[number], default=0)
    return best_number if shares.get(best_number, 0.0) >= _SMALLEST_SHARE else 0


def without_markers(text: str) -> str:
    """The text without citation markers, like that of a model that forgets to cite."""
    return _MARKERS.sub("", text)


def invented_claim(passages: Sequence[Passage]) -> str:
    """A sentence with a number that is in no passage, but with a citation."""
    passage_text = " ".join(passage.text for passage in passages)
    number = next(
        candidate for candidate in range(73_914, 10**9, 1_301) if str(candidate) not in passage_text
    )
    return f"In all there are {number} of them. [{passages[0].number if passages else 1}]"


def check_entries(prompt: Prompt) -> Mapping[str, Any]:
    """Check each numbered sentence against the passages; each number is in one of the lists."""
    verdicts = {entry.number: _verdict(entry.text, prompt) for entry in prompt.entries}
    lists = {
        kind: [number for number, verdict in verdicts.items() if verdict == kind]
        for kind in ("unsupported", "no_answer", "no_claim")
    }
    supported_numbers = {
        number: verdict for number, verdict in verdicts.items() if not isinstance(verdict, str)
    }
    supported = [
        {"sentence": number, "passages": [*passage_numbers]}
        for number, passage_numbers in supported_numbers.items()
    ]
    return {"supported": supported, **lists}


def _verdict(sentence: str, prompt: Prompt) -> str | Sequence[int]:
    """The list for the sentence, or the numbers of the passages that support it."""
    if says_nothing_found(sentence):
        return "no_answer"
    if sentence.endswith(("?", "？", "؟")) or _is_own(sentence) or _is_repeated(sentence, prompt):
        return "no_claim"
    if supporting_passages := [
        passage for passage in prompt.citable if _is_supported(sentence, _whole(passage))
    ]:
        return [max(supporting_passages, key=lambda passage: _nearness(sentence, passage)).number]
    if _is_supported(sentence, "\n".join(map(_whole, prompt.citable))):
        nearest_passages = sorted(prompt.citable, key=lambda passage: -_overlap(sentence, passage))
        return [passage.number for passage in nearest_passages[:2]]
    return "unsupported"


def _whole(passage: Passage) -> str:
    return f"{passage.title} {passage.section}\n{passage.text}"


def _overlap(sentence: str, passage: Passage) -> int:
    """The number of words and numbers of the sentence that the passage has."""
    terms = set(content_terms(sentence)) & set(content_terms(_whole(passage)))
    return len(terms) + len(_numbers(sentence) & _numbers(_whole(passage)))


def _nearness(sentence: str, passage: Passage) -> tuple[int, bool]:
    """The overlap; of two passages that have as much of a title, the list of documents is meant."""
    return _overlap(sentence, passage), passage.kind == _CATALOGUE


def _is_own(sentence: str) -> bool:
    """Whether the sentence is one of the stand-in's own texts."""
    return any(
        sentence in wording or wording in sentence for kind in _OWN for wording in wordings(kind)
    )


def _is_repeated(sentence: str, prompt: Prompt) -> bool:
    """Whether the sentence repeats the user's words."""
    user_texts = [prompt.question, *prompt.earlier_questions, *prompt.memory]
    terms = set(content_terms(sentence))
    return bool(terms) and terms <= set(content_terms(" ".join(user_texts)))


def _is_supported(sentence: str, passage_text: str) -> bool:
    """Whether the passages contain its numbers and names, and half of its words.

    For a sentence in another language, only numbers and names count.
    """
    if not _numbers(sentence) <= _with_results(sentence, _numbers(passage_text)):
        return False
    if any(name.lower() not in passage_text.lower() for name in _NAMES.findall(sentence)):
        return False
    terms = set(content_terms(sentence))
    if not terms or language_of(sentence) != language_of(passage_text):
        return True
    return len(terms & set(content_terms(passage_text))) >= _SMALLEST_SHARE_IN_PARTS * len(terms)


_OWN = (
    *("note", "fallback", "given", "quoted", "greeting", "nothing_known", "agreement"),
    "understood",
)


def _numbers(text: str) -> set[float]:
    digits = (number_text.replace(",", "") for number_text in _DIGITS.findall(normalise(text)))
    return {
        float(number_text) for number_text in digits if number_text.count(".") < 2
    } | numerals_in(words(text))


def _with_results(sentence: str, known_numbers: set[float]) -> set[float]:
    """The known numbers, and the results that the sentence calculates from them or from times."""
    used_numbers = _numbers(sentence) & (known_numbers | _OF_CALENDARS | set(range(10)))
    results = {
        result
        for left, right in combinations(used_numbers, 2)
        for result in (left * right, left + right, abs(left - right))
    }
    is_shown = re.search(r"[×*+−÷/=]|\d x \d", sentence)
    return known_numbers | (results | used_numbers if is_shown else set())
