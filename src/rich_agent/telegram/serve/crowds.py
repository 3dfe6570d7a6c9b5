"""Tells waiting users early, in the order of their messages, that others are served first."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import structlog

from rich_agent.errors import LaneLostError, RichAgentError
from rich_agent.ports.inbox import Inbox, Lane
from rich_agent.runtime.concurrency import survived, task_group, unless
from rich_agent.runtime.fencing import confirm_lease_with, work_under, work_without_lane
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.serve.failing import announce_crowd
from rich_agent.telegram.serve.handling import UpdateHandler

_SIDE_BY_SIDE = 16
"""Notices at once. In a crowd the process is busy, so each of the many steps of one waits."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class CrowdTimings:
    """The timings of notices, in seconds.

    - `look_s`: between two looks for waiting users while the worker takes no more lanes.
    - `waited_s`: the least time that users have waited when they are told.
    - `again_s`: the pause after a notice that Telegram's limits held back.
    - `tries`: the number of attempts for a notice before another worker may take the lane.
    """

    look_s: float = 0.5
    waited_s: float = 1.0
    again_s: float = 0.2
    tries: int = 3


@dataclass(frozen=True, slots=True)
class CrowdNotices:
    """Sends notices to users whose lanes no worker takes, while this worker `is_full`."""

    inbox: Inbox
    handler: UpdateHandler
    is_full: Callable[[], bool]
    timings: CrowdTimings = field(default_factory=CrowdTimings)

    async def run(self, stop: asyncio.Event) -> None:
        """Tell waiting users until `stop` is set."""
        while not stop.is_set():
            await unless(stop, asyncio.sleep(self.timings.look_s))
            try:
                await self._tell_all(stop)
            except RichAgentError as error:
                _log.info("telegram.crowd_untold", error=str(error))
            except Exception:  # noqa: BLE001 - the worker must outlive whatever it tells of
                _log.exception("telegram.crowd_telling_failed")

    async def _tell_all(self, stop: asyncio.Event) -> None:
        async with task_group() as group:
            for _ in range(_SIDE_BY_SIDE):
                group.create_task(self._tell_some(stop))

    async def _tell_some(self, stop: asyncio.Event) -> None:
        while self.is_full() and not stop.is_set():
            lane = await self.inbox.claim_untold(self.timings.waited_s)
            if lane is None:
                return
            work_under(lane.fence, lane.updates[0].update_id)
            confirm_lease_with(partial(self.inbox.is_leased, lane))
            try:
                with survived("telegram.lane_lost", LaneLostError, level="warning"):
                    async with self.inbox.count_attempt(lane):
                        await self._tell(lane)
            finally:
                work_without_lane()

    async def _tell(self, lane: Lane) -> None:
        async def hold() -> None:
            await self.inbox.extend(lane)

        told = False
        try:
            told = await self._announce(lane, hold)
        finally:
            await self.inbox.put_back(lane, told=told)

    async def _announce(self, lane: Lane, hold: Hold) -> bool:
        place = await self.inbox.place_of(lane)
        for _ in range(self.timings.tries):
            if await announce_crowd(self.handler, lane, place, hold):
                return True
            await asyncio.sleep(self.timings.again_s)
        return False
