"""Claims lanes from the inbox as fast as they can be served, and outlasts whatever it does."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import structlog

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.inbox import Inbox, Lane
from rich_agent.runtime.concurrency import unless
from rich_agent.telegram.serve.admission import TurnAdmission

_MOST_AT_ONCE = 4
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ClaimTimings:
    """The timings of claims, in seconds.

    Without news the inbox is asked every `poll_s`, and after a failure again in `pause_s`. After an
    outage of the database, nothing is claimed for `renewal_s`: the living renew their leases.
    """

    poll_s: float
    pause_s: float
    renewal_s: float


class Claiming:
    """Claims ordinary or urgent lanes. `begin` begins to serve one, whose slot is free at its end.

    A claim takes several round trips to the database, and in a busy process each of them waits for
    the loop. So while lanes are found at once, up to four claims are made side by side; one task
    alone waits for news. Urgent lanes need no admission.
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
        self._held_up = 0
        self._helpers = 0

    @property
    def is_full(self) -> bool:
        """Whether lanes that are ready have to wait."""
        return self._held_up > 0

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
                if not has_waited and self._helpers < _MOST_AT_ONCE - 1:
                    self._helpers += 1
                    group.create_task(self._help(stop))

    async def _help(self, stop: asyncio.Event) -> None:
        """Claim lanes that are ready, until there is none."""
        while await unless(stop, self._has_room()):
            lane = await self._claim(stop, waits=False)
            if lane is None:
                self._slots.release()
                break
            self._serve(lane)
        self._helpers -= 1

    def _serve(self, lane: Lane) -> None:
        self._begin(lane).add_done_callback(lambda _: self._slots.release())

    async def _has_room(self) -> bool:
        """Wait until a further lane can be served."""
        self._held_up += 1
        try:
            await self._slots.acquire()
            if self._admission:
                await self._admission.admit()
        finally:
            self._held_up -= 1
        return True

    async def _claim(self, stop: asyncio.Event, *, waits: bool) -> Lane | None:
        """A lane that is ready; with `waits` one that is ready after the next news."""
        urgent = self._admission is None
        try:
            if waits:
                await unless(stop, self._inbox.wait(self._timings.poll_s, urgent=urgent))
            # Never cancelled: a lane taken by a lost reply would stay held for a whole lease.
            return None if stop.is_set() else await self._inbox.claim(urgent=urgent)
        except DatabaseUnavailableError as error:
            _log.warning("telegram.database_away", error=str(error))
            await unless(stop, self._outlast_outage())
        except Exception:  # noqa: BLE001 - the worker must outlive whatever the inbox does
            _log.exception("telegram.claiming_failed")
            await unless(stop, asyncio.sleep(self._timings.pause_s))
        return None

    async def _outlast_outage(self) -> None:
        """Return when the database is back and all living workers have renewed their leases.

        Leases run out during the outage, but their holders still know what they sent.
        """
        while True:
            await asyncio.sleep(self._timings.pause_s)
            with suppress(DatabaseUnavailableError):
                await self._inbox.depth()
                break
        await asyncio.sleep(self._timings.renewal_s)
