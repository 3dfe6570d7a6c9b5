"""Checks whether passages support sentences, by words, names and numbers."""

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
_SMALLEST_SHARE_IN_PARTS = 0.5  # of a sentence's words; the others may be paraphrased
_NAMES = re.compile(r"(?<=\w )[A-Z][a-z]+(?: [A-Z][a-z]+)+|(?<=\w )[A-Z][a-z]+(?=\.$)")
_OF_CALENDARS = {7, 12, 24, 30, 52, 60, 100, 365}
INVENTED_NAME = "The CEO is Ada Quill."
NOTHING_FOUND = "Die Dokumente enthalten dazu keine Angaben."


def with_markers(draft: str, passages: Sequence[Passage]) -> str:
    """The sentences of the draft, each with the number of a supporting passage, else `[0]`."""
    lines = [_line(line, passages) for line in _NOTE.sub("", draft).splitlines()]
    kept = "\n".join(lines).strip()
    note = _NOTE.search(draft)
    return "\n\n".join([kept, note[0]] if kept and note else [kept or NO_PASSAGE])


def _line(line: str, passages: Sequence[Passage]) -> str:
    item = _ITEM.match(line)
    said = [_MARKERS.sub("", sentence) for sentence in sentences(line[item.end() if item else 0 :])]
    found = [(sentence, _supporting(sentence, passages)) for sentence in said]
    marked = " ".join(f"{sentence} [{number}]" for sentence, number in found if number)
    return f"{item[0]}{marked}" if item and marked else marked


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
    best = max(shares, key=lambda number: shares[number], default=0)
    return best if shares.get(best, 0.0) >= _SMALLEST_SHARE else 0


def without_markers(text: str) -> str:
    """The text without citation markers, as a model that forgets to cite writes it."""
    return _MARKERS.sub("", text)


def invented_claim(passages: Sequence[Passage]) -> str:
    """A sentence with a number that is in no passage, but with a citation."""
    held = " ".join(passage.text for passage in passages)
    number = next(n for n in range(73_914, 10**9, 1_301) if str(n) not in held)
    return f"In all there are {number} of them. [{passages[0].number if passages else 1}]"


def check_entries(prompt: Prompt) -> Mapping[str, Any]:
    """Which of the numbered sentences no passage supports, and whether all say nothing."""
    told = [entry for entry in prompt.entries if not says_nothing_found(entry.text)]
    held = "\n".join(f"{one.title} {one.section}\n{one.text}" for one in prompt.citable)
    unsupported = [entry.number for entry in told if not _is_supported(entry.text, held)]
    return {"unsupported": unsupported, "nothing_found": bool(prompt.entries) and not told}


def _is_supported(sentence: str, held: str) -> bool:
    """Whether the passages contain its numbers and names, and half of its words.

    For a sentence in another language, only numbers and names count. Sentences about the stand-in
    itself are not statements.
    """
    if any(note in sentence or sentence in note for kind in _OWN for note in wordings(kind)):
        return True
    if not _numbers(sentence) <= _with_results(sentence, _numbers(held)):
        return False
    if any(name.lower() not in held.lower() for name in _NAMES.findall(sentence)):
        return False
    terms = set(content_terms(sentence))
    if not terms or sentence.endswith("?") or language_of(sentence) != language_of(held):
        return True
    return len(terms & set(content_terms(held))) >= _SMALLEST_SHARE_IN_PARTS * len(terms)


_OWN = ("note", "fallback", "quoted")


def _numbers(text: str) -> set[float]:
    digits = (found.replace(",", "") for found in _DIGITS.findall(normalise(text)))
    return {float(found) for found in digits if found.count(".") < 2} | numerals_in(words(text))


def _with_results(sentence: str, held: set[float]) -> set[float]:
    """The known numbers, and the results that the sentence calculates from them or from times."""
    used = _numbers(sentence) & (held | _OF_CALENDARS | set(range(10)))
    results = {result for a, b in combinations(used, 2) for result in (a * b, a + b, abs(a - b))}
    is_shown = re.search(r"[×*+−÷/=]|\d x \d", sentence)
    return held | (results | used if is_shown else set())
