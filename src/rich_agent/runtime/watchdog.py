"""Ends a process whose event loop is blocked, and logs the code that blocks it.

A thread could not do that: a match of `re` holds the interpreter's lock to its end. A signal
handler interrupts the match, and runs in the context of the task that began it.
"""

import asyncio
import faulthandler
import os
import signal
import sys
import time
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import FrameType

import structlog

from rich_agent.runtime.fencing import current_update

EXIT_CODE = 70
"""The exit code of a process that ended itself. Source: sysexits.h, EX_SOFTWARE."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SilenceLimits:
    """The limits for a blocked loop, in seconds.

    - `tells_s`: after which the log shows the code that blocks it.
    - `ends_s`: after which the process ends, and Docker or systemd starts it again; no step of a
      turn takes the loop for so long. Code that ignores signals ends after 1.5 times that.
    - `tick_s`: between two checks.
    """

    ends_s: float = 60.0
    tells_s: float = 6.0
    tick_s: float = 2.0


class _Watch:
    """Watches the loop: records its beats, and acts if they stop."""

    def __init__(self, limits: SilenceLimits, on_beat: Callable[[float], object]) -> None:
        self._limits = limits
        self._on_beat = on_beat
        self._beaten_at = time.monotonic()
        self._ticks = 0
        self._is_told = False

    async def beat(self) -> None:
        """Record again and again that the loop runs."""
        while True:
            self._beaten_at, self._ticks, self._is_told = time.monotonic(), 0, False
            faulthandler.dump_traceback_later(
                1.5 * self._limits.ends_s, exit=True, file=sys.__stderr__ or sys.stderr
            )
            pause_s = self._limits.tick_s / 2
            await asyncio.sleep(pause_s)
            self._on_beat(max(0.0, time.monotonic() - self._beaten_at - pause_s))

    def look(self, _number: int, frame: FrameType | None) -> None:
        """Handle the signal: log or end if the loop is blocked. `frame` is the running code."""
        self._ticks += 1
        # A process that was suspended finds one tick waiting, and then beats.
        if self._ticks < 2:
            return
        silent_s = time.monotonic() - self._beaten_at
        if silent_s >= self._limits.tells_s and not self._is_told:
            self._is_told = True
            stack = "".join(traceback.format_stack(frame))
            log = _log.bind(silent_s=round(silent_s, 1), update_id=current_update())
            log.error("loop_silent", stack=stack)
        if silent_s >= self._limits.ends_s:
            try:
                _log.critical("loop_silent_ended", silent_s=round(silent_s))
                sys.stderr.flush()
            finally:
                os._exit(EXIT_CODE)


@asynccontextmanager
async def watch_loop(
    limits: SilenceLimits | None = None, on_beat: Callable[[float], object] = lambda _lag_s: None
) -> AsyncIterator[None]:
    """End the process if its loop, which runs in the main thread, is blocked during this block.

    `on_beat` is called at each beat with the seconds by which the beat was late.
    """
    limits = limits or SilenceLimits()
    watch = _Watch(limits, on_beat)
    earlier_handler = signal.signal(signal.SIGALRM, watch.look)
    beat_task = asyncio.create_task(watch.beat())
    signal.setitimer(signal.ITIMER_REAL, limits.tick_s, limits.tick_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier_handler)
        beat_task.cancel()
        faulthandler.cancel_dump_traceback_later()
