"""Hands out what has to be told of approvals, as items of the inbox: nothing is told twice."""

import asyncio
import json
from dataclasses import dataclass

from rich_agent.ports.approvals import Approvals, Notice
from rich_agent.ports.inbox import Inbox, ReceivedUpdate
from rich_agent.runtime.repeating import repeat


@dataclass(frozen=True, slots=True)
class ApprovalDesk:
    """A task of each worker; any number of them may look for the same work.

    What waits for longer than `expires_s` has no chance any more. The pause between two looks is
    in seconds.
    """

    approvals: Approvals
    inbox: Inbox
    admins: frozenset[int]
    expires_s: float
    pause_s: float = 1.0

    async def run(self, stop: asyncio.Event) -> None:
        """Hand out until `stop` is set."""
        await repeat("approvals", self.hand_out, stop, self.pause_s)

    async def hand_out(self) -> None:
        """Put into the inbox what is to be told now. Raises: DatabaseUnavailableError."""
        await self.approvals.expire(self.expires_s)
        notices = await self.approvals.due_notices(sorted(self.admins))
        if notices:
            # Known ids are stored once, so a crash between these two costs nothing.
            await self.inbox.store([_item(notice) for notice in notices])
            await self.approvals.handed_out(notices)


def _item(notice: Notice) -> ReceivedUpdate:
    """An item that names nothing: the number leads to the notice, and nobody can forge that."""
    raw = json.dumps({"approval_notice": {"from": {"id": notice.user_id}}}).encode()
    return ReceivedUpdate(notice.update_id, notice.user_id, raw, urgent=True)
