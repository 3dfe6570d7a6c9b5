"""Texts that make a pattern work hard, made from the pattern's own parse tree.

None is left to chance: each repeat is pumped with each kind of character that it takes, at the
place where it stands, with and without what has to follow it.
"""

import random
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

KNOWN = (
    "**a** `b` ", "[a](http://b.com) ", "a.com `b` ", "- [1] a\n", "|a|b|\n", "$a$ ", "> a\n\n",
    " ", "\n", "\t", "\u3000", " \n", "\n\n", "a", "a ", " a", "a.", "a-", "a_", "~a", "and ",
    "1", "1, ", "1,", ", ", "1.", "1 ", "0:", "[", "]", "[1", "[1, ", "[1](", "【", "【1", "(",
    ")", "()", "[]", "[](", "[a](", "![", "<", ">", "<a ", "</", "<//", "<!--", "&", "&#", "`",
    "``", "` ", "```\n", "~~~\n", "$", "$$", "\\(", "\\[", "\\", "\\frac{", "{", "}", "*",
    "**", "_", "__", "* ", "*a", "**a", "~~", "||", "|", "| ", "|-", "|-|", " |  ", "-", "- ",
    "--", "=", "#", "# ", "> ", ">", "'", '"', "“", "「", "『", "„", "«", ":", "::", "://",
    "http://", "https://a", "www.", "@", "a@", "a@a.", "@a", "+1", "+1 ", "%", "%2", "/", "//",
    ".", "..", ". ", "...", "!", "?", "。", "．", "z．", "、", "あ", "ぇ", "ー", "ア", "漢",
    "十", "1十", "十,", "é", "e\u0301", "\u0301", "\u200b", "\ufe0f", "👍", "👨\u200d", "xn--",
    "xn--a.", "title", "title:", "title: \n", "---\n", "+++\n", "one ", "and a ", "hundred ",
    "%PDF", "\\begin{a}", "x\u0305", "√", ".. a::", ":a:`", "\r", "\r\n", "…", "।", "؟", "！",
    "？", "」", "』", "”", "’", "»", ";", "+", "^", ",", "¡", "•", "–", "—", "[1] ", "!)", "?!",
)  # fmt: skip
"""What was found to hurt one pattern or another, or might."""

_BREAKERS = ("", "\x00", "\n")
"""An end; what hardly any pattern goes on with; and what ends a line."""
_SAMPLES = 6
_MOST_LETTERS = 12
_LONGEST_PREFIX = 60
_CATEGORIES = {
    sre.CATEGORY_DIGIT: "1", sre.CATEGORY_NOT_DIGIT: "a", sre.CATEGORY_SPACE: " ",
    sre.CATEGORY_NOT_SPACE: "a", sre.CATEGORY_WORD: "a", sre.CATEGORY_NOT_WORD: " ",
}  # fmt: skip
_REPEATS = frozenset({sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT})


@dataclass(frozen=True, slots=True)
class Pump:
    """A text that grows: `prefix`, then `pump` over and over, then `suffix`.

    With `then`, half of it is a run of that.
    """

    prefix: str
    pump: str
    suffix: str
    then: str = ""

    def text(self, length: int) -> str:
        """About `length` characters of it."""
        length //= 2 if self.then else 1
        times = max(1, length // len(self.pump))
        more = self.then * (length // len(self.then)) if self.then else ""
        return self.prefix + self.pump * times + more + self.suffix

    def times(self, count: int) -> str:
        """The pump so many times."""
        return self.prefix + self.pump * count + self.suffix


class _Sampler:
    """Words that parts of a pattern match, and the places where it repeats something."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._groups: dict[int, str] = {}
        self.repeated: list[tuple[str, str, str]] = []
        self.prefixes: list[str] = []
        self.alphabet: set[str] = set()

    def word(self, tree: Any, before: str = "") -> str:
        """A text that the sub-pattern matches (looking around is left out)."""
        text, repeats = "", list[tuple[str, str, int]]()
        for operator, argument in tree:
            piece = self._piece(operator, argument, before + text)
            if operator in _REPEATS:
                words = dict.fromkeys(self._repeated_words(argument[2], before + text))
                repeats += ((before + text, word, len(text + piece)) for word in words if word)
            text += piece
            if text:
                self.prefixes.append(text)
        self.repeated += ((ahead, word, text[end:]) for ahead, word, end in repeats)
        return text

    def _repeated_words(self, body: Any, before: str) -> list[str]:
        """The words that are repeated: a character of each kind, or some words."""
        if len(body) == 1 and body[0][0] is sre.IN and body[0][1][0][0] is not sre.NEGATE:
            return [self._one_of(*member) for member in body[0][1]][: 2 * _MOST_LETTERS]
        return [self.word(body, before) for _ in range(3)]

    def _piece(self, operator: Any, argument: Any, before: str) -> str:  # noqa: PLR0911
        if operator in _REPEATS:
            least, _, body = argument
            times = least or self._chance.randrange(2)
            return "".join(self.word(body, before) for _ in range(min(times, 40)))
        if operator is sre.SUBPATTERN:
            word = self.word(argument[3], before)
            if argument[0] is not None:
                self._groups[argument[0]] = word
            return word
        if operator is sre.BRANCH:
            words = [self.word(branch, before) for branch in argument[1]]
            return self._chance.choice(words)
        if operator in {sre.ASSERT, sre.ASSERT_NOT}:
            self.word(argument[1], before)
            return ""
        if operator is sre.ATOMIC_GROUP:
            return self.word(argument, before)
        if operator is sre.GROUPREF:
            return self._groups.get(argument, "")
        return self._character(operator, argument)

    def _character(self, operator: Any, argument: Any) -> str:
        if operator is sre.LITERAL:
            found = chr(argument)
        elif operator is sre.ANY:
            found = "a"
        elif operator is sre.IN:
            found = self._member(argument)
        elif operator is sre.NOT_LITERAL:
            found = next(c for c in "a 1" if ord(c) != argument)
        else:
            return ""
        self.alphabet.add(found)
        return found

    def _member(self, members: Any) -> str:
        (first, _), *_ = members
        if first is sre.NEGATE:
            pattern = re.compile(f"[^{''.join(self._written(m) for m in members[1:])}]")
            able = [c for c in "a 1.-,あ(\n|x" if pattern.match(c)]
            self.alphabet.update(able[:3])
            return able[0] if able else "\ue000"
        able = [self._one_of(*member) for member in members]
        self.alphabet.update(able[:8])
        return self._chance.choice(able)

    def _one_of(self, operator: Any, argument: Any) -> str:
        if operator is sre.RANGE:
            return chr(argument[0])
        return _CATEGORIES.get(argument, "a") if operator is sre.CATEGORY else chr(argument)

    def _written(self, member: Any) -> str:
        operator, argument = member
        if operator is sre.RANGE:
            return f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
        if operator is sre.CATEGORY:
            return {"1": r"\d", " ": r"\s", "a": r"\w"}[_CATEGORIES[argument]]
        return re.escape(chr(argument))


def pumps_for(pattern: str, flags: int = 0) -> list[Pump]:
    """The growing texts for a pattern, those from its own repeats first; the same at each run."""
    sampler = _Sampler(random.Random(f"{pattern!a}"))  # noqa: S311
    try:
        # What the module `regex` adds to the syntax is not read here; the known pumps remain.
        with warnings.catch_warnings(action="ignore"):
            tree = _parser.parse(pattern, flags & ~re.DEBUG)
    except (re.error, OverflowError):
        tree = ()
    for _ in range(_SAMPLES):
        sampler.word(tree)
    return list(dict.fromkeys([*_runs(sampler), *_others(sampler), *KNOWN_PUMPS]))


def _runs(sampler: _Sampler) -> Iterator[Pump]:
    """Each repeat where it stands, alone and with the next one behind it."""
    repeated = list(dict.fromkeys(sampler.repeated))
    for before, word, after in repeated:
        ends = dict.fromkeys([*_BREAKERS, after, after + _BREAKERS[1]])
        yield from (Pump(before[-_LONGEST_PREFIX:], word, end) for end in ends)
    for (before, word, _), (_, other, _) in pairwise(repeated):
        if word != other:
            yield Pump(before[-_LONGEST_PREFIX:], word, _BREAKERS[1], then=other)


def _others(sampler: _Sampler) -> Iterator[Pump]:
    """The beginnings of what it matches, over and over, and its letters one by one and in pairs."""
    for prefix in dict.fromkeys(sampler.prefixes):
        yield from (Pump("", prefix, end) for end in _BREAKERS[:2])
    letters = sorted(sampler.alphabet)[:_MOST_LETTERS]
    for letter in letters:
        yield from (Pump("", letter, end) for end in _BREAKERS)
        yield from (Pump("", letter + other, _BREAKERS[1]) for other in letters if other != letter)


KNOWN_PUMPS = tuple(Pump("", pump, suffix) for pump in KNOWN for suffix in ("", "\x00"))
