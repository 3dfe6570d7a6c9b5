"""Texts that make a pattern work hard, made from the pattern's own parse tree."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    "%PDF", "\\begin{a}", "x\u0305", "√", ".. a::", ":a:`", "\r", "\r\n",
)  # fmt: skip
"""What was found to hurt one pattern or another, or might."""

_BREAKERS = ("", "\x00", "!", "\n", "x", ")")
_CATEGORIES = {
    sre.CATEGORY_DIGIT: "1", sre.CATEGORY_NOT_DIGIT: "a", sre.CATEGORY_SPACE: " ",
    sre.CATEGORY_NOT_SPACE: "a", sre.CATEGORY_WORD: "a", sre.CATEGORY_NOT_WORD: " ",
}  # fmt: skip
_REPEATS = frozenset({sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT})


@dataclass(frozen=True, slots=True)
class Pump:
    """A text that grows: `prefix`, then `pump` over and over, then `suffix`."""

    prefix: str
    pump: str
    suffix: str

    def text(self, length: int) -> str:
        """About `length` characters of it."""
        times = max(1, length // len(self.pump))
        return self.prefix + self.pump * times + self.suffix

    def times(self, count: int) -> str:
        """The pump so many times."""
        return self.prefix + self.pump * count + self.suffix


class _Sampler:
    """Words that parts of a pattern match, and the places where it repeats something."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._groups: dict[int, str] = {}
        self.repeated: list[tuple[str, str]] = []
        self.prefixes: list[str] = []
        self.alphabet: set[str] = set()

    def word(self, tree: Any, before: str = "") -> str:
        """A text that the sub-pattern matches (looking around is left out)."""
        text = ""
        for operator, argument in tree:
            text += self._piece(operator, argument, before + text)
            if text:
                self.prefixes.append(text)
        return text

    def _piece(self, operator: Any, argument: Any, before: str) -> str:  # noqa: PLR0911
        if operator in _REPEATS:
            return self._repeat(argument, before)
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

    def _repeat(self, argument: Any, before: str) -> str:
        least, _, body = argument
        words = [self.word(body, before) for _ in range(3)]
        self.repeated += [(before, word) for word in words if word]
        times = least or self._chance.randrange(2)
        return "".join(self._chance.choices(words, k=min(times, 40)))

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


def pumps_for(pattern: str, flags: int, most: int, seed: int = 7) -> list[Pump]:
    """Up to `most` growing texts for a pattern, those from its own repeats first."""
    # The same pumps at each run.
    chance = random.Random(f"{seed} {pattern!a}")  # noqa: S311
    sampler = _Sampler(chance)
    try:
        # What the module `regex` adds to the syntax is not read here; the known pumps remain.
        tree = _parser.parse(pattern, flags & ~re.DEBUG)
    except (re.error, OverflowError):
        tree = ()
    for _ in range(6):
        sampler.word(tree)
    repeats = [
        Pump(before[-60:], word, chance.choice(_BREAKERS))
        for before, word in dict.fromkeys(sampler.repeated)
    ]
    chance.shuffle(repeats)
    others = list(_others(sampler, chance))
    chance.shuffle(others)
    own = repeats[: most * 2 // 3] + others
    known = [Pump("", pump, suffix) for pump in KNOWN for suffix in ("", "!")]
    chance.shuffle(known)
    share = most * 3 // 4
    chosen = own[:share] + known[: most - len(own[:share])]
    return list(dict.fromkeys(chosen))


def _others(sampler: _Sampler, chance: random.Random) -> Iterator[Pump]:
    alphabet = sorted(sampler.alphabet)
    for prefix in dict.fromkeys(sampler.prefixes):
        yield Pump("", prefix, chance.choice(_BREAKERS))
        for letter in alphabet[:6]:
            yield Pump(prefix[-60:], letter, chance.choice(_BREAKERS))
    yield from _of_letters(alphabet, chance)


def _of_letters(alphabet: Sequence[str], chance: random.Random) -> Iterator[Pump]:
    for letter in alphabet:
        yield Pump("", letter, chance.choice(_BREAKERS))
        for other in alphabet:
            if other != letter:
                yield Pump("", letter + other, chance.choice(_BREAKERS))
