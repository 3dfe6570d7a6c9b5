"""Writes one group while the next is collected: the model is waited for, and not twice."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from ingest.index.groups import Collector, Item, ItemGroup
from rich_agent.runtime.concurrency import task_group

_COLLECT_FOR_S = 5.0


class Pipeline:
    """Takes items, and batches that are complete once the items before them are written."""

    def __init__(self, queue: asyncio.Queue[ItemGroup | None]) -> None:
        self._queue = queue
        self._collector = Collector()
        self._began = 0.0

    async def add(self, item: Item) -> None:
        """Take an item, when there is room for it."""
        if not self._collector.has_room_for(item):
            await self.flush()
        if not self._collector.items:
            self._began = asyncio.get_running_loop().time()
        self._collector.add(item)

    async def end_batch(self, batch_id: int) -> None:
        """Have the batch completed; without items, or after some seconds, at once."""
        self._collector.batches.append(batch_id)
        waited_s = asyncio.get_running_loop().time() - self._began
        if not self._collector.items or waited_s > _COLLECT_FOR_S:
            await self.flush()

    async def flush(self) -> None:
        """Hand over what was collected."""
        if self._collector.items or self._collector.batches:
            await self._queue.put(self._collector.take())


@asynccontextmanager
async def open_pipeline(write: Callable[[ItemGroup], Awaitable[None]]) -> AsyncIterator[Pipeline]:
    """A pipeline; when the block is left, everything is written."""
    queue: asyncio.Queue[ItemGroup | None] = asyncio.Queue(maxsize=1)
    async with task_group() as group:
        group.create_task(_write_all(queue, write))
        pipeline = Pipeline(queue)
        yield pipeline
        await pipeline.flush()
        await queue.put(None)


async def _write_all(
    queue: asyncio.Queue[ItemGroup | None], write: Callable[[ItemGroup], Awaitable[None]]
) -> None:
    while (group := await queue.get()) is not None:
        await write(group)
