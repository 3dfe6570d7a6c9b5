"""Readers that all have something to do."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from types import NoneType

from rich_agent.runtime.readers import Effort, read_apart

_MORE_THAN_READERS = 64


@asynccontextmanager
async def all_readers_busy() -> AsyncIterator[None]:
    """Every place is taken, each by somebody else."""
    effort = Effort(60.0)
    tasks = [
        asyncio.create_task(read_apart(time.sleep, 60, NoneType, f"busy:{n}", effort))
        for n in range(_MORE_THAN_READERS)
    ]
    # Places are given in the order of asking.
    await asyncio.sleep(0)
    yield
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
