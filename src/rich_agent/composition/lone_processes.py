"""Processes of their own for work that ended others, so that their end harms nobody.

A shared process that ends proves nothing of what it did: somebody may have killed it, or something
else ended it. A lone one does a single thing, and what kills a service kills it with its parent. So
an end counts against the work only if the parent is still there a moment later.
"""

import asyncio
import os
import secrets
from asyncio.subprocess import DEVNULL
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import structlog

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.repositories.inbox.attempts import PostgresAttempts
from rich_agent.runtime.concurrency import repeat, survived, unless
from rich_agent.runtime.own_programs import own_program

_LONGEST_END_S: Final = 30.0
_NOTE_PAUSE_S: Final = 1.0
ORDERLY_FAILURE: Final = os.EX_TEMPFAIL
"""The exit code of a lone process that could not serve, and knows why. Source: sysexits.h."""
_IDLE_S: Final = 20.0
_LOOK_S: Final = 1.0
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LoneProcesses:
    """A task of each worker: starts a lone process while work waits for one, one at a time.

    What kills parent and child one after the other needs less than `outlives_s`. `rest_s` is the
    pause after a lone process that could not serve, or had nothing to do.
    """

    attempts: PostgresAttempts
    environment: Mapping[str, str]
    look_s: float = 2.0
    outlives_s: float = 1.0
    rest_s: float = 30.0
    program: Sequence[str] = field(
        default_factory=lambda: own_program("rich_agent.commands.lone_worker")
    )

    async def run(self, stop: asyncio.Event) -> None:
        """Look, and start what is needed, until `stop` is set."""
        await repeat("lone_processes", lambda: self._look(stop), stop, self.look_s)

    async def _look(self, stop: asyncio.Event) -> None:
        """Run a lone process to its end, if work waits for one."""
        if not await self.attempts.has_lone_work():
            return
        launch = secrets.randbits(62)
        _log.warning("lone_process.started", launch=launch)
        process = await asyncio.create_subprocess_exec(
            *self.program,
            *(str(launch), str(os.getpid())),
            env=self.environment,
            stdin=DEVNULL,
        )
        try:
            code = await unless(stop, process.wait())
        finally:
            await _end(process)
        if code is None:
            return
        if code:
            _log.warning("lone_process.ended", launch=launch, code=code)
        if code not in (0, ORDERLY_FAILURE):
            await unless(stop, asyncio.sleep(self.outlives_s))
            await self._note_end(launch, stop)
        elif code or await self.attempts.has_lone_work():
            # The database is away, a setting is wrong, or what waits is not due.
            await unless(stop, asyncio.sleep(self.rest_s))

    async def _note_end(self, launch: int, stop: asyncio.Event) -> None:
        """Count the end, as soon as the database can be reached.

        Not if this process is stopped meanwhile: what stops it may have ended the lone one too.
        """
        is_noted = False
        while not (is_noted or stop.is_set()):
            with survived("lone_process.not_noted", DatabaseUnavailableError, level="warning"):
                await self.attempts.note_lone_end(launch)
                is_noted = True
            if not is_noted:
                await unless(stop, asyncio.sleep(_NOTE_PAUSE_S))


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process that still runs: it hands over what it does, or is killed."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError, TimeoutError):
        process.terminate()
        async with asyncio.timeout(_LONGEST_END_S):
            await process.wait()
        return
    with suppress(ProcessLookupError):
        process.kill()
        await process.wait()


async def end_when_idle(attempts: PostgresAttempts, stop: asyncio.Event) -> None:
    """Set `stop` once nothing waits for this lone process, or nothing of it is due for long."""
    idle_s = 0.0
    while idle_s < _IDLE_S and not stop.is_set():
        await unless(stop, asyncio.sleep(_LOOK_S))
        with survived("lone_process.not_looked", DatabaseUnavailableError, level="warning"):
            waits = await attempts.has_lone_work()
            if not waits and not attempts.is_under_way:
                break
            idle_s = 0.0 if attempts.is_under_way else idle_s + _LOOK_S
    stop.set()
