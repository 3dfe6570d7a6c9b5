"""Ends a process whose event loop is silent, and tells at what it stood still.

A thread could not do it: a match of `re` holds the interpreter's lock to its end. A signal reaches
the match itself, and with it the context of the task that began it.
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
"""Of a process that ended itself. Source: sysexits.h, EX_SOFTWARE."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SilenceLimits:
    """The longest silence of a loop, in seconds.

    After `tells_s` the log tells where. After `ends_s` the process ends: no step of a turn takes
    the loop for so long, and Docker and systemd start it again. Code that heeds no signal ends at
    one and a half times that. `tick_s`: how often is looked.
    """

    ends_s: float = 60.0
    tells_s: float = 6.0
    tick_s: float = 2.0


class _Watch:
    def __init__(self, limits: SilenceLimits, on_beat: Callable[[float], object]) -> None:
        self._limits = limits
        self._on_beat = on_beat
        self._beaten_at = time.monotonic()
        self._ticks = 0
        self._is_told = False

    async def beat(self) -> None:
        """Show again and again that the loop runs."""
        while True:
            self._beaten_at, self._ticks, self._is_told = time.monotonic(), 0, False
            faulthandler.dump_traceback_later(
                1.5 * self._limits.ends_s, exit=True, file=sys.__stderr__ or sys.stderr
            )
            pause_s = self._limits.tick_s / 2
            await asyncio.sleep(pause_s)
            self._on_beat(max(0.0, time.monotonic() - self._beaten_at - pause_s))

    def look(self, _number: int, frame: FrameType | None) -> None:
        """Called by the signal, within whatever runs."""
        self._ticks += 1
        # A process that was stopped, or slept, finds one tick waiting, and then beats.
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
    """End the process when this loop, which runs in the main thread, stands still in the block.

    `on_beat` is told at each beat by how many seconds it came late.
    """
    limits = limits or SilenceLimits()
    watch = _Watch(limits, on_beat)
    before = signal.signal(signal.SIGALRM, watch.look)
    beating = asyncio.create_task(watch.beat())
    signal.setitimer(signal.ITIMER_REAL, limits.tick_s, limits.tick_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        beating.cancel()
        faulthandler.cancel_dump_traceback_later()
