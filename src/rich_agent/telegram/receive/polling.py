"""Receives updates by long polling, stores them, and confirms them with the next call."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from rich_agent.errors import (
    DatabaseUnavailableError,
    RichAgentError,
    Target,
    UpdatesConflictError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamUnavailableError,
)
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.ports.inbox import Inbox, ReceivedUpdate
from rich_agent.runtime.concurrency import unless
from rich_agent.runtime.reach import Outages
from rich_agent.runtime.tracing import trace_storing
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.envelope import GroupGate, envelope

UPDATES: Final = Target("telegram", "updates")
"""The target that is out of reach if Telegram answers, but its updates do not arrive."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PollingOptions:
    """The timings of polling, in seconds.

    - `timeout_s`: of one long poll.
    - `first_pause_s`: the pause after a failure, which doubles with each further failure.
    - `longest_pause_s`: the longest such pause.
    - `deaf_after_s`: without any reply, until new connections are opened.
    - `store_s`: the deadline to store updates.
    """

    timeout_s: int = 25
    first_pause_s: float = 0.5
    longest_pause_s: float = 15.0
    deaf_after_s: float = 120.0
    store_s: float = 10.0


class Poller:
    """Polls for updates until it is told to stop. Failures lead to a pause and another try."""

    def __init__(
        self,
        api: TelegramApi,
        inbox: Inbox,
        metrics: Metrics,
        options: PollingOptions | None = None,
        gate: GroupGate | None = None,
    ) -> None:
        self._api = api
        self._inbox = inbox
        self._metrics = metrics
        self._gate = gate or GroupGate()
        self._reach = Outages()
        self._options = options or PollingOptions()
        self._offset: int | None = None
        self._completed_at = time.monotonic()

    async def run(self, stop: asyncio.Event, reach: Outages | None = None) -> None:
        """Receive until `stop` is set; failures are told through `reach`."""
        self._reach = reach or self._reach
        await unless(stop, self._poll())

    async def _poll(self) -> None:
        pause_s = self._options.first_pause_s
        has_no_webhook = False
        while True:
            try:
                if not has_no_webhook:
                    await self._api.delete_webhook()
                    has_no_webhook = True
                await self._receive_or_reconnect()
            except (UpstreamError, DatabaseUnavailableError) as error:
                if isinstance(error, UpdatesConflictError):
                    self._metrics.polling_conflicts.inc()
                if isinstance(error, UpstreamRateLimitedError):
                    self._metrics.rate_limits.inc()
                if error.target is None:
                    self._reach.report(UPDATES, error, _event_of(error))
                await asyncio.sleep(_pause_after(error, pause_s))
                pause_s = min(pause_s * 2, self._options.longest_pause_s)
            else:
                pause_s = self._options.first_pause_s

    async def _receive_or_reconnect(self) -> None:
        """Receive once; open new connections if no call has returned for a long time."""
        deaf_after_s = self._options.deaf_after_s
        remaining_s = self._completed_at + deaf_after_s - time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, remaining_s)):
                updates = await self._api.get_updates(
                    self._offset, self._options.timeout_s, self._gate.allowed_updates
                )
        except TimeoutError:
            _log.error("telegram.polling_deaf", silent_s=deaf_after_s)
            self._metrics.polling_reconnects.inc()
            await self._api.reconnect()
            self._completed_at = time.monotonic()
            return
        self._completed_at = time.monotonic()
        self._metrics.polling_completed.set_to_current_time()
        await self._keep(updates)
        self._reach.end(UPDATES)

    async def _keep(self, raw_updates: Sequence[bytes]) -> None:
        if not raw_updates:
            # Everything before the offset is now confirmed. Without an offset Telegram returns
            # all further updates, even if the ids start again, as they do after a quiet week.
            self._offset = None
            return
        began_ns = time.time_ns()
        updates = [
            envelope(admission)
            for raw in raw_updates
            if (admission := self._gate.admit(raw)) is not None
        ]
        try:
            async with asyncio.timeout(self._options.store_s):
                new_count = await self._inbox.store(updates)
        except TimeoutError as error:
            raise DatabaseUnavailableError(
                f"updates were not stored within {self._options.store_s:g} s"
            ) from error
        trace_storing([update.update_id for update in updates], began_ns)
        self._metrics.updates.labels("stored").inc(new_count)
        self._metrics.updates.labels("known").inc(len(updates) - new_count)
        self._metrics.updates.labels("of_group").inc(len(raw_updates) - len(updates))
        # Only after storing: Telegram forgets everything below the offset.
        self._offset = _offset_after([envelope(raw) for raw in raw_updates])


def _event_of(error: RichAgentError) -> str:
    """The name of a failure in the log."""
    if isinstance(error, UpdatesConflictError):
        return "telegram.polling_conflict"
    is_from_telegram = isinstance(error, UpstreamError)
    return "telegram.updates_refused" if is_from_telegram else "telegram.polling_failed"


def _offset_after(updates: Sequence[ReceivedUpdate]) -> int:
    """The offset that confirms these updates: one more than the highest id.

    Raises: UpstreamUnavailableError if no update has an id from Telegram, because a negative offset
    would drop updates.
    """
    update_ids = [update.update_id for update in updates if update.update_id >= 0]
    if not update_ids:
        raise UpstreamUnavailableError("telegram", "updates without a number")
    return max(update_ids) + 1


def _pause_after(error: RichAgentError, pause_s: float) -> float:
    retry_after_s = error.retry_after_s if isinstance(error, UpstreamRateLimitedError) else None
    return max(pause_s, retry_after_s or 0.0)
