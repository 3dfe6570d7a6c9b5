"""Small talk, understood without a model: whole messages of `small_talk.toml`, or no words.

A message is compared as a whole: "hi, what is a validator?" is a question.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

from rich_agent.domain.text import UNSPACED, bare_words, normalized

SmallTalk = Literal[
    "greeting", "farewell", "thanks", "help", "laughter", "reaction", "silence", "number"
]
ANY_LANGUAGE = "any"
_LONGEST = 120  # characters; longer ones are no small talk
_LONGEST_WORD = 40
_LONGEST_UNSPACED_WORD = 12
_DRAWN_OUT = re.compile(r"(.)\1{2,}")
_PAUSE = re.compile(r"[,.!?;…،。、！？؟।\n]+")
_CALCULATION = re.compile(r"(?=[^\d]*\d)[\d\s.,+\-*/×÷x^()%=]+\??")
_UNSPACED = re.compile(rf"[{UNSPACED}]")


@dataclass(frozen=True, slots=True)
class Phrase:
    """The meaning of a whole message, and the languages in which it has this meaning."""

    kind: SmallTalk
    languages: frozenset[str]


def _fold_words(text: str) -> str:
    """The words in lower case, with accents and tones, which may make another word."""
    return normalized("NFC", bare_words(text))


def _read() -> Iterator[tuple[str, SmallTalk, str]]:
    """Each phrase of the file, with its kind and language."""
    content = files(__package__).joinpath("small_talk.toml").read_text(encoding="utf-8")
    for language, kinds in tomllib.loads(content).items():
        for kind, phrases in kinds.items():
            yield from ((_fold_words(phrase), kind, language) for phrase in phrases.split(";"))


def _by_wording() -> Mapping[str, Phrase]:
    """The phrases; the first language decides the kind."""
    phrase_by_wording: dict[str, Phrase] = {}
    for wording, kind, language in _read():
        known_phrase = phrase_by_wording.get(wording, Phrase(kind, frozenset()))
        phrase_by_wording[wording] = Phrase(known_phrase.kind, known_phrase.languages | {language})
    return MappingProxyType(phrase_by_wording)


_PHRASES = _by_wording()


def phrase_of(text: str) -> Phrase | None:
    """The small talk that the whole text is, None if it may ask for something.

    Of several phrases, the last counts: "hi, thanks!". Stretched letters count once: "hiiii". A
    "number" is a number or a calculation, a "reaction" has emoji only, "silence" not even these.
    """
    if len(text) > _LONGEST:
        return None
    any_language = frozenset({ANY_LANGUAGE})
    if not bare_words(text):
        has_emoji = any(unicodedata.category(character) == "So" for character in text)
        return Phrase("reaction" if has_emoji else "silence", any_language)
    if _CALCULATION.fullmatch(normalized("NFKC", text).strip()):
        return Phrase("number", any_language)
    if whole_phrase := _phrase(text):
        return whole_phrase
    phrases = [_phrase(part) for part in _PAUSE.split(text) if bare_words(part)]
    return phrases[-1] if all(phrases) else None


def _phrase(text: str) -> Phrase | None:
    """The phrase that equals a text, None for other texts."""
    words = _fold_words(text)
    return _PHRASES.get(words) or _PHRASES.get(_DRAWN_OUT.sub(r"\1", words))


def small_talk(text: str) -> SmallTalk | None:
    """The kind of `phrase_of`."""
    phrase = phrase_of(text)
    return phrase.kind if phrase else None


def lone_word(text: str) -> str:
    """The single word that the text consists of, without marks around it; "" for other texts.

    「有給休暇」 is one word, and so is "SHA-256"; small talk is left out.
    """
    plain_text = normalized("NFKC", text[: 2 * _LONGEST]).strip()
    letter_positions = [
        index for index, character in enumerate(plain_text) if bare_words(character)
    ]
    word = plain_text[letter_positions[0] : letter_positions[-1] + 1] if letter_positions else ""
    longest_word = _LONGEST_UNSPACED_WORD if _UNSPACED.search(word) else _LONGEST_WORD
    if len(word) > longest_word or len(word.split()) != 1:
        return ""
    return "" if small_talk(word) else word
