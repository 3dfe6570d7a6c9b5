"""Stop requests are looked for more often while no notifications arrive."""

import asyncio

import pytest
from typing_extensions import override

from rich_agent.turns.stopping import Stopping
from tests.twins.inbox import InMemoryInbox
from tests.twins.stops import InMemoryStops

ANSWER = 7


class _CountingStops(InMemoryStops):
    """Counts the looks. At the third one the answer has to stop."""

    looks = 0

    @override
    async def is_asked(self, update_id: int) -> bool:
        """See `Stops.is_asked`."""
        self.looks += 1
        return self.looks > 2


@pytest.mark.parametrize(("is_deaf", "looks"), [(True, 3), (False, 1)])
async def test_stop_request_is_looked_for_often_while_the_listener_is_deaf(
    *, is_deaf: bool, looks: int
) -> None:
    """Without notifications it would be found late; with them a look is in vain."""
    stops = _CountingStops(InMemoryInbox())
    stopping = Stopping(stops, lambda: is_deaf, poll_s=60, deaf_poll_s=0.001)
    async with stopping.watching(ANSWER) as stop:
        for _ in range(100):
            await asyncio.sleep(0.001)
            if stop.is_set():
                break
    assert (stop.is_set(), stops.looks) == (is_deaf, looks)
