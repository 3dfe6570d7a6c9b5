"""Tells the operator in the log that an upstream is out of reach, without filling it."""

import time
from collections.abc import Callable
from typing import Final

import structlog

from rich_agent.errors import RichAgentError

_AGAIN_S: Final = 3600.0
_LEAST_S: Final = 60.0
"""Seconds between the lines about two outages of one kind."""
_log = structlog.get_logger()


class OutageLog:
    """Logs each kind of failure when it begins, hourly while it lasts, and when it is over.

    `now` gives the seconds of a clock.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._logged_at: dict[str, float] = {}
        self._began_at: dict[str, float] = {}

    def report(self, event: str, error: RichAgentError) -> None:
        """Note that a try failed; `event` names the kind of failure in the log."""
        now = self._now()
        pause_s = _AGAIN_S if event in self._began_at else _LEAST_S
        self._began_at.setdefault(event, now)
        if event in self._logged_at and now - self._logged_at[event] < pause_s:
            return
        self._logged_at[event] = now
        _log.warning(event, error=str(error), do=error.hint)

    def end(self, *events: str) -> None:
        """Note that a try succeeded, which ends failures of these kinds."""
        for event in events:
            began_at = self._began_at.pop(event, None)
            if began_at is not None and self._logged_at[event] >= began_at:
                _log.info(f"{event}_over", after_s=round(self._now() - began_at))
