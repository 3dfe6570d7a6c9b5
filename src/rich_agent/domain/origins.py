"""Origins of the values in a call: from which texts of a prompt they were copied.

A copy is known by its words or by its letters and digits alone, also in base64, hexadecimal or
percent encoding, or backwards. What says the same in other words is not found.
"""

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Self
from urllib.parse import unquote

from rich_agent.domain.value_texts import AROUND, has_spaces, is_in, stands_in
from rich_agent.domain.words import OWN, Origin, Words, letters_of, verbatim_of

_MOST_VALUE_CHARS, _MOST_TEXT_CHARS = 20_000, 200_000
_RUN, _WIDE_RUN = 20, 7
"""Letters and digits in a row that are a copy; fewer where they are CJK."""
_LEAST_WORD, _WIDE_WORD, _LEAST_NUMBER = 5, 3, 4
"""Characters of a word, of one in CJK, and of a number or code, that alone tells something."""
_LEAST_CITED = 8
_PROSE, _WIDE_PROSE = 6, 12
"""Words, or letters of scripts that part no words by spaces, that make a text and no name."""
_MOST_PROSE_CHARS = 4_000
_LEAST_SPELLED = 8
"""Letters of a word that is looked for inside longer ones too; shorter ones are there by chance."""
_WORD = re.compile(r"\w++")
_LETTERS = re.compile(r"[^\W\d_]++")
_DOTS_OF_IPV4 = 3
_HOST_END = re.compile(r"[/?#]")
_BARE_ADDRESS = re.compile(r"[\w-]++(?:\.[\w-]++)++(?::\d++)?+(?=[/?#]|$)")
_SENTENCE_END = re.compile(r"[.!?\n。！？]")
_CODED = re.compile(r"[A-Za-z0-9+/_-]{8,}+={0,2}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_BESIDE: frozenset[Origin] = frozenset({"page"})
"""What anybody can read: it may be sent anywhere."""


@dataclass(frozen=True)
class Sight:
    """The texts of a turn's prompts: what the user `said` in its message, and all `others`."""

    said: str = ""
    others: Sequence[Words] = ()

    @cached_property
    def is_foreign(self) -> bool:
        """Whether others speak, who may order nothing."""
        return any(words.is_foreign for words in self.others)

    @cached_property
    def strangers(self) -> tuple[Words, ...]:
        """The authors of all words that may order nothing, each once and without them."""
        found = (Words("", one.origin, one.name) for one in self.others if one.is_foreign)
        return tuple(dict.fromkeys(found))

    @cached_property
    def _letters(self) -> tuple[str, ...]:
        return tuple(letters_of(words.text[:_MOST_TEXT_CHARS]) for words in self.others)

    @cached_property
    def _verbatim(self) -> tuple[str, ...]:
        return tuple(verbatim_of(words.text[:_MOST_TEXT_CHARS]) for words in self.others)

    @cached_property
    def _numbers(self) -> tuple[set[str], ...]:
        texts = (words.text[:_MOST_TEXT_CHARS] for words in self.others)
        return tuple({word for word in _words_of(text) if _is_number(word)} for text in texts)

    @cached_property
    def _told(self) -> tuple[str, ...]:
        """The letters of what others tell, also where it is written in a code."""
        return tuple(
            letters_of("\n".join(readings(words.text[:_MOST_TEXT_CHARS])))
            for words in self.others
            if words.origin not in {"user", "memory"}
        )

    def gives(self, values: Iterable[str]) -> bool:
        """Whether the user's message holds each of the values, and others do not hold all of them.

        What others hold too may be what they order; what is nowhere else nobody else can order.
        """
        found = [value for value in values if value.strip()]
        if not found or not all(is_in(value, self.said) for value in found):
            return False
        return not all(any(letters_of(value) in one for one in self._told) for value in found)

    def origins(self, value: str) -> tuple[Words, ...]:
        """Return the authors of what is copied in the value, without texts; of strangers first.

        The user alone, if all of it stands in their message.
        """
        if is_in(value, self.said):
            return (Words("", "user"),)
        wanted = verbatim_of(value).strip(AROUND)
        letters = letters_of(value)
        runs = {run for read in readings(value) for run in runs_of(letters_of(read))}
        found = {
            Words("", words.origin, words.name): None
            for words, text, theirs in zip(self.others, self._verbatim, self._letters, strict=True)
            if stands_in(wanted, text)
            or (len(letters) >= _LEAST_CITED and letters in theirs)
            or has_run(theirs, runs)
        }
        return tuple(sorted(found, key=lambda words: words.origin in OWN))

    def author(self, values: Iterable[str]) -> Words:
        """Return whose words the values are, without them: the user's, or a stranger's.

        What the user's message does not hold may be what strangers say, in other words.
        """
        new = [value for value in values if value.strip() and not is_in(value, self.said)]
        if new and self.is_foreign:
            copied = (one for value in new for one in self.origins(value))
            stranger = next(one for one in (*copied, *self.others) if one.is_foreign)
            return Words("", stranger.origin, stranger.name)
        return Words("", "user")

    def carried(self, values: Iterable[str], to: str) -> tuple[Words, ...]:
        """Return the authors of what the values would carry to a place that the user did not name.

        `to` is the server that gets them, "" for the web search. What the user said just now, what
        that server wrote itself and what anybody can read on the web may go there.
        """
        text = "\n".join(values)[:_MOST_VALUE_CHARS]
        if not text:
            return ()  # tools are listed in every turn, before anything is called
        sent = _Sent.of(text, self.said)
        return tuple(
            dict.fromkeys(
                Words("", one.origin, one.name)
                for place, one in enumerate(self.others)
                if self._is_private(one, to) and self._is_carried(place, sent)
            )
        )

    def leads_away(self, values: Iterable[str]) -> bool:
        """Whether a value is an address of a host that the user did not name, and others speak.

        A value leads to every address in it that has a scheme; one without has to be the whole
        value, as "example.org/path" is.
        """
        hosts = (host for value in values for host in _hosts_in(value[:_MOST_VALUE_CHARS]))
        return any(not is_in(host, self.said) for host in hosts) and self.is_foreign

    def is_prose(self, value: str) -> bool:
        """Whether a value says something and names nobody and nothing to act on.

        It is a moment, or words that the user said, or six words and more without an address that
        the user did not say. No sentence of it is one that others wrote, nor is all of it.
        """
        if len(value) > _MOST_PROSE_CHARS:
            return False
        words = dict.fromkeys(_WORD.findall(value))
        if _is_moment(value) or all(is_in(word, self.said) for word in words):
            return True
        wide = sum(letter.isalpha() and not has_spaces(letter) for letter in value)
        named = sum(any(map(str.isalpha, word)) for word in words)
        if (named < _PROSE and wide < _WIDE_PROSE) or self._names_address(value):
            return False
        return not self._is_dictated(value)

    def _is_dictated(self, value: str) -> bool:
        """Whether others wrote all of a text, or one of its sentences that is no mere phrase."""
        sentences = set(map(letters_of, _SENTENCE_END.split(value)))
        said = [letters_of(value), *filter(runs_of, sentences)]
        return any(one in told for one in said for told in self._told)

    def _names_address(self, text: str) -> bool:
        """Whether a word of a text is an address or a name with @ that the user did not say."""
        words = (word.strip(AROUND) for word in text.split())
        return any(
            not is_in(word, self.said) for word in words if "@" in word or any(_hosts_in(word))
        )

    def _is_private(self, words: Words, to: str) -> bool:
        if words.origin in _BESIDE:
            return False
        # What a tool gave is named by its server and itself: "office: find".
        if words.origin == "server" and to and words.name.partition(":")[0] == to:
            return False
        # The conversation itself may be searched for, unless somebody else may have had a say.
        return words.origin not in {"user", "assistant"} or self.is_foreign

    def _is_carried(self, place: int, sent: "_Sent") -> bool:
        one = self.others[place]
        if one.origin != "user" and has_run(self._letters[place], sent.runs):
            return True
        is_told = one.origin == "memory" and self.is_foreign
        return sent.tells(
            _words_of(one.text[:_MOST_TEXT_CHARS]) if is_told else self._numbers[place]
        )


@dataclass(frozen=True, slots=True)
class _Sent:
    """The runs, words and letters that a call sends besides what the user `said`, in letters.

    `begins` are the beginnings of long words that may stand in the letters.
    """

    runs: set[str]
    words: set[str]
    letters: str
    begins: set[str]
    said: str

    @classmethod
    def of(cls, text: str, said: str) -> Self:
        """The same of a text, and of it decoded."""
        found, letters = readings(text), letters_of(said)
        runs = {run for one in found for run in runs_of(letters_of(one))}
        words = {word for one in found for word in _words_of(one)}
        sent = letters_of(text)
        begins = set(_runs(sent, _LEAST_SPELLED))
        return cls(runs - runs_of(letters), words - _words_of(said), sent, begins, letters)

    def tells(self, words: set[str]) -> bool:
        """Whether one of the words is sent; the letters of a long one also one by one."""
        parts = {part for word in words for part in _LETTERS.findall(word)}
        # What begins nowhere is not looked for: there may be ten thousand words.
        begun = (part for part in words | parts if part[:_LEAST_SPELLED] in self.begins)
        return not words.isdisjoint(self.words) or any(
            part in self.letters and part not in self.said for part in begun
        )


def _hosts_in(value: str) -> Iterator[str]:
    """The hosts of the addresses in a value."""
    words = value.replace("\\", "/").split()
    for word in words:
        _, mark, rest = word.partition("//")
        if mark:
            authority = _HOST_END.split(rest, maxsplit=1)[0]
            yield authority.rpartition("@")[2].partition(":")[0]
    bare = _BARE_ADDRESS.match(words[0].strip(AROUND)) if len(words) == 1 else None
    if bare and (any(map(str.isalpha, bare[0])) or bare[0].count(".") == _DOTS_OF_IPV4):
        yield bare[0].partition(":")[0]


def _is_moment(value: str) -> bool:
    """Whether it is a date, with or without a time, as ISO 8601 writes it."""
    with suppress(ValueError):
        return "-" in value and bool(datetime.fromisoformat(value.strip()))
    return False


def readings(text: str) -> list[str]:
    """The text as it is, decoded wherever it is a code, and backwards."""
    plain = unquote(text)
    return [text, plain, plain[::-1], *filter(None, map(_decoded, _CODED.findall(plain)))]


def _decoded(code: str) -> str:
    bare = code.rstrip("=").replace("-", "+").replace("_", "/")
    padded = bare + "=" * (-len(bare) % 4)
    for decode, written in ((bytes.fromhex, bare), (base64.b64decode, padded)):
        with suppress(ValueError):
            return decode(written).decode()
    return ""


def runs_of(letters: str) -> set[str]:
    """Every run of letters and digits that is long enough to be a copy, shorter ones of CJK."""
    return {*_runs(letters, _RUN), *filter(_is_wide, _runs(letters, _WIDE_RUN))}


def has_run(letters: str, runs: set[str]) -> bool:
    """Whether one of the runs stands in a text of letters and digits."""
    if not runs:
        return False
    return not all(map(runs.isdisjoint, (_runs(letters, _RUN), _runs(letters, _WIDE_RUN))))


def _runs(letters: str, size: int) -> Iterator[str]:
    return (letters[start : start + size] for start in range(len(letters) - size + 1))


def _is_wide(run: str) -> bool:
    return all(character >= "\u2e80" for character in run)


def _words_of(text: str) -> set[str]:
    """The words and numbers that alone tell something; CJK is cut into runs of three."""
    found: set[str] = set()
    for word in _WORD.findall(verbatim_of(text)):
        if _is_wide(word):
            found.update(_runs(word, _WIDE_WORD))
        elif len(word) >= _LEAST_WORD or (len(word) >= _LEAST_NUMBER and _is_number(word)):
            found.add(word)
    return found


def _is_number(word: str) -> bool:
    """Whether it is a number or a code; a year is neither."""
    return any(map(str.isdigit, word)) and not _YEAR.fullmatch(word)
