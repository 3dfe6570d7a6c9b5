"""Checks a draft against passages: what they hold is kept, with their numbers, and nothing else."""

import re
from collections.abc import Sequence

from rich_agent_sandbox.model.chatting import wordings
from rich_agent_sandbox.model.prompt import Passage
from rich_agent_sandbox.model.text import content_terms, normalise, sentences

NO_PASSAGE = "[0]"
_MARKERS = re.compile(r"\s*\[\d{1,4}\]")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_NOTE = re.compile("|".join(re.escape(note) for note in wordings("note")))
_ITEM = re.compile(r"^\s*(?:[-*]|\d+[.)])\s+")
_SMALLEST_SHARE = 0.8


def with_markers(draft: str, passages: Sequence[Passage]) -> str:
    """The sentences that a passage holds, each with that passage's number; else `[0]`."""
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
    """The number of the passage that holds the sentence's words and all its numbers, 0 if none."""
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
    """The text as a model writes it that forgets to cite."""
    return _MARKERS.sub("", text)


def invented_claim(passages: Sequence[Passage]) -> str:
    """A sentence with a number that no passage holds, cited all the same."""
    held = " ".join(passage.text for passage in passages)
    number = next(n for n in range(73_914, 10**9, 1_301) if str(n) not in held)
    return f"In all there are {number} of them. [{passages[0].number if passages else 1}]"
