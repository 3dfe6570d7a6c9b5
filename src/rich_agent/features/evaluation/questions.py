"""Questions with the expected answers, and a search for facts in a text by their wording."""

import re
from dataclasses import dataclass

from rich_agent.feature.text import HANGUL, UNSPACED, bare_words, strip_markers

_MINUS = re.compile(r"(?<!\w)[-−–](?=\d)")
_GROUPING = re.compile(r"(?<=\d)[.,'’ \u00a0\u202f](?=\d{3}(?!\d))")
_POINT = re.compile(r"(?<=\d)[.,](?=\d)")
_LETTER_POINT, _LETTER_MINUS = "\ua78f", "\u01c0"
"""Letters of Unicode that stand for a decimal point and a minus, so that they stay in a word."""
_WORD = rf"[^\W{UNSPACED}{HANGUL}]"


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """A question, and the content that its answer must have.

    `facts`: the wordings of each fact, of which one is enough. The first is the fact's name.
    `sources`: parts of an address, title or section, of which one has to be cited.
    `refuse`: whether the answer has to say that there is no answer.
    """

    ask: str
    facts: tuple[tuple[str, ...], ...] = ()
    sources: tuple[str, ...] = ()
    refuse: bool = False

    def missing_facts(self, answer: str) -> list[str]:
        """The names of the facts that the answer states in no wording."""
        comparable_answer = comparable(strip_markers(answer))
        return [
            wordings[0]
            for wordings in self.facts
            if not any(_holds(comparable_answer, wording) for wording in wordings)
        ]

    def is_cited_by(self, place: str) -> bool:
        """Whether a cited place is one of the sources."""
        return any(source.casefold() in place.casefold() for source in self.sources)


def comparable(text: str) -> str:
    """The folded words of a text, with one form of numbers for "1,000.50" and "1 000,50".

    A point before exactly three digits counts as grouping, in any language.
    """
    normalized = _POINT.sub(_LETTER_POINT, _GROUPING.sub("", _MINUS.sub(_LETTER_MINUS, text)))
    return bare_words(normalized)


def _holds(comparable_text: str, wording: str) -> bool:
    """Whether a `comparable` text contains the wording as whole words.

    Words may begin and end anywhere next to a script without spaces, and next to Korean.
    """
    words = comparable(wording)
    word_start = rf"(?<!{_WORD})" if re.match(_WORD, words) else ""
    word_end = rf"(?!{_WORD})" if re.search(rf"{_WORD}\Z", words) else ""
    return bool(words) and bool(
        re.search(word_start + re.escape(words) + word_end, comparable_text)
    )
