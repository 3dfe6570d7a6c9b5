"""Claims lanes from the inbox as fast as they can be served.

No failure of the inbox stops the claims.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import structlog

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.inbox import Inbox, Lane
from rich_agent.runtime.concurrency import unless
from rich_agent.runtime.reach import log_failure
from rich_agent.telegram.serve.admission import TurnAdmission

_MOST_AT_ONCE = 4
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ClaimTimings:
    """The timings of claims, in seconds.

    - `poll_s`: between two claims while no news arrives.
    - `pause_s`: after a failure of the inbox.
    - `renewal_s`: after an outage of the database, for living workers to renew their leases before
      any lane is claimed.
    """

    poll_s: float
    pause_s: float
    renewal_s: float


class Claiming:
    """Claims ordinary lanes or, without an `admission`, urgent ones, which need none.

    `begin` starts the task that serves a lane; the lane's slot is free when the task ends.

    A claim takes several round trips to the database, and in a busy process each of them waits for
    the loop. So while lanes are ready, up to four claims are made in parallel. Only one task waits
    for news.
    """

    def __init__(
        self,
        inbox: Inbox,
        begin: Callable[[Lane], asyncio.Task[None]],
        slots: int,
        timings: ClaimTimings,
        admission: TurnAdmission | None = None,
    ) -> None:
        self._inbox = inbox
        self._begin = begin
        self._slots = asyncio.Semaphore(slots)
        self._timings = timings
        self._admission = admission
        self._waiting_claims = 0
        self._helper_count = 0

    @property
    def is_full(self) -> bool:
        """Whether a claim is waiting for a free slot or for admission."""
        return self._waiting_claims > 0

    async def run(self, stop: asyncio.Event) -> None:
        """Claim until `stop` is set."""
        async with asyncio.TaskGroup() as group:
            while await unless(stop, self._has_room()):
                lane, has_waited = await self._claim(stop, waits=False), False
                while lane is None and not stop.is_set():
                    lane, has_waited = await self._claim(stop, waits=True), True
                if lane is None:
                    return
                self._serve(lane)
                if not has_waited and self._helper_count < _MOST_AT_ONCE - 1:
                    self._helper_count += 1
                    group.create_task(self._help(stop))

    async def _help(self, stop: asyncio.Event) -> None:
        """Claim lanes until none is ready."""
        while await unless(stop, self._has_room()):
            lane = await self._claim(stop, waits=False)
            if lane is None:
                self._slots.release()
                break
            self._serve(lane)
        self._helper_count -= 1

    def _serve(self, lane: Lane) -> None:
        self._begin(lane).add_done_callback(lambda _: self._slots.release())

    async def _has_room(self) -> bool:
        """Wait until another lane can be served, then return True."""
        self._waiting_claims += 1
        try:
            await self._slots.acquire()
            if self._admission:
                await self._admission.admit()
        finally:
            self._waiting_claims -= 1
        return True

    async def _claim(self, stop: asyncio.Event, *, waits: bool) -> Lane | None:
        """A lane that is ready, None without one. With `waits`, news are awaited first."""
        urgent = self._admission is None
        try:
            if waits:
                await unless(stop, self._inbox.wait(self._timings.poll_s, urgent=urgent))
            elif not self._inbox.may_be_ready(urgent=urgent):
                return None
            # Never cancelled: a lane taken by a lost reply would stay held for a whole lease.
            return None if stop.is_set() else await self._inbox.claim(urgent=urgent)
        except DatabaseUnavailableError as error:
            log_failure("telegram.database_away", error)
            await unless(stop, self._outlast_outage())
        except Exception:  # noqa: BLE001 - the worker must outlive whatever the inbox does
            _log.exception("telegram.claiming_failed")
            await unless(stop, asyncio.sleep(self._timings.pause_s))
        return None

    async def _outlast_outage(self) -> None:
        """Wait until the database is back and all living workers have renewed their leases.

        Leases expire during an outage. Their holders should keep their lanes, since only they know
        which messages they have sent.
        """
        while True:
            await asyncio.sleep(self._timings.pause_s)
            with suppress(DatabaseUnavailableError):
                await self._inbox.depth()
                break
        await asyncio.sleep(self._timings.renewal_s)
