"""Sends broadcasts in the background, slowly enough that no answer is delayed."""

import asyncio
from dataclasses import dataclass

import structlog

from rich_agent.errors import (
    BadGatewayError,
    ChatBlockedError,
    OutcomeUnknownError,
    TokenRefusedError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
)
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.broadcasts import Broadcasts, Copy, CopyState, Result
from rich_agent.runtime.concurrency import repeat, survived, unless
from rich_agent.telegram.deliver.messenger import Messenger

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class BroadcastPace:
    """Seconds between two copies, over all processes, and between two looks for work.

    10 copies a second are a third of Telegram's limit; the rest is for answers.
    """

    pause_s: float = 0.1
    idle_s: float = 2.0


@dataclass(frozen=True, slots=True)
class Broadcaster:
    """Sends broadcasts; every worker runs one, and they share the work."""

    broadcasts: Broadcasts
    messenger: Messenger
    pace: BroadcastPace = BroadcastPace()

    async def run(self, stop: asyncio.Event) -> None:
        """Send until `stop` is set; a copy that was begun is finished."""
        await repeat("broadcasts", lambda: self._send_all(stop), stop, self.pace.idle_s)

    async def _send_all(self, stop: asyncio.Event) -> None:
        """Send all copies that are due, then report finished broadcasts."""
        while copy := await self.broadcasts.next_copy(self.pace.pause_s):
            await self._send(copy)
            await unless(stop, asyncio.sleep(self.pace.pause_s))
            if stop.is_set():
                return
        for result in await self.broadcasts.results():
            await self._report(result)

    async def _send(self, copy: Copy) -> None:
        # Answers take precedence over copies.
        if not await self.messenger.limiter.try_take(copy.user_id):
            await self.broadcasts.note(copy, "pending")
            return
        try:
            message = RenderedMessage(copy.text)
            message_id = await self.messenger.api.send_message(copy.user_id, message)
        except UpstreamError as error:
            await self.broadcasts.note(copy, await self._learn(copy, error))
        else:
            await self.broadcasts.note(copy, "sent", message_id)

    async def _learn(self, copy: Copy, error: UpstreamError) -> CopyState:
        """The copy's state after a failure; only a copy that was certainly not sent is retried."""
        _log.info("telegram.copy_failed", error=str(error))
        match error:
            case ChatBlockedError():
                await self.messenger.users.mark_blocked(copy.user_id)
                return "blocked"
            case BadGatewayError() | TokenRefusedError():
                return "pending"
            case UpstreamTimeoutError() | OutcomeUnknownError():
                return "unknown"
            case UpstreamRateLimitedError():
                self.messenger.limiter.penalize(
                    copy.user_id, error.retry_after_s or self.pace.idle_s
                )
                return "pending"
            case UpstreamRefusedError():
                return "failed"
        return "pending"

    async def _report(self, result: Result) -> None:
        """Show the result in the admin's message; an edit can be repeated after a crash."""
        tally = result.tally
        text = say(
            result.locale,
            "broadcast-cancelled" if result.is_cancelled else "broadcast-done",
            sent=tally.sent,
            blocked=tally.blocked,
            failed=tally.failed,
            unknown=tally.unknown,
            pending=tally.pending,
        )
        with survived("telegram.broadcast_not_reported", UpstreamRefusedError, level="warning"):
            await self.messenger.api.edit_message(
                result.admin_id, result.message_id, RenderedMessage(text)
            )
        await self.broadcasts.reported(result.id)
