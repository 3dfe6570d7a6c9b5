"""Measures a call to a model: until its first word, and while it writes."""

import time


class Stopwatch:
    """Runs from its creation; each piece of an answer is a lap."""

    def __init__(self) -> None:
        self._start_s = time.monotonic()
        self._laps_s: tuple[float, float] | None = None

    def lap(self) -> None:
        """Note that a piece has arrived."""
        now_s = time.monotonic()
        self._laps_s = (self._laps_s[0] if self._laps_s else now_s, now_s)

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return time.monotonic() - self._start_s

    @property
    def writing_s(self) -> float | None:
        """The seconds from the first piece to the last one; None if everything came at once."""
        first_s, last_s = self._laps_s or (0.0, 0.0)
        return last_s - first_s or None
