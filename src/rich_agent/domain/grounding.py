"""Whether an answer rests on what it was given: told by its markers, its words and its numbers.

It understands no meaning. A wrong claim in the words and numbers of a passage passes; a number
that was worked out from others does not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.domain.citation import CitedText, resolve_citations
from rich_agent.domain.numbers import (
    WRITTEN,
    agrees,
    normalise,
    parts_of,
    significant,
    significant_digits_in,
)
from rich_agent.domain.passage import Passage

NOTHING_FOUND_CHARS = 400
"""The longest way to say that nothing was found; whatever is longer states something, too."""

_NO_PASSAGE = re.compile(r"\[0\]")
_GROUNDS = (
    r"passages?|documents?|documentation|docs|sources?|texts?|results?|materials?|excerpts?|context"
    r"|information|pages?|they"
)
_NOTHING_FOUND = re.compile(
    rf"\b(?:{_GROUNDS})\b.{{0,60}}?\b(?:do|does|did|is|are|have|has)(?: not|n['’]t)\b"
    r"|\b(?:not|never|n['’]t) (?:mentioned|covered|found|stated|specified|described|given|included)"
    rf"\b.{{0,20}}\b(?:{_GROUNDS})\b"
    rf"|\b(?:no|hold nothing|nothing)\b.{{0,40}}\b(?:{_GROUNDS}|on that|about that)\b"
    r"|\bnothing found\b"
    r"|\bno (?:information|mention|details?|answer)\b|\bnothing (?:on|about) (?:that|this|it)\b"
    r"|\b(?:(?:could|can|did|do)(?: not|n['’]t)|cannot|unable to) (?:find|answer|tell|say|know)\b"
    r"|(?:記述|記載|情報|説明|言及|答え|回答)(?:が|は|も)?(?:あり|ござい)(?:ません)"
    r"|(?:見つかり|見つから|見当たり|見当たら)(?:ません|な)"
    r"|(?:書かれて|載って|触れられて|含まれて|述べられて|示されて)い(?:ません|ない)"
    r"|(?:分|わ)かり(?:ません|かねます)|答えられ(?:ません|ない)",
    re.IGNORECASE | re.DOTALL,
)
_LEFT_OUT = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\[[\d\s,;web:^]{1,20}\]|^[^\S\n]*+\d{1,3}[.)]\s",
    re.DOTALL | re.MULTILINE,
)
_NUMBER = re.compile(
    rf"(?<![A-Za-z_\d.])(?<![A-Za-z]-)({WRITTEN})(?![A-Za-z]*\d)\s?(%|percent|パーセント)?"
)
_ROUGHLY = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|some|nearly|almost|over|under|than|up to|at least"
    r"|at most|every)|[~≈<>≥≤]|約|およそ|ほぼ)\s?[$€£¥]?\Z",
    re.IGNORECASE,
)
_IDIOM = re.compile(r"\b24/7\b")
_SMALL = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer held against its passages.

    `says_nothing` when it says that they hold no answer, `unsupported` are its numbers that stand
    in nothing that the model was given.
    """

    cited: CitedText
    says_nothing: bool
    unsupported: tuple[str, ...]

    @property
    def is_grounded(self) -> bool:
        """Whether it cites, or says that there is nothing to cite."""
        return bool(self.cited.citations) or self.says_nothing

    @property
    def is_faultless(self) -> bool:
        """Whether nothing is to be repaired."""
        return self.is_grounded and not self.unsupported


def judge(text: str, passages: Sequence[Passage], given: str) -> Judged:
    """The answer with its markers resolved, and what is wrong with it.

    `given` is all that the model read: numbers of the question or the conversation may be repeated.
    """
    cited = resolve_citations(text.strip(), passages)
    return Judged(cited, says_nothing_found(text), unsupported_numbers(cited.text, given))


def says_nothing_found(text: str) -> bool:
    """Whether it only says that the passages hold no answer: by the marker [0], or in words."""
    if len(text.strip()) > NOTHING_FOUND_CHARS:
        return False
    return bool(_NO_PASSAGE.search(text) or _NOTHING_FOUND.search(text))


def unsupported_numbers(text: str, given: str) -> tuple[str, ...]:
    """The numbers of `text` that `given` holds in no form, each once, as they are written.

    0.4 and 400 ms, 1,500,000 and 1.5 million, 2.31 and "about 2.3", 15:30 and 3:30 pm, 令和6年 and
    2024 agree: see `domain.numbers`. Code, links, names such as SHA-256 and integers below 10 are
    passed over.
    """
    prose = _IDIOM.sub(" ", _LEFT_OUT.sub(" ", normalise(text)))
    found = [match for match in _NUMBER.finditer(prose) if not _is_small(match[1], match[2])]
    known = significant_digits_in(given) if found else frozenset()
    return tuple(dict.fromkeys(match[0].strip() for match in found if not _is_in(known, match)))


def _is_small(number: str, percent: str | None = None) -> bool:
    digits = number.rstrip("十百千万億兆")
    return digits.isdecimal() and int(digits) < _SMALL and not percent


def _is_in(known: frozenset[str], match: re.Match[str]) -> bool:
    """Whether the number was given, as a whole or, where it is a date or a list, by its parts."""
    roughly = bool(_ROUGHLY.search(match.string[: match.start()][-20:]))
    if agrees(significant(match[1]), known, roughly=roughly):
        return True
    parts = parts_of(match[1])
    return bool(parts) and all(_is_small(p) or agrees(p.strip("0"), known) for p in parts)
