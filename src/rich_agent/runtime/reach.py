"""Keeps what is out of reach of this process, and tells the operator without filling the log.

Clients report each failure and each success here; log, `/status`, readiness and metrics read it.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

import structlog

from rich_agent.errors import RichAgentError, Target

_AGAIN_S: Final = 3600.0
_ECHO_S: Final = 15.0
_LEAST_S: Final = 60.0
"""Seconds between the lines about two outages of one target, at first; they double each time."""
E = TypeVar("E", bound=RichAgentError)
Level = Literal["debug", "info", "warning"]
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Outage:
    """A target that is out of reach for so many seconds, and the last error."""

    target: Target
    error: RichAgentError
    seconds: float


@dataclass(slots=True)
class _Record:
    """The times of a target, in seconds of the clock; None for what has not happened.

    `is_logged` tells whether the log names its present outage, or else its last one.
    """

    began_at: float | None = None
    ended_at: float | None = None
    logged_at: float | None = None
    is_logged: bool = False
    pause_s: float = _LEAST_S
    failures: int = 0
    error: RichAgentError | None = None


class Outages:
    """Logs each outage when it begins, hourly while it lasts, and when it is over.

    `now` gives the seconds of a clock.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._records: dict[Target, _Record] = {}

    def report(self, target: Target, error: RichAgentError, event: str = "out_of_reach") -> None:
        """Note that a try failed; `event` names the kind of failure in the log."""
        now, record = self._now(), self._records.setdefault(target, _Record())
        if record.began_at is None:
            self._begin(record, now)
        record.failures += 1
        record.error = error
        pause_s = _AGAIN_S if record.is_logged else record.pause_s
        if record.logged_at is not None and now - record.logged_at < pause_s:
            return
        record.logged_at, record.is_logged = now, True
        facts = {"error": str(error), "do": error.hint, "since_s": round(now - self._start(record))}
        _log.warning(event, what=target.kind, address=target.address, **facts)

    def end(self, *targets: Target) -> None:
        """Note that a try succeeded, which ends the outages of these targets."""
        for target in targets:
            record = self._records.get(target)
            if record is None or record.began_at is None:
                continue
            now, began_at = self._now(), record.began_at
            record.began_at, record.ended_at = None, now
            if record.is_logged:
                facts = {"after_s": round(now - began_at), "failures": record.failures}
                _log.info("back_in_reach", what=target.kind, address=target.address, **facts)

    @property
    def present(self) -> list[Outage]:
        """The targets that are out of reach now, those that have been so longest first."""
        now = self._now()
        present = [
            Outage(target, record.error, now - record.began_at)
            for target, record in self._records.items()
            if record.began_at is not None and record.error is not None
        ]
        return sorted(present, key=lambda outage: -outage.seconds)

    @property
    def targets(self) -> tuple[Target, ...]:
        """All targets that have been out of reach since the process began."""
        return tuple(self._records)

    def has_reported(self, target: Target | None) -> bool:
        """Whether the operator was told of an outage of the target that lasts, or has just ended.

        Work that it broke off may notice that some seconds later.
        """
        record = self._records.get(target) if target else None
        if record is None or not record.is_logged:
            return False
        is_over_long = record.ended_at is None or self._now() - record.ended_at > _ECHO_S
        return record.began_at is not None or not is_over_long

    def _begin(self, record: _Record, now: float) -> None:
        is_soon = record.ended_at is not None and now - record.ended_at < record.pause_s
        record.pause_s = min(2 * record.pause_s, _AGAIN_S) if is_soon else _LEAST_S
        record.began_at, record.is_logged, record.failures = now, False, 0

    def _start(self, record: _Record) -> float:
        return self._now() if record.began_at is None else record.began_at


def describe_outage(outage: Outage) -> str:
    """An outage in a line for operators: since when, the problem, and what to do."""
    sentences = [f"{outage.target} is out of reach for {outage.seconds:.0f} s: {outage.error}"]
    return ". ".join([*sentences, outage.error.hint] if outage.error.hint else sentences)


_reach: ContextVar[Outages | None] = ContextVar("reach", default=None)


@contextmanager
def noting_outages() -> Iterator[None]:
    """Have this block, and tasks that begin in it, note what is out of reach."""
    token = _reach.set(Outages())
    try:
        yield
    finally:
        _reach.reset(token)


def current_outages() -> Outages:
    """The outages that this task notes; others that stay empty if it notes none."""
    return _reach.get() or Outages()


def out_of_reach(target: Target, error: E) -> E:
    """Note that `error` kept this process from reaching the target; return the error."""
    error.target = target
    if reach := _reach.get():
        reach.report(target, error)
    return error


def in_reach(*targets: Target) -> None:
    """Note that these targets were reached."""
    if reach := _reach.get():
        reach.end(*targets)


def present_outages() -> list[Outage]:
    """The outages of this process, as far as they are known; [] if none are noted."""
    return current_outages().present


def log_failure(
    event: str, error: BaseException, level: Level = "warning", **facts: str | int
) -> None:
    """Log what an error has broken off, for debugging only where its outage is told already."""
    reach, target = _reach.get(), getattr(error, "target", None)
    is_reported = reach is not None and reach.has_reported(target)
    reason = str(error) or type(error).__name__
    getattr(_log, "debug" if is_reported else level)(event, error=reason, **facts)
