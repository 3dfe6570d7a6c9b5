"""Starts `ingest` for sources whose clocks are due, and watches folders.

Each job is done by one worker at a time, in a process of its own with low priority. If a worker is
killed, another one takes its jobs over when their leases end, and `ingest` goes on where it was.
"""

import asyncio
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import unquote, urlsplit

import structlog

from rich_agent.feature import RichAgentError
from rich_agent.feature.connectors import SourceJob
from rich_agent.feature.running import (
    alongside,
    own_program,
    repeat,
    survived,
    task_group,
    unless,
)
from rich_agent.feature.text import shorten
from rich_agent.features.connectors.clocks import (
    HeldClock,
    SourceClocks,
    SourceNews,
    SourceWork,
)

_LONGEST_END_S: Final = 20.0
_OUTPUT_CHARS: Final = 400
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SourceSyncLoop:
    """A task of each worker; any number of them share the clocks.

    The documents of `contents_at_once` sources are read together, and the rights of
    `rights_at_once`, so that an event does not wait for the long reading of another source. The
    database is asked once every `look_s` what is due, and a lease is renewed every `renew_s`.
    `tell` is told of sources that cannot be read, and can again.
    """

    clocks: SourceClocks
    environment: Mapping[str, str]
    tell: Callable[[SourceNews], Awaitable[None]]
    contents_at_once: int = 2
    rights_at_once: int = 3
    look_s: float = 3.0
    renew_s: float = 25.0

    async def run(self, stop: asyncio.Event) -> None:
        """Do what is due until `stop` is set; a sync that runs then is interrupted."""
        async with task_group() as group:
            works: Mapping[SourceWork, Callable[[], Awaitable[None]]] = {
                "content": partial(self._sync_next, "content", stop),
                "rights": partial(self._sync_next, "rights", stop),
                "watch": partial(self._watch_next, group, stop),
                "news": self._tell_news,
            }
            running: Counter[SourceWork] = Counter()

            async def work(kind: SourceWork) -> None:
                try:
                    with survived("source_syncing.failed", Exception, level="warning"):
                        await works[kind]()
                finally:
                    running[kind] -= 1

            # Each kind has places of its own, so that rights never wait for documents.
            places = {"content": self.contents_at_once, "rights": self.rights_at_once}

            async def look() -> None:
                for kind in await self.clocks.due():
                    if running[kind] < places.get(kind, 1):
                        running[kind] += 1
                        group.create_task(work(kind))

            await repeat("source_syncing", look, stop, self.look_s)

    async def _tell_news(self) -> None:
        while news := await self.clocks.take_news():
            await self.tell(news)

    async def _sync_next(self, job: SourceJob, stop: asyncio.Event) -> None:
        """Do all that is due of a kind. Raises: DatabaseUnavailableError."""
        while not stop.is_set() and (clock := await self.clocks.claim([job])):
            problem = await self._sync(clock, stop)
            await self.clocks.release(clock, problem, again=stop.is_set())

    async def _sync(self, clock: HeldClock, stop: asyncio.Event) -> str:
        """Run `ingest` to its end; returns what ended it, "" if it noted its outcome itself."""
        rights = ["--rights"] if clock.job == "rights" else []
        process = await asyncio.create_subprocess_exec(
            *own_program("ingest.cli"),
            *("sync", clock.source_id, "--scheduled", *rights),
            env=self.environment,
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=PIPE,
        )
        try:
            async with alongside(self._hold(clock, process)):
                output = await unless(stop, process.communicate())
        finally:
            await _end(process)
        if output is None or process.returncode == 0:
            return ""
        errors = output[1].decode("utf-8", "replace").strip()[-_OUTPUT_CHARS:]
        errors = shorten(errors, _OUTPUT_CHARS)
        _log.warning("source_sync.failed", source=clock.source_id, job=clock.job, said=errors)
        return f"the sync ended with {process.returncode}: {errors}"

    async def _hold(self, clock: HeldClock, process: Process | None = None) -> None:
        """Renew the lease while it is this worker's; the process ends with it."""
        while True:
            await asyncio.sleep(self.renew_s)
            with survived("source_sync.not_renewed", RichAgentError, level="warning"):
                if not await self.clocks.renew(clock):
                    if process and process.returncode is None:
                        process.send_signal(signal.SIGINT)
                    return

    async def _watch_next(self, group: asyncio.TaskGroup, stop: asyncio.Event) -> None:
        """Begin to watch each folder that nobody watches. Raises: DatabaseUnavailableError."""
        while not stop.is_set() and (clock := await self.clocks.claim(["watch"])):
            group.create_task(self._watch(clock, stop))

    async def _watch(self, clock: HeldClock, stop: asyncio.Event) -> None:
        problem = ""
        with survived("watching.failed", RichAgentError, level="warning"):
            try:
                async with alongside(self._hold(clock)):
                    await unless(stop, self._follow(clock))
            except (OSError, ImportError) as error:
                problem = f"the folder cannot be watched: {error}"
                _log.warning("watching.failed", source=clock.source_id, error=str(error))
            await self.clocks.release(clock, problem, again=stop.is_set())

    async def _follow(self, clock: HeldClock) -> None:
        """Have the documents read at each change. Raises: OSError, ImportError."""
        from watchfiles import awatch  # noqa: PLC0415 - optional

        # What changed while nobody watched is read too.
        await self.clocks.hasten(clock.source_id)
        async for _changes in awatch(unquote(urlsplit(clock.root_url).path)):
            await self.clocks.hasten(clock.source_id)


async def _end(process: Process) -> None:
    """End a process that still runs: it may finish what it writes, and is killed then."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError, TimeoutError):
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(_LONGEST_END_S):
            await process.communicate()
        return
    with suppress(ProcessLookupError):
        process.kill()
        await process.wait()
