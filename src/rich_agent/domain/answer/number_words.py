"""Reads numbers that are written in words or Chinese characters, in the languages of the bot.

The words are those of CLDR 48 (`number_words.tsv`: its rules for spelling out, in all genders and
cases). No short word is read that may be another one.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from babel import Locale

from rich_agent.domain.retrieval.search_terms import Languages
from rich_agent.domain.retrieval.stop_words import STOP_WORDS
from rich_agent.domain.text import HANGUL

_LETTERS = r"(?:[^\W\d_]|[\u0900-\u0903\u093a-\u094f])+"
"""Python counts no vowel signs among the letters of Devanagari."""
_TOKEN = re.compile(rf"{_LETTERS}(?:['’ʼ]{_LETTERS})?")
_JOINTS = frozenset({"", " ", "-", "\u00a0", "\u00ad", "\u200c", "\u2011"})
_MOST_TOKENS = 6
_MOST_CHARS = 40
_FEWEST_CHARS = 5
"""A shorter word of Latin letters is read only in a language that the text is told to be in."""
_LAST_LATIN = "\u1eff"
_AND = frozenset({"and", "und", "y", "e", "et", "en", "i", "و"})
_HANGUL = re.compile(rf"[{HANGUL}]")


_HAN_DIGITS: Mapping[str, int] = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0}
_HAN_TENS: Mapping[str, int] = {"十": 10, "百": 100, "千": 1000}
_HAN_MYRIADS: Mapping[str, int] = {
    **dict.fromkeys("万萬", 10**4),
    **dict.fromkeys("億亿", 10**8),
    "兆": 10**12,
}
# One character alone is a part of many words.
_FEWEST_HAN_DIGITS = 3
"""二〇二六 is a number, 一一 and 七八 are "one by one" and "seven or eight"."""
_SEVERAL_HAN_DIGITS = re.compile("[一二三四五六七八九]{2}")
_HAN_NUMBER = re.compile(rf"[{''.join([*_HAN_DIGITS, *_HAN_TENS, *_HAN_MYRIADS])}]{{2,30}}")


@lru_cache(maxsize=1)
def _by_locale() -> Mapping[str, Mapping[str, int]]:
    """The values of the phrases of each locale."""
    values: dict[str, dict[str, int]] = {}
    table = files(__package__).joinpath("number_words.tsv").read_text("utf-8")
    for line in table.splitlines():
        locale, value, *phrases = line.split("\t")
        values.setdefault(locale, {}).update(dict.fromkeys(phrases, int(value)))
    return MappingProxyType(values)


@lru_cache(maxsize=64)
def _phrases(languages: Languages) -> Mapping[str, int]:
    """The phrases of these languages, and of the others those that hardly mean anything else."""
    stop_words = {
        word
        for lists in STOP_WORDS.values()
        for words in lists.values()
        for word in words
        if len(word) < _FEWEST_CHARS
    }
    own, others = dict[str, int](), dict[str, int]()
    for locale, phrases in _by_locale().items():
        name = Locale.parse(locale, sep="-").english_name or ""
        if name.partition(" ")[0].casefold() in languages:
            own |= {p: n for p, n in phrases.items() if p not in stop_words}
        else:
            rare = (p for p in phrases if len(p) >= _FEWEST_CHARS or p[0] > _LAST_LATIN)
            others |= {p: phrases[p] for p in rare if p not in stop_words}
    return MappingProxyType(others | own)


def with_digits(text: str, languages: Languages, *, certain: bool = False) -> str:
    """The text with digits in place of numbers that it has in words or Chinese characters.

    `languages` are those that the text is told to be in. A word next to digits stays. So do, where
    only `certain` numbers count, characters that stand in idioms too: 千万, 一一, 七八十.
    """
    text = _HAN_NUMBER.sub(
        lambda match: (not (certain and _may_be_idiom(match[0])) and _of_han(match[0])) or match[0],
        text,
    )
    phrases = _phrases(languages)
    tokens = list(_TOKEN.finditer(text))
    parts, position, at = list[str](), 0, 0
    while at < len(tokens):
        value, end, stop = _number_at(text, tokens, at, phrases)
        start = tokens[at].start()
        around = text[max(0, start - 1) : start].strip() + text[max(0, start - 2) : start].strip()
        if value and not any(c.isdigit() for c in around + text[stop : stop + 2].strip()):
            parts += [
                text[position:start],
                str(value),
                " " if text[stop : stop + 1].isalnum() else "",
            ]
            position = stop
        at = max(end, at + 1)
    return "".join([*parts, text[position:]])


def _number_at(
    text: str, tokens: Sequence[re.Match[str]], at: int, phrases: Mapping[str, int]
) -> tuple[int, int, int]:
    """The number that begins with a token, the token behind it, and where it ends; 0 for none."""
    value, end, stop = _phrase_at(text, tokens, at, phrases)
    while value >= 100 and end < len(tokens) and _are_joined(text, tokens, end):
        is_and = tokens[end][0].casefold() in _AND
        start = end + is_and
        if start >= len(tokens) or (is_and and not _are_joined(text, tokens, start)):
            break
        more, next_end, next_stop = _phrase_at(text, tokens, start, phrases)
        if not 0 < more < (1000 if value % 1000 == 0 else 100) or value % 100:
            break
        value, end, stop = value + more, next_end, next_stop
    return value, end, stop


def _phrase_at(
    text: str, tokens: Sequence[re.Match[str]], at: int, phrases: Mapping[str, int]
) -> tuple[int, int, int]:
    """The longest phrase that begins with a token."""
    words, best = "", (0, at, tokens[at].start())
    for end in range(at, min(len(tokens), at + _MOST_TOKENS)):
        if end > at and not _are_joined(text, tokens, end):
            break
        word = tokens[end][0][:_MOST_CHARS].casefold().replace("ʼ", "'").replace("’", "'")
        words = f"{words} {word}".strip()
        if value := phrases.get(words) or _value_of_compound(words, phrases):
            best = value, end + 1, tokens[end].end()
    if best[0] or not _HANGUL.match(text, tokens[at].start()):
        return best
    # A Korean number and what it counts are one word.
    for length in range(min(len(tokens[at][0]), _MOST_CHARS) - 1, 1, -1):
        if number := phrases.get(tokens[at][0][:length]):
            return number, at + 1, tokens[at].start() + length
    return best


def _value_of_compound(word: str, phrases: Mapping[str, int]) -> int:
    """The value of hundreds or thousands and what follows, in one word."""
    if " " in word or not word.isalpha() or len(word) > _MOST_CHARS:
        return 0
    for cut in range(len(word) - 3, 3, -1):
        first, rest = phrases.get(word[:cut], 0), phrases.get(word[cut:], 0)
        if first >= 100 and 0 < rest < (1000 if first % 1000 == 0 else 100):
            return first + rest
    return 0


def _are_joined(text: str, tokens: Sequence[re.Match[str]], at: int) -> bool:
    """Whether nothing but a blank or a hyphen stands before a token."""
    return text[tokens[at - 1].end() : tokens[at].start()] in _JOINTS


def _may_be_idiom(word: str) -> bool:
    """Whether there are units alone, two digits alone, or several digits at a unit."""
    digits = sum(character in _HAN_DIGITS for character in word)
    if digits == len(word):
        return digits < _FEWEST_HAN_DIGITS
    return not digits or bool(_SEVERAL_HAN_DIGITS.search(word))


def _of_han(word: str) -> str:
    """The digits of 三百二十 or 二〇二六, "" for what is no number."""
    total, section, number = 0, 0, ""
    for character in word:
        if character in _HAN_DIGITS:
            number += str(_HAN_DIGITS[character])
            continue
        if character in _HAN_TENS:
            section += int(number or 1) * _HAN_TENS[character]
        elif section or number:
            total += (section + int(number or 0)) * _HAN_MYRIADS[character]
            section = 0
        else:
            return ""
        number = ""
    return str(total + section + int(number or 0))
