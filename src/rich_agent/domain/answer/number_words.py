"""Reads numbers in words or Chinese characters, in the languages of the bot.

The words come from CLDR 48, its rules for spelling out in all genders and cases, in
`number_words.tsv`. A short word with another meaning is not read.
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
"""Python does not count vowel signs as letters of Devanagari."""
_TOKEN = re.compile(rf"{_LETTERS}(?:['’ʼ]{_LETTERS})?")
_JOINTS = frozenset({"", " ", "-", "\u00a0", "\u00ad", "\u200c", "\u2011"})
_MOST_TOKENS = 6
_MOST_CHARS = 40
_FEWEST_CHARS = 5
"""A shorter word in Latin letters is read only if the text is known to be in its language."""
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
# A single character is a part of many words.
_FEWEST_HAN_DIGITS = 3
"""二〇二六 is a number; 一一 and 七八 mean "one by one" and "seven or eight"."""
_SEVERAL_HAN_DIGITS = re.compile("[一二三四五六七八九]{2}")
_HAN_NUMBER = re.compile(rf"[{''.join([*_HAN_DIGITS, *_HAN_TENS, *_HAN_MYRIADS])}]{{2,30}}")


@lru_cache(maxsize=1)
def _by_locale() -> Mapping[str, Mapping[str, int]]:
    """The numbers by their phrases, by locale."""
    values: dict[str, dict[str, int]] = {}
    table = files(__package__).joinpath("number_words.tsv").read_text("utf-8")
    for line in table.splitlines():
        locale, value, *phrases = line.split("\t")
        values.setdefault(locale, {}).update(dict.fromkeys(phrases, int(value)))
    return MappingProxyType(values)


@lru_cache(maxsize=64)
def _phrases(languages: Languages) -> Mapping[str, int]:
    """The phrases of these languages, and the unmistakable phrases of the others."""
    stop_words = {
        word
        for lists in STOP_WORDS.values()
        for words in lists.values()
        for word in words
        if len(word) < _FEWEST_CHARS
    }
    own_phrases, other_phrases = dict[str, int](), dict[str, int]()
    for locale, phrases in _by_locale().items():
        name = Locale.parse(locale, sep="-").english_name or ""
        if name.partition(" ")[0].casefold() in languages:
            own_phrases |= {
                phrase: number for phrase, number in phrases.items() if phrase not in stop_words
            }
        else:
            rare_phrases = (
                phrase
                for phrase in phrases
                if len(phrase) >= _FEWEST_CHARS or phrase[0] > _LAST_LATIN
            )
            other_phrases |= {
                phrase: phrases[phrase] for phrase in rare_phrases if phrase not in stop_words
            }
    return MappingProxyType(other_phrases | own_phrases)


def with_digits(text: str, languages: Languages, *, certain: bool = False) -> str:
    """The text with digits in place of numbers in words or Chinese characters.

    `languages` are the known languages of the text. A word next to digits stays. If only `certain`
    numbers count, characters that also occur in idioms stay: 千万, 一一, 七八十.
    """
    text = _HAN_NUMBER.sub(
        lambda match: (not (certain and _may_be_idiom(match[0])) and _of_han(match[0])) or match[0],
        text,
    )
    phrases = _phrases(languages)
    tokens = list(_TOKEN.finditer(text))
    text_parts, position, index = list[str](), 0, 0
    while index < len(tokens):
        number, next_index, end_position = _number_at(text, tokens, index, phrases)
        start = tokens[index].start()
        neighbours = (
            text[max(0, start - 1) : start].strip() + text[max(0, start - 2) : start].strip()
        )
        if number and not any(
            character.isdigit()
            for character in neighbours + text[end_position : end_position + 2].strip()
        ):
            text_parts += [
                text[position:start],
                str(number),
                " " if text[end_position : end_position + 1].isalnum() else "",
            ]
            position = end_position
        index = max(next_index, index + 1)
    return "".join([*text_parts, text[position:]])


def _number_at(
    text: str, tokens: Sequence[re.Match[str]], index: int, phrases: Mapping[str, int]
) -> tuple[int, int, int]:
    """The number that starts at a token, the index of the token after it, and its end.

    The number is 0 if none starts there.
    """
    number, next_index, end_position = _phrase_at(text, tokens, index, phrases)
    while number >= 100 and next_index < len(tokens) and _are_joined(text, tokens, next_index):
        is_and = tokens[next_index][0].casefold() in _AND
        start = next_index + is_and
        if start >= len(tokens) or (is_and and not _are_joined(text, tokens, start)):
            break
        further_number, further_index, further_end = _phrase_at(text, tokens, start, phrases)
        if not 0 < further_number < (1000 if number % 1000 == 0 else 100) or number % 100:
            break
        number, next_index, end_position = number + further_number, further_index, further_end
    return number, next_index, end_position


def _phrase_at(
    text: str, tokens: Sequence[re.Match[str]], index: int, phrases: Mapping[str, int]
) -> tuple[int, int, int]:
    """The longest phrase that starts at a token, as in `_number_at`."""
    words, longest = "", (0, index, tokens[index].start())
    for token_index in range(index, min(len(tokens), index + _MOST_TOKENS)):
        if token_index > index and not _are_joined(text, tokens, token_index):
            break
        word = tokens[token_index][0][:_MOST_CHARS].casefold().replace("ʼ", "'").replace("’", "'")
        words = f"{words} {word}".strip()
        if phrase_value := phrases.get(words) or _value_of_compound(words, phrases):
            longest = phrase_value, token_index + 1, tokens[token_index].end()
    if longest[0] or not _HANGUL.match(text, tokens[index].start()):
        return longest
    # In Korean, a number and the counted noun are one word.
    for length in range(min(len(tokens[index][0]), _MOST_CHARS) - 1, 1, -1):
        if number := phrases.get(tokens[index][0][:length]):
            return number, index + 1, tokens[index].start() + length
    return longest


def _value_of_compound(word: str, phrases: Mapping[str, int]) -> int:
    """The value of a word of hundreds or thousands and a smaller number, 0 for other words."""
    if " " in word or not word.isalpha() or len(word) > _MOST_CHARS:
        return 0
    for split_position in range(len(word) - 3, 3, -1):
        large_number, small_number = (
            phrases.get(word[:split_position], 0),
            phrases.get(word[split_position:], 0),
        )
        if large_number >= 100 and 0 < small_number < (1000 if large_number % 1000 == 0 else 100):
            return large_number + small_number
    return 0


def _are_joined(text: str, tokens: Sequence[re.Match[str]], index: int) -> bool:
    """Whether nothing but a blank or a hyphen stands before a token."""
    return text[tokens[index - 1].end() : tokens[index].start()] in _JOINTS


def _may_be_idiom(word: str) -> bool:
    """Whether the characters are units only, two digits only, or several digits at a unit."""
    digit_count = sum(character in _HAN_DIGITS for character in word)
    if digit_count == len(word):
        return digit_count < _FEWEST_HAN_DIGITS
    return not digit_count or bool(_SEVERAL_HAN_DIGITS.search(word))


def _of_han(word: str) -> str:
    """The digits of a number such as 三百二十 or 二〇二六, "" for other words."""
    total, section, digits = 0, 0, ""
    for character in word:
        if character in _HAN_DIGITS:
            digits += str(_HAN_DIGITS[character])
            continue
        if character in _HAN_TENS:
            section += int(digits or 1) * _HAN_TENS[character]
        elif section or digits:
            total += (section + int(digits or 0)) * _HAN_MYRIADS[character]
            section = 0
        else:
            return ""
        digits = ""
    return str(total + section + int(digits or 0))
