"""Questions with what is expected of their answers, and facts found in a text by their wording."""

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
    """A question, and what its answer has to hold.

    Each of `facts` is a list of wordings, of which one is enough; the first names it. One of
    `sources` has to be cited: a part of its address, title or section. With `refuse`, the answer
    has to say that there is none.
    """

    ask: str
    facts: tuple[tuple[str, ...], ...] = ()
    sources: tuple[str, ...] = ()
    refuse: bool = False

    def missing_facts(self, answer: str) -> list[str]:
        """The facts that stand in the answer in none of their wordings, each by its name."""
        plain = comparable(strip_markers(answer))
        return [fact[0] for fact in self.facts if not any(_holds(plain, one) for one in fact)]

    def is_cited_by(self, place: str) -> bool:
        """Whether a place is one of the sources."""
        return any(source.casefold() in place.casefold() for source in self.sources)


def comparable(text: str) -> str:
    """The words of a text, folded, with numbers written alike: "1,000.50" and "1 000,50".

    A point before exactly three digits counts as grouping, in any language.
    """
    whole = _POINT.sub(_LETTER_POINT, _GROUPING.sub("", _MINUS.sub(_LETTER_MINUS, text)))
    return bare_words(whole)


def _holds(plain: str, wording: str) -> bool:
    """Whether the wording stands in a `comparable` text as whole words.

    Next to a script that writes no spaces, and to Korean, any place is the edge of a word.
    """
    words = comparable(wording)
    before = rf"(?<!{_WORD})" if re.match(_WORD, words) else ""
    after = rf"(?!{_WORD})" if re.search(rf"{_WORD}\Z", words) else ""
    return bool(words) and bool(re.search(before + re.escape(words) + after, plain))
