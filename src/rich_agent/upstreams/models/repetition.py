"""Detects that a model repeats itself endlessly."""

from dataclasses import dataclass

_MIN_CHARS = 8_000
"""A shorter repetition may be intended: 200 lines of the same words, a table of empty rows."""
_MIN_TIMES = 4
_LONGEST_PERIOD = 2_500
_STEP = 500
_KEPT = _MIN_TIMES * _LONGEST_PERIOD + _LONGEST_PERIOD + 2 * _STEP
_ANCHOR = _MIN_CHARS - _LONGEST_PERIOD
_SEPARATORS = ("\n", ". ", "。", " ")


@dataclass(slots=True)
class LoopWatch:
    """Detects an endless repetition in a text that is fed piece by piece.

    A text repeats itself if it ends with the same passage at least four times, over at least 8,000
    characters. The passage has up to 2,500 characters. The last 13,500 characters are searched once
    for every 500 new ones, so the work for a piece does not depend on the length of the text.
    """

    _length: int = 0
    _end: str = ""
    _unseen: int = 0

    def feed(self, piece: str) -> int | None:
        """Read a piece; return the number of characters before the repetition, None without one."""
        steps = (piece[start : start + _STEP] for start in range(0, len(piece), _STEP))
        return next((length for length in map(self._take, steps) if length is not None), None)

    def _take(self, piece: str) -> int | None:
        self._length += len(piece)
        self._end = (self._end + piece)[-_KEPT:]
        self._unseen += len(piece)
        if self._unseen < _STEP or len(self._end) < _MIN_CHARS:
            return None
        self._unseen = 0
        period = self._period()
        return (
            None if period is None else self._length - len(self._end) + self._end_of_first(period)
        )

    def _period(self) -> int | None:
        """The length of the repeated passage, None if nothing is repeated for long enough."""
        # Backwards, because `find` is linear for any text, and `rfind` is not.
        backwards = self._end[::-1]
        period = backwards.find(backwards[:_ANCHOR], 1, _ANCHOR + _LONGEST_PERIOD)
        min_chars = max(_MIN_CHARS, _MIN_TIMES * period)
        is_found = period > 0 and min_chars <= len(self._end) and self._repeats(min_chars, period)
        return period if is_found else None

    def _repeats(self, length: int, period: int) -> bool:
        """Whether the last `length` characters repeat a passage of `period` characters."""
        start = len(self._end) - length
        return self._end[start : len(self._end) - period] == self._end[start + period :]

    def _end_of_first(self, period: int) -> int:
        """The position after the first repeated passage, at the end of a line, sentence or word."""
        shortest, longest = period, len(self._end)
        while shortest < longest:
            middle = (shortest + longest + 1) // 2
            shortest, longest = (
                (middle, longest) if self._repeats(middle, period) else (shortest, middle - 1)
            )
        repetition_start = len(self._end) - shortest
        next_passage = self._end[repetition_start + period : repetition_start + 2 * period]
        separator = next((candidate for candidate in _SEPARATORS if candidate in next_passage), "")
        return repetition_start + period + next_passage.find(separator) + len(separator)
