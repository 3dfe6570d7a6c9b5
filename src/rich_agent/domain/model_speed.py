"""The speed of a model on its server, as measured by the calls of turns."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

_CALLS_KEPT = 8
_FEWEST_READ = 300
"""Tokens of a prompt; with fewer, the way to the server takes longer than the reading."""
_FEWEST_WRITTEN = 10
_TRIMMED_FROM = 5
"""The number of calls from which the fastest and the slowest one no longer count."""
_LEAST_READING = 0.1
"""The part of a call's time that at least goes into reading."""


@dataclass(frozen=True, slots=True)
class TimedCall:
    """A call with its tokens and its time; `writing_s` is None if only the sum is known."""

    read_tokens: int
    written_tokens: int
    seconds: float
    writing_s: float | None = None


@dataclass(frozen=True, slots=True)
class ModelSpeed:
    """Tokens a second: of a prompt until the first word, and of the words after it.

    The first includes whatever a caller waits for: the way to the server, its queue, hidden
    thoughts. Cached tokens count too, so a server that reuses prompts is faster.
    """

    read: float
    written: float

    def seconds(self, read_tokens: int, written_tokens: int = 0) -> float:
        """The expected time of a call."""
        return read_tokens / self.read + written_tokens / self.written


@dataclass(slots=True)
class SpeedRecord:
    """The last calls of a model."""

    _calls: deque[TimedCall] = field(default_factory=lambda: deque(maxlen=_CALLS_KEPT))

    def add(self, call: TimedCall) -> None:
        """Add a call that was made."""
        if call.seconds > 0:
            self._calls.append(call)

    def speed(self) -> ModelSpeed | None:
        """The speed by these calls, None before the first long prompt."""
        written_rate = _rate(
            [
                (call.written_tokens, call.writing_s)
                for call in self._calls
                if call.writing_s and call.written_tokens >= _FEWEST_WRITTEN
            ]
        )
        read_rate = _rate(
            [
                (call.read_tokens, _reading_s(call, written_rate))
                for call in self._calls
                if call.read_tokens >= _FEWEST_READ
            ]
        )
        return ModelSpeed(read_rate, written_rate) if read_rate < float("inf") else None


def _reading_s(call: TimedCall, written_rate: float) -> float:
    """The time until a call's first word; for a whole answer, by the usual speed of writing."""
    writing_s = call.written_tokens / written_rate if call.writing_s is None else call.writing_s
    return max(call.seconds - writing_s, _LEAST_READING * call.seconds)


def _rate(samples: Sequence[tuple[int, float]]) -> float:
    """Tokens a second over all samples of (tokens, seconds); infinite without any."""
    by_rate = sorted(samples, key=lambda sample: sample[0] / sample[1])
    if len(by_rate) >= _TRIMMED_FROM:
        by_rate = by_rate[1:-1]
    seconds = sum(sample[1] for sample in by_rate)
    return sum(sample[0] for sample in by_rate) / seconds if seconds else float("inf")


CallPolicy = Literal["auto", "always", "never"]
PATIENCE_S = 10.0
"""The wait that keeps a person's attention. Source: Nielsen, "Response Times: The 3 Important
Limits"."""


def unknown_speed() -> ModelSpeed | None:
    """The speed of a model that was not called yet: None."""
    return None


@dataclass(frozen=True, slots=True)
class OptionalCalls:
    """Decides on calls that a turn can do without: a further search, a check, a lesson.

    `planner`, `chat`: return the speed of the model that makes these calls, and of the one that
    answers.
    """

    policy: CallPolicy = "auto"
    planner: Callable[[], ModelSpeed | None] = unknown_speed
    chat: Callable[[], ModelSpeed | None] = unknown_speed

    def fit(self, read_tokens: int, written_tokens: int, within_s: float) -> bool:
        """Whether a call of the planner's model is made, because it ends in time."""
        if self.policy != "auto":
            return self.policy == "always"
        speed = self.planner()
        return speed is None or speed.seconds(read_tokens, written_tokens) <= within_s

    def fit_before_answer(self, read_tokens: int, written_tokens: int, waited_s: float) -> bool:
        """Whether a call is made whose result the answer rests on.

        The answer's model reads about as much. Its first word has to come before the user, who has
        waited for `waited_s`, loses patience.
        """
        chat = self.chat()
        answer_s = chat.seconds(read_tokens) if chat else 0.0
        return self.fit(read_tokens, written_tokens, PATIENCE_S - waited_s - answer_s)
