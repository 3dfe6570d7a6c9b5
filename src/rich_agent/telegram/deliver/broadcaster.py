"""Sends broadcasts in the background, slowly enough that no answer is delayed."""

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
from rich_agent.ports.due_work import DueRow, DueWork, NextRun
from rich_agent.runtime.concurrency import survived
from rich_agent.telegram.deliver.messenger import Messenger

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class BroadcastPace:
    """Seconds between two copies of a broadcast, and between two looks whether all were sent.

    10 copies a second are a third of Telegram's limit; the rest is for answers.
    """

    pause_s: float = 0.1
    idle_s: float = 2.0


@dataclass(frozen=True, slots=True)
class Broadcaster:
    """Sends broadcasts, a copy at each run of their due work."""

    broadcasts: Broadcasts
    messenger: Messenger
    pace: BroadcastPace = BroadcastPace()

    @property
    def kind(self) -> DueWork:
        """The kind of due work; a broadcast is not given up, whatever happens to a copy."""
        return DueWork(
            self.send_next, first_retry_s=self.pace.idle_s, longest_retry_s=60.0, most_tries=None
        )

    async def send_next(self, row: DueRow) -> NextRun | None:
        """Send the next copy of a broadcast or, when all have come to an end, report it."""
        if copy := await self.broadcasts.next_copy(row.key):
            await self._send(copy)
            return NextRun(self.pace.pause_s)
        result = await self.broadcasts.result(row.key)
        if result and not result.is_finished:
            return NextRun(self.pace.idle_s)
        if result:
            await self._report(result)
        return None

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
