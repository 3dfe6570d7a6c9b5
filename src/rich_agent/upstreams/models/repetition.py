"""Finds out that a model repeats itself without end."""

from dataclasses import dataclass

_LEAST_CHARS = 8_000
"""A shorter repetition may be wanted: 200 lines of the same words, a table of empty rows."""
_LEAST_TIMES = 4
_LONGEST_PERIOD = 2_500
_STEP = 500
_KEPT = _LEAST_TIMES * _LONGEST_PERIOD + _LONGEST_PERIOD + 2 * _STEP
_ANCHOR = _LEAST_CHARS - _LONGEST_PERIOD
_BREAKS = ("\n", ". ", "。", " ")


@dataclass(slots=True)
class LoopWatch:
    """Watches a text whose pieces are fed to it.

    A text repeats itself if its end is one passage of up to 2,500 characters, character by
    character the same, at least four times and over at least 8,000 characters. It is looked for
    once in 500 characters, in the last 13,500, so the work for a piece does not depend on the text.
    """

    _length: int = 0
    _end: str = ""
    _unseen: int = 0

    def feed(self, piece: str) -> int | None:
        """Return the characters of the whole text before it repeats itself, None if it does not."""
        steps = (piece[at : at + _STEP] for at in range(0, len(piece), _STEP))
        return next((length for length in map(self._take, steps) if length is not None), None)

    def _take(self, piece: str) -> int | None:
        self._length += len(piece)
        self._end = (self._end + piece)[-_KEPT:]
        self._unseen += len(piece)
        if self._unseen < _STEP or len(self._end) < _LEAST_CHARS:
            return None
        self._unseen = 0
        period = self._period()
        return None if period is None else self._length - len(self._end) + self._once(period)

    def _period(self) -> int | None:
        """The length of the repeated passage, None if nothing is repeated for long enough."""
        # Backwards, because `find` is linear for any text, and `rfind` is not.
        backwards = self._end[::-1]
        period = backwards.find(backwards[:_ANCHOR], 1, _ANCHOR + _LONGEST_PERIOD)
        least = max(_LEAST_CHARS, _LEAST_TIMES * period)
        is_found = period > 0 and least <= len(self._end) and self._repeats(least, period)
        return period if is_found else None

    def _repeats(self, length: int, period: int) -> bool:
        """Whether the last `length` characters are the passages of this length."""
        start = len(self._end) - length
        return self._end[start : len(self._end) - period] == self._end[start + period :]

    def _once(self, period: int) -> int:
        """Return the end of the first of the repeated passages, at a line, a sentence or a word."""
        low, high = period, len(self._end)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._repeats(middle, period) else (low, middle - 1)
        first = len(self._end) - low
        again = self._end[first + period : first + 2 * period]
        mark = next((one for one in _BREAKS if one in again), "")
        return first + period + again.find(mark) + len(mark)
