"""The events of a run, for any number of clients that follow it from any process."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from psycopg.rows import DictRow

from rich_agent.domain.runs import Run, RunEvent, verbatim
from rich_agent.ports.operations import Progressed, SetAsideError, Work
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.wakeups import RUNS_CHANNEL
from rich_agent.runtime.concurrency import happens_within, in_turns

_EVENTS = """
SELECT seq, event, stored_at FROM run_events WHERE update_id = %s AND seq > %s ORDER BY seq
"""
_GIVEN_UP = """
SELECT last_error FROM telegram_inbox WHERE update_id = %s AND dead_at IS NOT NULL
"""


class FollowedRuns(PostgresRepository):
    """Implements of `Runs` what follows them; `inbox` has the work of runs, and hears of news."""

    def __init__(self, pool: Pool, inbox: PostgresInbox) -> None:
        super().__init__(pool)
        self._inbox = inbox

    async def events(self, run: Run, after: int = 0) -> Sequence[RunEvent]:
        return [_event(row) for row in await self._rows(_EVENTS, (run.update_id, after))]

    @asynccontextmanager
    async def following(
        self, run: Run, after: int = 0, beat_s: float = 15.0
    ) -> AsyncIterator[AsyncIterator[Sequence[RunEvent]]]:
        work, progressed = Work("stream", run.update_id, run.user_id), None
        async with AsyncExitStack() as stack:
            heard = self._inbox.hearing(RUNS_CHANNEL, str(run.update_id))
            news = await stack.enter_async_context(heard)
            with suppress(SetAsideError):
                progressed = await stack.enter_async_context(self._inbox.attempts.counted(work))
            if progressed:
                yield _noting(self._follow(run, after, news, beat_s), progressed)
            else:
                yield _verbatim(run, self._follow(run, 0, news, beat_s))

    async def _follow(
        self, run: Run, after: int, news: asyncio.Event, beat_s: float
    ) -> AsyncIterator[Sequence[RunEvent]]:
        while True:
            news.clear()
            if found := await self.events(run, after):
                async for portion in in_turns(found):
                    yield portion
                after = found[-1].seq
                if found[-1].kind == "ended":
                    return
            if await happens_within(news, beat_s):
                continue
            dead = await self._row(_GIVEN_UP, (run.update_id,))
            if dead and not await self.events(run, after):
                yield [RunEvent(after + 1, "ended", {"outcome": "error", "code": "given_up"})]
                return
            yield []


async def _noting(
    batches: AsyncIterator[Sequence[RunEvent]], progressed: Progressed
) -> AsyncIterator[Sequence[RunEvent]]:
    async for batch in batches:
        yield batch
        # A client that asks for more has shown what was stored.
        await progressed()


async def _verbatim(
    run: Run, batches: AsyncIterator[Sequence[RunEvent]]
) -> AsyncIterator[Sequence[RunEvent]]:
    events: list[RunEvent] = []
    async for batch in batches:
        events += batch
        yield verbatim(run, events) if batch and batch[-1].kind == "ended" else []


def _event(row: DictRow) -> RunEvent:
    data: dict[str, Any] = row["event"]
    return RunEvent(row["seq"], data.pop("kind"), data, row["stored_at"])
