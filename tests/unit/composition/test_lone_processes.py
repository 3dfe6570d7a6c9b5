"""The parent of lone processes: which ends count against the work, and when it starts another."""

import asyncio
import sys
from dataclasses import dataclass, field
from time import monotonic
from typing import cast

import pytest
from structlog.testing import capture_logs

from rich_agent.commands import lone_worker
from rich_agent.composition.lone_processes import ORDERLY_FAILURE, LoneProcesses
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.repositories.inbox.attempts import PostgresAttempts

REST_S = 0.2


@dataclass(slots=True)
class Attempts:
    """Work that always waits; sets `stop` at the third look or the first end that counts."""

    stop: asyncio.Event
    looks: int = 0
    launches: list[int] = field(default_factory=list)

    async def has_lone_work(self) -> bool:
        """True."""
        self.looks += 1
        if self.looks > 2:
            self.stop.set()
        return True

    async def note_lone_end(self, launch: int) -> None:
        """Keep the number."""
        self.launches.append(launch)
        self.stop.set()


def starting(attempts: Attempts, code: str, **pauses: float) -> LoneProcesses:
    """A parent whose lone processes run this code."""
    program = (sys.executable, "-I", "-S", "-c", code)
    pauses = {"look_s": 0.0, "outlives_s": 0.0, "rest_s": 0.0} | pauses
    return LoneProcesses(cast("PostgresAttempts", attempts), {}, program=program, **pauses)


async def test_lone_process_that_fails_in_order_is_not_counted() -> None:
    """The database is away, or a setting is wrong: the next one is started after a rest."""
    attempts, begun = Attempts(asyncio.Event()), monotonic()
    code = f"raise SystemExit({ORDERLY_FAILURE})"
    async with asyncio.timeout(30):
        await starting(attempts, code, rest_s=REST_S).run(attempts.stop)
    assert attempts.launches == []
    assert monotonic() - begun >= 2 * REST_S


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 9)", "os._exit(1)"])
async def test_lone_process_that_is_ended_by_its_work_is_counted(end: str) -> None:
    """A signal, or an end that no error of the product leads to."""
    attempts = Attempts(asyncio.Event())
    async with asyncio.timeout(30):
        await starting(attempts, f"import os; {end}").run(attempts.stop)
    assert len(attempts.launches) == 1


async def test_end_of_a_lone_process_is_not_counted_while_its_parent_stops() -> None:
    """The signal that stops the parent may have ended both, and the parent does not wait."""
    attempts = Attempts(asyncio.Event())
    parent = starting(attempts, "import os; os._exit(1)", outlives_s=3_600.0)
    with capture_logs() as logs:
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            group.create_task(parent.run(attempts.stop))
            while "lone_process.ended" not in {one["event"] for one in logs}:  # noqa: ASYNC110 - a log sets no event
                await asyncio.sleep(0.01)
            attempts.stop.set()
    assert attempts.launches == []


def test_lone_worker_that_cannot_serve_fails_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parent tells that from an end by the work."""

    def fail(*_roles: object, **_chosen: object) -> None:
        raise DatabaseUnavailableError("away")

    monkeypatch.setattr(lone_worker, "run_bot", fail)
    monkeypatch.setattr(lone_worker, "end_with", lambda _parent: None)
    monkeypatch.setattr("sys.argv", ["lone_worker", "1", "2"])
    with pytest.raises(SystemExit) as ended:
        lone_worker.main()
    assert ended.value.code == ORDERLY_FAILURE
