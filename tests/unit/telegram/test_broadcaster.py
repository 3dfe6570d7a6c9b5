"""Broadcasts are sent one copy at a time, with a pause behind each."""

from typing import cast

from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.broadcasts import BROADCAST_WORK, NewBroadcast
from rich_agent.ports.due_work import DueRow, NextRun
from rich_agent.ports.outbox import DirectMessages, SendResult
from rich_agent.telegram.deliver.broadcaster import Broadcaster, BroadcastPace
from tests import make
from tests.twins.broadcasts import InMemoryBroadcasts

ROW = DueRow(1, BROADCAST_WORK, "b1", None, {}, make.NOW, 0, 1, 1)


class BusyMessages:
    """An answer has to go out first."""

    async def send(self, _user_id: int, _message: RenderedMessage) -> SendResult:
        """Nothing is sent."""
        return "later"


async def test_broadcast_is_paced_for_all_processes() -> None:
    """The time of its one row is: also a copy that gave way to an answer waits for it."""
    broadcasts = InMemoryBroadcasts()
    await broadcasts.start(NewBroadcast("b1", 7, 55, "en", "Hello"), [1])
    messages = cast("DirectMessages", BusyMessages())
    sending = Broadcaster(broadcasts, messages, BroadcastPace(pause_s=60.0))
    assert await sending.send_next(ROW) == NextRun(60.0)
    assert await broadcasts.next_copy("b1")
