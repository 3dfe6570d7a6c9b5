"""Messages that wait in a lane are looked for more often while no notifications arrive."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from unittest.mock import MagicMock

import pytest
from typing_extensions import override

from rich_agent.ports.inbox import Lane, StoredUpdate
from rich_agent.telegram.serve.worker import LaneKeeper, LaneTimings
from tests.twins.inbox import InMemoryInbox

LANE = Lane(42, 1)


class _SilentInbox(InMemoryInbox):
    """Counts the looks, and notifies nobody."""

    def __init__(self, *, is_deaf: bool) -> None:
        super().__init__()
        self.is_deaf, self.looks = is_deaf, 0

    @override
    @asynccontextmanager
    async def hearing_from(self, user_id: int) -> AsyncIterator[asyncio.Event]:
        """See `Inbox.hearing_from`."""
        yield asyncio.Event()

    @override
    async def waiting_updates(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        """See `Inbox.waiting_updates`."""
        self.looks += 1
        return ()


@pytest.mark.parametrize("is_deaf", [True, False])
async def test_waiting_message_is_looked_for_often_while_the_listener_is_deaf(
    *, is_deaf: bool
) -> None:
    """With notifications one look is enough."""
    inbox = _SilentInbox(is_deaf=is_deaf)
    timings = LaneTimings(join_s=0.001, look_s=60, deaf_look_s=0.001)
    async with LaneKeeper(inbox, MagicMock(), timings).keep(LANE):
        for _ in range(100):
            await asyncio.sleep(0.001)
            if inbox.looks > 1:
                break
    assert (inbox.looks > 1) is is_deaf
