"""Sends broadcasts in the background, slowly enough that no answer is delayed."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich_agent.feature import DueRow, DueWork, NextRun, say
from rich_agent.feature.telegram import DirectMessages, RenderedMessage, SendResult
from rich_agent.features.broadcast.records import CopyState, Result
from rich_agent.features.broadcast.repository import Broadcasts

_STATES: Mapping[SendResult, CopyState] = {
    "sent": "sent",
    "later": "pending",
    "blocked": "blocked",
    "refused": "failed",
    "unknown": "unknown",
}


@dataclass(frozen=True, slots=True)
class BroadcastPace:
    """The pace of a broadcast."""

    pause_s: float = 0.1
    """Seconds between two copies.

    10 copies a second are a third of Telegram's limit; the rest is for answers.
    """
    idle_s: float = 2.0
    """Seconds between two checks whether all copies were sent."""


@dataclass(frozen=True, slots=True)
class Broadcaster:
    """Sends broadcasts, one copy at each run of their due work."""

    broadcasts: Broadcasts
    messages: DirectMessages
    pace: BroadcastPace = BroadcastPace()

    @property
    def kind(self) -> DueWork:
        """The kind of due work. A broadcast is never given up, even if copies fail."""
        return DueWork(
            self.send_next, first_retry_s=self.pace.idle_s, longest_retry_s=60.0, most_tries=None
        )

    async def send_next(self, row: DueRow) -> NextRun | None:
        """Send the next copy of a broadcast; once all copies are settled, report the result."""
        if copy := await self.broadcasts.next_copy(row.key):
            result = await self.messages.send(copy.user_id, RenderedMessage(copy.text))
            await self.broadcasts.note(copy, _STATES[result])
            return NextRun(self.pace.pause_s)
        report = await self.broadcasts.result(row.key)
        if report and not report.is_finished:
            return NextRun(self.pace.idle_s)
        if report:
            await self._report(report)
        return None

    async def _report(self, result: Result) -> None:
        """Show the result in the admin's message. After a crash, the edit can be repeated."""
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
        await self.messages.edit(result.admin_id, result.message_id, RenderedMessage(text))
        await self.broadcasts.note_report(result.id)
