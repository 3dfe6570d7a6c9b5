"""Tells whether a text repeats the instructions that a model was given, word for word."""

import re
from collections import deque
from dataclasses import dataclass, field

RUN = 10
"""Words in a row that nobody writes by chance as the instructions have them."""
_SUSPICIOUS = 4
_WORD = re.compile(r"[A-Za-z0-9_'’]+")


@dataclass(frozen=True, slots=True)
class Instructions:
    """The words of instructions, to be recognised in what a model writes."""

    text: str
    _runs: frozenset[tuple[str, ...]] = field(init=False)
    _longest: int = field(init=False)

    def __post_init__(self) -> None:
        words = [word.lower() for word in _WORD.findall(self.text)]
        runs = {
            tuple(words[start : start + length])
            for length in range(_SUSPICIOUS, RUN + 1)
            for start in range(len(words) - length + 1)
        }
        object.__setattr__(self, "_runs", frozenset(runs))
        object.__setattr__(self, "_longest", max(map(len, words), default=0))

    def are_repeated_in(self, text: str) -> bool:
        """Whether a run of `RUN` of their words stands in the text."""
        watch = self.watch()
        watch.feed(text)
        return watch.is_found

    def watch(self) -> "RepetitionWatch":
        """Return a watch that reads a text while it grows."""
        return RepetitionWatch(self._runs, self._longest)


@dataclass(slots=True)
class RepetitionWatch:
    """Reads a growing text; `is_found` once a run of `RUN` words of the instructions stands in it.

    It keeps the last words only, and of a word no more than the instructions' `longest` has.
    """

    runs: frozenset[tuple[str, ...]]
    longest: int
    is_found: bool = False
    _words: deque[str] = field(default_factory=lambda: deque(maxlen=RUN))
    _places: deque[int] = field(default_factory=lambda: deque(maxlen=RUN))
    _word: str = ""
    _length: int = 0

    def feed(self, piece: str) -> int:
        """Return the length of the text that can be shown: up to where it may repeat them."""
        text, before = self._word + piece, self._length - len(self._word)
        self._word, self._length = "", self._length + len(piece)
        shown = self._length
        for found in _WORD.finditer(text):
            word = found[0].lower()
            self.is_found = self.is_found or self._completes(word)
            if found.end() < len(text):
                self._words.append(word)
                self._places.append(before + found.start())
            else:
                self._word = word[: self.longest + 1]
                shown = before + found.start() if len(word) <= self.longest else shown
        return self._repeats_from(shown)

    def _completes(self, word: str) -> bool:
        run = (*self._words, word)[-RUN:]
        return len(run) == RUN and run in self.runs

    def _repeats_from(self, shown: int) -> int:
        """Return the position of the last whole words that begin a part of the instructions."""
        words = tuple(self._words)
        for length in range(len(words), _SUSPICIOUS - 1, -1):
            if words[-length:] in self.runs:
                return self._places[-length]
        return shown
