"""Tells whether a text repeats the instructions that a model was given, word for word."""

import re
from collections.abc import Sequence
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

    def __post_init__(self) -> None:
        words = _words(self.text)
        runs = {
            tuple(words[start : start + length])
            for length in range(_SUSPICIOUS, RUN + 1)
            for start in range(len(words) - length + 1)
        }
        object.__setattr__(self, "_runs", frozenset(runs))

    def are_repeated_in(self, text: str) -> bool:
        """Whether a run of `RUN` of their words stands in the text."""
        words = _words(text)
        return any(
            tuple(words[start : start + RUN]) in self._runs for start in range(len(words) - RUN + 1)
        )

    def safe_length(self, text: str) -> int:
        """How much of a growing text can be shown: up to where it may begin to repeat them."""
        found = list(_WORD.finditer(text))
        is_growing = bool(found) and found[-1].end() == len(text)
        shown = found.pop().start() if is_growing else len(text)
        words = [match[0].lower() for match in found]
        for length in range(min(RUN, len(words)), _SUSPICIOUS - 1, -1):
            if tuple(words[-length:]) in self._runs:
                return found[-length].start()
        return shown


def _words(text: str) -> Sequence[str]:
    return [word.lower() for word in _WORD.findall(text)]
