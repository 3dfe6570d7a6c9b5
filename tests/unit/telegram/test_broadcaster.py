"""Broadcasts are sent one copy at a time, with a pause behind each."""

from types import SimpleNamespace
from typing import cast

from rich_agent.domain.message import User
from rich_agent.ports.broadcasts import BROADCAST_WORK, Audience, NewBroadcast
from rich_agent.ports.due_work import DueRow, NextRun
from rich_agent.telegram.deliver.broadcaster import Broadcaster, BroadcastPace
from rich_agent.telegram.deliver.messenger import Messenger
from tests import make
from tests.twins.accounts import InMemoryAccounts
from tests.twins.broadcasts import InMemoryBroadcasts
from tests.twins.conversations import InMemoryUsers

ROW = DueRow(1, BROADCAST_WORK, "b1", None, {}, make.NOW, 0, 1, 1)


async def never(_chat_id: int) -> bool:
    """An answer has to go out first."""
    return False


async def test_broadcast_is_paced_for_all_processes() -> None:
    """The time of its one row is: also a copy that gave way to an answer waits for it."""
    users = InMemoryUsers()
    await users.remember(User(1, "Ada"))
    broadcasts = InMemoryBroadcasts(InMemoryAccounts(users))
    await broadcasts.start(NewBroadcast("b1", 7, 55, "en", "Hello"), Audience())
    messenger = SimpleNamespace(limiter=SimpleNamespace(try_take=never))
    sending = Broadcaster(broadcasts, cast("Messenger", messenger), BroadcastPace(pause_s=60.0))
    assert await sending.send_next(ROW) == NextRun(60.0)
    assert await broadcasts.next_copy("b1")
