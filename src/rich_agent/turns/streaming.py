"""Strategies for how much of a growing text to show now, which can be combined.

A strategy is called again and again with the whole text so far, and returns a length. It does not
read a clock.
"""

from collections.abc import Callable
from dataclasses import dataclass

import regex

from rich_agent.domain.text import HAN, KATAKANA, UNSPACED

_GRAPHEME = regex.compile(r"\X")
# Searched backwards: the last place where a grapheme begins for certain.
_LAST_GAP = regex.compile(r"(?r)(?<=[!-~]) ")
# An ASCII mark ends a sentence only before a space: 3.14, 12:30 and example.org stay whole.
_SENTENCE_END = regex.compile(
    r"[。！？、，；：…‥।؟۔]+[」』）】”’\"')\]]*|(?<![.!?;:,])[.!?;:,]++[\"')\]”’*_`]*+(?=\s)|\n"
)
# Searched backwards: the last place where a word ends for certain.
_LAST_SPACE = regex.compile(r"(?r)\s")
_UNSPACED = rf"{UNSPACED}\p{{Tibetan}}"
_SPACED = r"\p{Latin}\p{Nd}\p{Ps}"
# Searched backwards, in text without spaces: after a mark, and where the script changes, because
# words change there. Exceptions: before hiragana, which end a word that began in another script;
# after hiragana that are no particle or ending; between a number and its unit.
_LAST_CHANGE = regex.compile(
    rf"(?r)(?<=[\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f])(?=[^\p{{P}}])"
    rf"|(?<=[はがをにでとのもへやてたる])(?=[{HAN}{KATAKANA}{_SPACED}])"
    rf"|(?<=[{KATAKANA}])(?=[{HAN}{_SPACED}])"
    rf"|(?<=[{HAN}])(?=[{KATAKANA}{_SPACED}])"
    rf"|(?<=\p{{Latin}})(?=[{_UNSPACED}])"
)
_LONG_UNSPACED = 24
_UNSPACED_RUN = regex.compile(rf"[{_UNSPACED}]{{{_LONG_UNSPACED}}}")
_LONGEST_LOOK_BACK = 200
_LONGEST_CLAUSE = 1_000
"""The characters at the end of the text in which the end of a clause or word is searched.

Usually far less text waits to be shown; the limit is for hostile texts.
"""


@dataclass(frozen=True, slots=True)
class Growth:
    """A growing text.

    - `shown`: the number of characters that are shown already.
    - `quiet_s`: seconds since the text last grew.
    - `waiting_s`: seconds for which some of the text has waited to be shown.
    """

    text: str
    shown: int = 0
    quiet_s: float = 0.0
    waiting_s: float = 0.0


ChunkStrategy = Callable[[Growth], int]
"""Returns how many characters of a growing text to show now, at least `growth.shown`."""


def clause_end(growth: Growth) -> int:
    """Show the text up to the last end of a sentence, a clause or a line, in any script."""
    start = max(growth.shown, len(growth.text) - _LONGEST_CLAUSE)
    matches = _SENTENCE_END.finditer(growth.text, start)
    return max((match.end() for match in matches), default=growth.shown)


def word_end(growth: Growth) -> int:
    """Show the text up to the last place between two words.

    In text without spaces, that is a punctuation mark or a change of script. If neither comes for
    24 characters, as in Thai, half of the waiting text is shown.
    """
    text, start = growth.text, growth.shown
    space = _LAST_SPACE.search(text, max(start, len(text) - _LONGEST_CLAUSE))
    change = _LAST_CHANGE.search(text, max(start, len(text) - _LONGEST_LOOK_BACK))
    candidate_ends = [start, space.end() if space else 0, change.start() if change else 0]
    tail_start = len(text) - _LONG_UNSPACED
    if tail_start >= max(candidate_ends) and _UNSPACED_RUN.match(text, tail_start):
        candidate_ends.append((max(candidate_ends) + len(text)) // 2)
    return max(candidate_ends)


def debounce(quiet_s: float, longest_s: float = float("inf")) -> ChunkStrategy:
    """Show everything once the text is quiet for `quiet_s`, or some of it waits for `longest_s`."""

    def limit(growth: Growth) -> int:
        is_due = growth.quiet_s >= quiet_s or growth.waiting_s >= longest_s
        return len(growth.text) if is_due else growth.shown

    return limit


def any_of(*strategies: ChunkStrategy) -> ChunkStrategy:
    """Show as much as any one of the strategies allows."""
    return lambda growth: max(strategy(growth) for strategy in strategies)


def all_of(*strategies: ChunkStrategy) -> ChunkStrategy:
    """Show only as much as all of the strategies allow."""
    return lambda growth: min(strategy(growth) for strategy in strategies)


def first_text(length: int, then: ChunkStrategy) -> ChunkStrategy:
    """Show nothing until the text has `length` characters, then all of it; later ask `then`."""

    def limit(growth: Growth) -> int:
        if growth.shown:
            return then(growth)
        return len(growth.text) if len(growth.text) >= length else 0

    return limit


@dataclass(slots=True)
class ShownText:
    """The part of a growing text that is shown: each text only once, and only whole characters.

    A last character that further text may change is held back: an accent, the other half of a flag
    or of a surrogate pair may follow. Times are seconds of any one clock.
    """

    strategy: ChunkStrategy
    text: str = ""
    shown: str = ""
    _grew_at: float = 0.0
    _waits_since: float | None = None

    def grow(self, text: str, now: float) -> None:
        """Set the text so far, from its first character.

        If it does not begin with the shown text, the turn has started again, and so does the
        shown text.
        """
        if text == self.text:
            return
        self.text, self._grew_at = text, now
        if self._waits_since is None:
            self._waits_since = now

    def take(self, now: float) -> str | None:
        """Return the text to show now, from its first character; None if there is nothing new."""
        start = len(self.shown) if self.text.startswith(self.shown) else 0
        waiting_s = now - self._waits_since if self._waits_since is not None else 0.0
        growth = Growth(self.text, start, now - self._grew_at, waiting_s)
        length = self.strategy(growth)
        end = whole_characters(self.text, length, start) if length > start else start
        return self._show(end) if end > start else None

    def finish(self) -> str | None:
        """Return the whole text; None if all of it is shown."""
        return self._show(len(self.text)) if self.text != self.shown else None

    def _show(self, end: int) -> str:
        """Note that the text is shown up to this index, and return that text."""
        self.shown = self.text[:end]
        self._waits_since = None
        return self.shown


def whole_characters(text: str, end: int, start: int = 0) -> int:
    """The last index up to `end` at which the text can be cut without splitting a character.

    That holds whatever text follows. `start` has to be such an index. Characters of more than 200
    code points may be split.

    Source: grapheme clusters of Unicode's UAX #29; a boundary depends on the text before it and on
    the one character after it.
    """
    search_start = max(start, end - _LONGEST_LOOK_BACK)
    gap = _LAST_GAP.search(text, search_start, end)
    boundary = gap.start() if gap else search_start
    for match in _GRAPHEME.finditer(text, boundary):
        if match.start() > end:
            break
        boundary = match.start()
    return boundary
