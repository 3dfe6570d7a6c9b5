"""Keeps a lane while it is served: renews the lease, and tells the user which messages wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog

from rich_agent.errors import DatabaseUnavailableError, LaneLostError, RichAgentError
from rich_agent.ports.inbox import Inbox, Lane
from rich_agent.runtime.concurrency import happens_within, task_group, unless
from rich_agent.runtime.surviving import survived
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.serve.handling import UpdateHandler
from rich_agent.telegram.serve.queueing import announce_queued

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LaneTimings:
    """The timings of a lane, in seconds.

    `heartbeat_s` must be well below the inbox's lease. Waiting messages are looked for `join_s`
    after they came, because they may belong to the question; those that could not be announced,
    again after `notice_s`; and every `look_s`, in case none was heard of. A lane is kept for
    at most `longest_s`: every step of a turn has a deadline, so after that time something hangs,
    and the update is tried again.
    """

    heartbeat_s: float = 3.0
    notice_s: float = 1.0
    join_s: float = 0.4
    longest_s: float = 900.0
    look_s: float = 5.0


@dataclass(frozen=True, slots=True)
class LaneKeeper:
    """Keeps lanes of the inbox while workers serve them."""

    inbox: Inbox
    handler: UpdateHandler
    timings: LaneTimings

    @asynccontextmanager
    async def kept(self, lane: Lane) -> AsyncIterator[Hold]:
        """Keep the lane while the block runs; gives the block a check that the lane is still held.

        Raises: LaneLostError, or TimeoutError after the longest time; both cancel the block.
        """

        async def hold() -> None:
            await self.inbox.extend(lane)

        done = asyncio.Event()
        async with asyncio.timeout(self.timings.longest_s), task_group() as group:
            beating = group.create_task(self._beat(hold))
            telling = group.create_task(self._tell_waiting(lane, hold, done))
            yield hold
            # Never interrupt the sending of a notice: it becomes the answer of the next turn.
            done.set()
            await telling
            beating.cancel()

    async def _beat(self, hold: Hold) -> None:
        while True:
            await asyncio.sleep(self.timings.heartbeat_s)
            with survived("telegram.heartbeat_failed", DatabaseUnavailableError, level="warning"):
                await hold()

    async def _tell_waiting(self, lane: Lane, hold: Hold, done: asyncio.Event) -> None:
        told: set[int] = set()
        timings = self.timings
        async with self.inbox.hearing_from(lane.user_id) as news:
            pause_s = timings.join_s
            while not await happens_within(done, pause_s):
                news.clear()
                is_done = await self._tell_new(lane, hold, told)
                pause_s = timings.join_s if is_done else timings.notice_s
                if is_done:
                    await unless(done, happens_within(news, timings.look_s))

    async def _tell_new(self, lane: Lane, hold: Hold, told: set[int]) -> bool:
        """Whether the user knows of all that waits, as far as it can be known."""
        try:
            for update in await self.inbox.queued(lane):
                if update.update_id in told:
                    continue
                if not await announce_queued(self.handler, update, lane.updates[0], hold):
                    return False  # later ones wait, or their answers would appear above this one
                told.add(update.update_id)
        except LaneLostError:
            raise
        except RichAgentError as error:
            _log.info("telegram.notice_failed", error=str(error))
            return False
        return True
