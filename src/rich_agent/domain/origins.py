"""Origins of the values in a call: the texts of a prompt from which the values were copied.

A copy is recognized by its words, or by its letters and digits, also in base64, hexadecimal or
percent encoding, or backwards. The same content in other words is not recognized.
"""

import base64
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Self
from urllib.parse import unquote

from rich_agent.domain.look_alikes import as_ascii
from rich_agent.domain.outgoing.addresses import has_untrusted_address, have_new_address
from rich_agent.domain.outgoing.everyday_words import is_everyday, is_function_word
from rich_agent.domain.outgoing.free_words import FreeWords, is_inflected
from rich_agent.domain.value_texts import AROUND, has_spaces, is_in, stands_in
from rich_agent.domain.verbatim import letters_of, verbatim_of
from rich_agent.domain.words import OWN, Words

_MOST_VALUE_CHARS, _MOST_TEXT_CHARS = 20_000, 200_000
_RUN, _WIDE_RUN = 20, 7
"""Letters and digits in a row that count as a copy, and the same for CJK."""
_LEAST_WORD, _WIDE_WORD, _LEAST_NUMBER = 5, 3, 4
"""Least characters of a word, of a CJK word, and of a number or code, that counts as a copy."""
_LEAST_CITED = 8
_PROSE, _WIDE_PROSE = 6, 12
"""Least words of a text that is no mere name, or letters in scripts without spaces."""
_MOST_PROSE_CHARS = 4_000
_LEAST_SPELLED = 8
"""Least letters of a word that is also looked for inside longer words. Shorter words occur there by
chance."""
_WORD = re.compile(r"\w++")
_LETTERS = re.compile(r"[^\W\d_]++")
_SENTENCE_END = re.compile(r"[.!?\n。！？]")
_CODED = re.compile(r"[A-Za-z0-9+/_-]{8,}+={0,2}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEAST_LONG_NUMBER = 6
"""Least digits of a number that is also found in parts. Shorter numbers occur by chance."""
_PHRASE = 4
"""Words in a row that count as a copy, if one of them is neither common nor the user's."""


@dataclass(frozen=True)
class PromptProvenance:
    """The texts of a turn's prompts: the user's `message`, and `others` with their authors."""

    message: str = ""
    others: Sequence[Words] = ()

    @cached_property
    def is_foreign(self) -> bool:
        """Whether the prompts hold foreign text, whose authors may give no orders."""
        return any(words.is_foreign for words in self.others)

    @cached_property
    def has_untrusted(self) -> bool:
        """Whether the prompts hold text that neither the operator nor the user provided."""
        return any(words.is_untrusted for words in self.others)

    @cached_property
    def foreign_authors(self) -> tuple[Words, ...]:
        """The authors of all foreign texts, each once and without the text."""
        authors = (Words("", words.origin, words.name) for words in self.others if words.is_foreign)
        return tuple(dict.fromkeys(authors))

    @cached_property
    def _letters(self) -> tuple[str, ...]:
        """The letters and digits of each text."""
        return tuple(letters_of(words.text[:_MOST_TEXT_CHARS]) for words in self.others)

    @cached_property
    def _verbatim(self) -> tuple[str, ...]:
        """The verbatim form of each text."""
        return tuple(verbatim_of(words.text[:_MOST_TEXT_CHARS]) for words in self.others)

    @cached_property
    def _numbers(self) -> tuple[set[str], ...]:
        """The numbers and codes of each text."""
        texts = (words.text[:_MOST_TEXT_CHARS] for words in self.others)
        return tuple({word for word in _words_of(text) if _is_number(word)} for text in texts)

    @cached_property
    def _other_letters(self) -> tuple[str, ...]:
        """The letters of each text that is not the user's, with the decoded parts of the text."""
        return tuple(
            letters_of("\n".join(readings(words.text[:_MOST_TEXT_CHARS])))
            for words in self.others
            if words.origin not in {"user", "memory"}
        )

    def user_provides(self, values: Iterable[str]) -> bool:
        """Whether the user's message holds each value, and no other text could have ordered them.

        Another text could have ordered the values only if the other texts hold all of them too.
        """
        filled_values = [value for value in values if value.strip()]
        return (
            bool(filled_values)
            and all(is_in(value, self.message) for value in filled_values)
            and not self.holds(filled_values)
        )

    def holds(self, values: Iterable[str]) -> bool:
        """Whether other people's texts contain all values, and so may have dictated the call."""
        return all(
            any(letters_of(value) in text_letters for text_letters in self._other_letters)
            for value in values
        )

    def copies_operator(self, values: Iterable[str]) -> bool:
        """Whether a value that the user's message lacks copies the operator's words."""
        own_letters = [
            letters
            for words, letters in zip(self.others, self._letters, strict=True)
            if words.origin == "operator"
        ]
        if not own_letters:
            return False
        new_letters = (letters_of(value) for value in values if not is_in(value, self.message))
        return any(
            (len(letters) >= _LEAST_CITED and letters in own) or has_run(own, runs_of(letters))
            for letters in new_letters
            for own in own_letters
        )

    def origins(self, value: str) -> tuple[Words, ...]:
        """Return the authors of the texts that the value copies, others before the user.

        If the user's message holds the whole value, the user is the only author. A copy of the name
        of an author, a channel or a document counts as a copy of its text.
        """
        if is_in(value, self.message):
            return (Words("", "user"),)
        plain_value = verbatim_of(value).strip(AROUND)
        letters = letters_of(as_ascii(value))
        runs = runs_of(letters) | runs_of(letters_of(value))
        distinct_authors = {
            Words("", words.origin, words.name): None
            for words, text, text_letters in zip(
                self.others, self._verbatim, self._letters, strict=True
            )
            if stands_in(plain_value, text)
            or (plain_value and stands_in(plain_value, verbatim_of(words.name)))
            or (len(letters) >= _LEAST_CITED and letters in text_letters)
            or has_run(text_letters, runs)
        }
        return tuple(sorted(distinct_authors, key=lambda words: words.origin in OWN))

    def author(self, values: Iterable[str]) -> Words:
        """Return the author of the values: the user, or the author of a foreign text.

        A value that the user's message does not hold may be a foreign text in other words.
        """
        unsaid_values = [
            value for value in values if value.strip() and not is_in(value, self.message)
        ]
        if unsaid_values and self.is_foreign:
            copied_authors = (words for value in unsaid_values for words in self.origins(value))
            foreign_author = next(
                words for words in (*copied_authors, *self.others) if words.is_foreign
            )
            return Words("", foreign_author.origin, foreign_author.name)
        return Words("", "user")

    def private_authors(
        self, values: Iterable[str], to: str, before: Iterable[str] = (), *, in_prose: bool = False
    ) -> tuple[Words, ...]:
        """Return the authors of private texts that the values copy.

        `to` is the server that gets the values, "" for the web search. A text is not private if the
        user said it just now, if that server wrote it, or if anybody can read it on the web.
        `before` are the values that the server got earlier in the turn: a copy may be split over
        several calls. With `in_prose`, four words in a row are no copy, because the user may want
        them passed on. A value that is too long to compare counts as a copy of all private texts.
        """
        text, earlier_text = "\n".join(values), "\n".join(before)[-_MOST_VALUE_CHARS:]
        if not text:
            return ()  # tools are listed in every turn, before anything is called
        if len(text) > _MOST_VALUE_CHARS:
            private_texts = (words for words in self.others if self._is_private(words, to))
            return tuple(
                dict.fromkeys(Words("", words.origin, words.name) for words in private_texts)
            )
        authors = self._authors_of_copies(text, to, in_prose)
        if earlier_text:
            earlier_authors = self._authors_of_copies(earlier_text, to, in_prose)
            joint_authors = self._authors_of_copies(f"{earlier_text}\n{text}", to, in_prose)
            authors |= {words: None for words in joint_authors if words not in earlier_authors}
        return tuple(authors)

    def _authors_of_copies(self, text: str, to: str, in_prose: bool) -> dict[Words, None]:  # noqa: FBT001 - as above
        """The authors of private texts that the outgoing text copies."""
        outgoing = _OutgoingText.of(text, self.message)
        outgoing = replace(outgoing, phrases=set()) if in_prose else outgoing
        return {
            Words("", words.origin, words.name): None
            for index, words in enumerate(self.others)
            if self._is_private(words, to) and self._is_copied(index, outgoing)
        }

    def holds_back(self, values: Iterable[str], to: str, own: str = "") -> bool:
        """Whether foreign text is in the prompts, and a value has words that may not go out.

        Words may go out if they are in the user's message, in public pages, in texts of the server
        `to`, in `own`, that server's description of its tool, or if they are everyday words.
        """
        if not self.is_foreign:
            return False
        texts = (words.text for words in self.others if self._is_public(words, to))
        free_words = FreeWords(self.message, (own, *(text[:_MOST_TEXT_CHARS] for text in texts)))
        return not all(
            len(value) <= _MOST_VALUE_CHARS and free_words.cover(value) for value in values
        )

    def rewrites(self, values: Iterable[str]) -> bool:
        """Whether the prompts have foreign text, and a value has words that no prompt text has.

        Texts of the user's memory do not count: a code could carry them off.
        """
        texts = (one.text[:_MOST_TEXT_CHARS] for one in self.others if one.origin != "memory")
        free_words = FreeWords(self.message, tuple(texts), prose=True)
        return self.is_foreign and not all(
            free_words.cover(value)
            for value in values
            if not (_is_moment(value) or _is_mere_mark(value))
        )

    def opens_untrusted_address(
        self, arguments: Iterable[tuple[str, str]], formats: Container[str] = ()
    ) -> bool:
        """Whether foreign text is in the prompts, and a value could be another's address."""
        return self.is_foreign and have_new_address(arguments, self.message, formats)

    def is_prose(self, value: str) -> bool:
        """Whether a value is mere text, which names nobody and nothing to act on.

        A value is mere text if it is a moment, or if the user said all its words. It is also mere
        text if it has at least six words, no address that the user did not say, and no sentence
        that others wrote.
        """
        if len(value) > _MOST_PROSE_CHARS:
            return False
        words = dict.fromkeys(_WORD.findall(value))
        if _is_moment(value) or all(is_in(word, self.message) for word in words):
            return True
        wide_count = sum(letter.isalpha() and not has_spaces(letter) for letter in value)
        word_count = sum(any(map(str.isalpha, word)) for word in words)
        if (word_count < _PROSE and wide_count < _WIDE_PROSE) or has_untrusted_address(
            value, self.message
        ):
            return False
        return not self._is_dictated(value)

    def _is_dictated(self, value: str) -> bool:
        """Whether others wrote the whole text, or one of its longer sentences."""
        sentences = set(map(letters_of, _SENTENCE_END.split(value)))
        readings_of_value = [letters_of(value), *filter(runs_of, sentences)]
        return any(
            reading in letters for reading in readings_of_value for letters in self._other_letters
        )

    def _is_public(self, words: Words, to: str) -> bool:
        """Whether anybody can read the text, or the server `to` wrote it."""
        return words.origin in {"page", "operator"} or _is_of(words, to)

    def _is_private(self, words: Words, to: str) -> bool:
        """Whether the text must not go to the server `to`."""
        if self._is_public(words, to):
            return False
        # The conversation itself may be searched for, unless somebody else may have had a say.
        return words.origin not in {"user", "assistant"} or self.is_foreign

    def _is_copied(self, place: int, outgoing: "_OutgoingText") -> bool:
        """Whether the outgoing text copies the text at this index."""
        words, is_memory = self.others[place], self.others[place].origin == "memory"
        runs = {"user": set[str](), "assistant": outgoing.long_wide_runs}.get(
            words.origin, outgoing.runs
        )
        if has_run(self._letters[place], runs):
            return True
        if not self.is_foreign:
            return outgoing.tells(self._numbers[place])
        text, numbers = words.text[:_MOST_TEXT_CHARS], self._numbers[place]
        if is_memory and outgoing.tells(_words_of(text) | _short_words_of(text)):
            return True
        least_digits = _LEAST_NUMBER if is_memory else _LEAST_LONG_NUMBER
        if outgoing.tells(numbers) or outgoing.has_number(numbers, least_digits):
            return True
        return words.origin != "user" and (outgoing.repeats(text) or outgoing.spells(text))


def _is_of(words: Words, server: str) -> bool:
    """Whether the server wrote the words. A tool's result has a name such as "office: find"."""
    return words.origin == "server" and bool(server) and words.name.partition(":")[0] == server


@dataclass(frozen=True, slots=True)
class _OutgoingText:
    """A text that a call sends, in the forms in which copies are looked for."""

    runs: set[str]
    """Runs of letters and digits that are not in the user's message."""
    words: set[str]
    """Words that are not in the user's message."""
    letters: str
    """All letters and digits, without spaces."""
    begins: set[str]
    """All runs of `letters` with which a long word could begin."""
    digits: str
    """All digits, without anything between them."""
    phrases: set[tuple[str, ...]]
    """Four words in a row, one of which is neither in the user's message nor common."""
    message: str
    """The user's message."""

    @classmethod
    def of(cls, text: str, message: str) -> Self:
        """Analyse a text that a call sends."""
        letters, message_letters = letters_of(text), letters_of(message)
        message_words = {*_WORD.findall(verbatim_of(message)), *_words_of(message)}
        phrases = {
            phrase
            for phrase in _phrases(text)
            if any(word not in message_words and not is_function_word(word) for word in phrase)
        }
        words = (_words_of(text) | _short_words_of(text)) - message_words
        begins = set(_runs(letters, _LEAST_SPELLED))
        digits = "".join(filter(str.isdigit, text))
        return cls(
            runs_of(letters) - runs_of(message_letters),
            words,
            letters,
            begins,
            digits,
            phrases,
            message,
        )

    @property
    def long_wide_runs(self) -> set[str]:
        """CJK runs of the length for other scripts. A shorter run may be a name."""
        return {run for run in self.runs if len(run) == _RUN and _is_wide(run)}

    def tells(self, words: set[str]) -> bool:
        """Whether one of the words is sent; for a long word, whether its letters are sent."""
        informative = (word for word in words & self.words if not is_inflected(word, self.message))
        return any(informative) or any(self._spelled_parts(words))

    def spells(self, text: str) -> bool:
        """Whether the letters of a rare word of a text are sent, but not as a word."""
        parts = self._spelled_parts(_words_of(text))
        return any(part not in self.words and not is_everyday(part) for part in parts)

    def _spelled_parts(self, words: set[str]) -> Iterator[str]:
        message_letters = letters_of(self.message)
        # `begins` spares most searches: there may be ten thousand words.
        for part in {*words, *(part for word in words for part in _LETTERS.findall(word))}:
            may_be_spelled = part[:_LEAST_SPELLED] in self.begins
            if may_be_spelled and part in self.letters and part not in message_letters:
                yield part

    def has_number(self, numbers: set[str], least: int) -> bool:
        """Whether the digits of one of the numbers are sent, with anything between them."""
        message_digits = "".join(filter(str.isdigit, self.message))
        digits_of_numbers = ("".join(filter(str.isdigit, number)) for number in numbers)
        return any(
            len(digits) >= least and digits in self.digits and digits not in message_digits
            for digits in digits_of_numbers
        )

    def repeats(self, text: str) -> bool:
        """Whether the text and the sent text share one of the `phrases`."""
        return bool(self.phrases) and not self.phrases.isdisjoint(_phrases(text))


def _phrases(text: str) -> Iterator[tuple[str, ...]]:
    """All sequences of four words."""
    words = _WORD.findall(verbatim_of(text))
    return zip(*(words[start:] for start in range(_PHRASE)), strict=False)


def _short_words_of(text: str) -> set[str]:
    """The short words of a text, without function words."""
    words = {word for word in _WORD.findall(verbatim_of(text)) if len(word) < _LEAST_WORD}
    return {
        word for word in words if len(word) > 1 and word.isalpha() and not is_function_word(word)
    }


def _is_mere_mark(value: str) -> bool:
    """Whether the value is a short mark without letters or digits."""
    return len(value) < _LEAST_WORD and not any(map(str.isalnum, value))


def _is_moment(value: str) -> bool:
    """Whether the value is a date in ISO 8601, with or without a time."""
    with suppress(ValueError):
        return "-" in value and bool(datetime.fromisoformat(value.strip()))
    return False


def readings(text: str) -> list[str]:
    """The text as it is, percent-decoded, backwards, and the content of each code in it."""
    decoded_text = unquote(text)
    return [
        text,
        decoded_text,
        decoded_text[::-1],
        *filter(None, map(_decode, _CODED.findall(decoded_text))),
    ]


def _decode(code: str) -> str:
    """The text that a hexadecimal or base64 code holds, "" if it is none."""
    unpadded_code = code.rstrip("=").replace("-", "+").replace("_", "/")
    with_padding = unpadded_code + "=" * (-len(unpadded_code) % 4)
    for decode, code_digits in ((bytes.fromhex, unpadded_code), (base64.b64decode, with_padding)):
        with suppress(ValueError):
            return decode(code_digits).decode()
    return ""


def runs_of(letters: str) -> set[str]:
    """All runs of 20 letters and digits in a text, and of 7 for CJK. Each could be a copy."""
    return {*_runs(letters, _RUN), *filter(_is_wide, _runs(letters, _WIDE_RUN))}


def has_run(letters: str, runs: set[str]) -> bool:
    """Whether a text of letters and digits contains one of the runs."""
    if not runs:
        return False
    return not all(map(runs.isdisjoint, (_runs(letters, _RUN), _runs(letters, _WIDE_RUN))))


def _runs(letters: str, size: int) -> Iterator[str]:
    """All runs of `size` characters."""
    return (letters[start : start + size] for start in range(len(letters) - size + 1))


def _is_wide(run: str) -> bool:
    """Whether all characters may be Chinese, Japanese or Korean."""
    return all(character >= "\u2e80" for character in run)


def _words_of(text: str) -> set[str]:
    """The words and numbers that count as a copy by themselves; CJK is cut into runs of three."""
    words: set[str] = set()
    for word in _WORD.findall(verbatim_of(text)):
        if _is_wide(word):
            words.update(_runs(word, _WIDE_WORD))
        elif len(word) >= _LEAST_WORD or (len(word) >= _LEAST_NUMBER and _is_number(word)):
            words.add(word)
    return words


def _is_number(word: str) -> bool:
    """Whether the word is a number or a code. A year is neither."""
    return any(map(str.isdigit, word)) and not _YEAR.fullmatch(word)
