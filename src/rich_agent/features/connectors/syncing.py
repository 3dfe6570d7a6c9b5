"""Jobs of sources as due work: runs `ingest` for due jobs, and watches folders.

Each job is done by one worker at a time, in a separate process with low priority. If a worker is
killed, another worker takes over its jobs, and `ingest` continues where it stopped.
"""

import asyncio
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from urllib.parse import unquote, urlsplit

import structlog

from rich_agent.feature import DueRow, DueWork, NextRun
from rich_agent.feature.connectors import SOURCE_WORK, SourceJob
from rich_agent.feature.errors import UpstreamUnavailableError
from rich_agent.feature.reach import Target, in_reach, log_failure, out_of_reach
from rich_agent.feature.running import own_program, repeat, task_group, unless
from rich_agent.feature.text import shorten
from rich_agent.features.connectors.clocks import SourceClocks, SourceNews

_LONGEST_END_S: Final = 20.0
_OUTPUT_CHARS: Final = 400
LEASE_S: Final = 90.0
_Job = Callable[[DueRow], Awaitable[NextRun | None]]
_SURVEY_EVERY_S: Final = 60.0
_PAUSE_S: Final = 60.0
"""Seconds until a job is done again, if another sync did it and recorded no next time."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SourceWork:
    """The jobs of sources as due work of each worker.

    `contents_at_once`, `rights_at_once`: the numbers of sources whose documents or rights are read
    at once. With more than one, an event does not wait for another source that takes long.
    `tell`: called with news of sources that cannot be read, or can be read again.
    """

    clocks: SourceClocks
    environment: Mapping[str, str]
    tell: Callable[[SourceNews], Awaitable[None]]
    contents_at_once: int = 2
    rights_at_once: int = 3
    watches_at_once: int = 1_000
    _stop: asyncio.Event = field(default_factory=asyncio.Event)
    _away: set[str] = field(default_factory=set)

    def kinds(self) -> Mapping[str, DueWork]:
        """The kinds of due work by name. Work on a source is never set aside."""
        work: Mapping[SourceJob, tuple[_Job, int]] = {
            "content": (partial(self._sync, "content"), self.contents_at_once),
            "rights": (partial(self._sync, "rights"), self.rights_at_once),
            "watch": (self._watch, self.watches_at_once),
        }
        return {
            SOURCE_WORK[job]: DueWork(
                job_function,
                lease_s=LEASE_S,
                most_at_once=most_at_once,
                first_retry_s=60.0,
                most_tries=None,
                is_counted=False,
                grace_s=_LONGEST_END_S,
            )
            for job, (job_function, most_at_once) in work.items()
        }

    async def run(self, stop: asyncio.Event) -> None:
        """Reconcile work and tell news until `stop` is set; then interrupt running syncs."""
        async with task_group() as group:
            survey = partial(repeat, "source_survey", self._survey, pause_s=_SURVEY_EVERY_S)
            group.create_task(survey(stop=stop))
            await stop.wait()
            self._stop.set()

    async def _survey(self) -> None:
        await self.clocks.reconcile()
        await self._tell_news()
        await self._note_reach()

    async def _note_reach(self) -> None:
        """Note the sources that cannot be read, whichever worker found that."""
        problems = await self.clocks.told_problems()
        in_reach(*(_target(name) for name in self._away - problems.keys()))
        self._away.clear()
        for name, problem in problems.items():
            self._away.add(name)
            out_of_reach(_target(name), _failure(problem))

    async def _tell_news(self, row_id: int = 0) -> None:
        while source_news := await self.clocks.take_news(row_id):
            await self.tell(source_news)

    async def _sync(self, job: SourceJob, row: DueRow) -> NextRun | None:
        """Run `ingest`, which records the next due time. Raises: DatabaseUnavailableError."""
        clock = await self.clocks.find(row.key, job)
        if clock is None:
            return None
        if clock.rest_s > 0:
            return NextRun(clock.rest_s)
        problem = await self._run_ingest(job, row.key, clock.name)
        if self._stop.is_set():
            return NextRun(0.0)
        if problem:
            await self.clocks.note_problem(row.key, job, problem)
        clock = await self.clocks.find(row.key, job)
        await self._tell_news(row.id)
        if clock is None or (not clock.every and not clock.problem):
            return None
        wait_s = self.kinds()[row.kind].retry_s(row.tries) if problem else _PAUSE_S
        return NextRun(wait_s, clock.problem)

    async def _run_ingest(self, job: SourceJob, source_id: str, name: str) -> str:
        """Run `ingest`; return the error that ended it, "" if `ingest` recorded its own result."""
        rights_option = ["--rights"] if job == "rights" else []
        process = await asyncio.create_subprocess_exec(
            *own_program("ingest.cli"),
            *("sync", source_id, "--scheduled", *rights_option),
            env=self.environment,
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=PIPE,
        )
        try:
            outputs = await unless(self._stop, process.communicate())
        finally:
            await _end(process)
        if outputs is None or process.returncode == 0:
            return ""
        error_text = outputs[1].decode("utf-8", "replace").strip()[-_OUTPUT_CHARS:]
        error_text = shorten(error_text, _OUTPUT_CHARS)
        failure = _failure(error_text)
        failure.target = _target(name)
        log_failure("source_sync.failed", failure, source=source_id, job=job)
        return f"the sync ended with {process.returncode}: {error_text}"

    async def _watch(self, row: DueRow) -> NextRun | None:
        """Watch a folder until the worker stops, or loses the row because the clock was removed.

        Raises: DatabaseUnavailableError.
        """
        clock = await self.clocks.find(row.key, "watch")
        if clock is None:
            return None
        try:
            await unless(self._stop, self._follow(row.key, clock.root_url))
        except (OSError, ImportError) as error:
            problem = f"the folder cannot be watched: {error}"
            _log.warning("watching.failed", source=row.key, error=str(error))
            await self.clocks.note_problem(row.key, "watch", problem)
            return NextRun(self.kinds()[row.kind].retry_s(row.tries), problem)
        return NextRun(0.0)

    async def _follow(self, source_id: str, root_url: str) -> None:
        """Make the documents due at each change of the folder. Raises: OSError, ImportError."""
        from watchfiles import awatch  # noqa: PLC0415 - optional

        # Files may have changed while nobody watched.
        await self.clocks.hasten(source_id)
        async for _changes in awatch(unquote(urlsplit(root_url).path)):
            await self.clocks.hasten(source_id)


def _target(source_name: str) -> Target:
    return Target("source", source_name)


def _failure(problem: str) -> UpstreamUnavailableError:
    hint = "`ingest sync` with its name tries it now, and shows the whole error."
    return UpstreamUnavailableError("source", problem, hint=hint)


async def _end(process: Process) -> None:
    """End a running process: interrupt it, and kill it if it does not end within 20 s."""
    if process.returncode is not None:
        return
    try:
        with suppress(ProcessLookupError, TimeoutError):
            process.send_signal(signal.SIGINT)
            async with asyncio.timeout(_LONGEST_END_S):
                await process.communicate()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        # Also once this is cancelled; else nobody would read what the process left behind.
        await process.communicate()
