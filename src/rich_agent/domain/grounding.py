"""Whether an answer rests on what it was given: told by its markers, its words and its numbers.

It understands no meaning. A wrong claim in the words and numbers of a passage passes; a number
that was worked out from others does not.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.domain.citation import CitedText, resolve_citations
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
    r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\[[\d\s,;web:^]{1,20}\]|^\s*\d{1,3}[.)]\s",
    re.DOTALL | re.MULTILINE,
)
_NUMBER = re.compile(
    r"(?<![A-Za-z_\d.])(?<![A-Za-z]-)(\d+(?:[.,'’]\d+)*)(?![A-Za-z]*\d)\s?(%|percent|パーセント)?"
)
_RUN = re.compile(r"\d+(?:[.,'’]\d+)*")
_DIGITS = re.compile(r"\d+")
_SMALL = 10
_FEWEST_DIGITS = 2
_WORDS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "1", "eleven": "11", "twelve": "12", "thirteen": "13",
    "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18",
    "nineteen": "19", "twenty": "2", "thirty": "3", "forty": "4", "fifty": "5", "sixty": "6",
    "seventy": "7", "eighty": "8", "ninety": "9", "hundred": "1", "thousand": "1", "million": "1",
    "half": "5", "quarter": "25", "third": "33", "all": "1", "double": "2", "twice": "2",
}  # fmt: skip
_KANJI = str.maketrans("〇一二三四五六七八九", "0123456789")
_KANJI_NUMBER = re.compile("[〇一二三四五六七八九十百千万億半]+")


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

    Forms are compared by their significant digits: 0.4 and 400 ms, 1,500,000 and 1.5 million, 2.31
    and "about 2.3" agree. Code, links, names such as SHA-256 and integers below 10 are passed over.
    """
    known = _significant_digits_in(given)
    prose = _LEFT_OUT.sub(" ", unicodedata.normalize("NFKC", text))
    found = [match for match in _NUMBER.finditer(prose) if not _is_small(match)]
    return tuple(dict.fromkeys(match[0].strip() for match in found if not _agrees(match[1], known)))


def _is_small(match: re.Match[str]) -> bool:
    return match[1].isdecimal() and int(match[1]) < _SMALL and not match[2]


def _significant(number: str) -> str:
    """The digits without zeros around them: the same for 0.4, 4 and 400."""
    return "".join(_DIGITS.findall(number)).strip("0")


def _significant_digits_in(given: str) -> frozenset[str]:
    folded = unicodedata.normalize("NFKC", given).casefold()
    written = [*_RUN.findall(folded), *_DIGITS.findall(folded)]
    words = [_WORDS[word] for word in re.findall(r"[a-z]+", folded) if word in _WORDS]
    kanji = [_of_kanji(number) for number in _KANJI_NUMBER.findall(folded)]
    return frozenset([*map(_significant, written), *words, *kanji])


def _of_kanji(number: str) -> str:
    """The significant digits of 二十五 (25), 百 (1), 三十 (3), 半 (5)."""
    spread = re.sub(r"(?<![一二三四五六七八九〇])[十百千]", "一", number).replace("半", "五")
    return re.sub("[十百千万億]", "", spread).translate(_KANJI).strip("0")


def _agrees(number: str, known: frozenset[str]) -> bool:
    digits = _significant(number)
    if digits in known or not digits:
        return True
    longer = [one for one in known if len(one) > len(digits) >= _FEWEST_DIGITS]
    return any(digits in (one[: len(digits)], _rounded(one, len(digits))) for one in longer)


def _rounded(digits: str, length: int) -> str:
    up = int(digits[length] >= "5")
    return str(int(digits[:length]) + up).strip("0")
