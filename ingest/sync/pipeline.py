"""Writes groups while the next one is collected: one is embedded while another is stored."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from rich_agent.documents.index.groups import Collector, Item, ItemGroup
from rich_agent.documents.index.writing import WrittenItem
from rich_agent.runtime.concurrency import task_group

_COLLECT_FOR_S = 5.0
_WRITTEN_AT_ONCE = 2


class Stages(Protocol):
    """The stages of a group: two groups are written at once, and settled in order."""

    async def write(self, group: ItemGroup) -> Sequence[WrittenItem]:
        """Embed and store the group."""
        ...

    async def settle(self, group: ItemGroup, written: Sequence[WrittenItem]) -> None:
        """Record the results, once all earlier groups are settled."""
        ...


class Pipeline:
    """Takes items, and batches that are complete once all earlier items are written."""

    def __init__(self, tasks: asyncio.TaskGroup, stages: Stages) -> None:
        self._tasks = tasks
        self._stages = stages
        self._collector = Collector()
        self._began = 0.0
        self._room = asyncio.Semaphore(_WRITTEN_AT_ONCE)
        self._last: asyncio.Task[None] | None = None

    async def add(self, item: Item) -> None:
        """Add an item, once there is room for it."""
        if not self._collector.has_room_for(item):
            await self.flush()
        if not self._collector.items:
            self._began = asyncio.get_running_loop().time()
        self._collector.add(item)

    async def end_batch(self, batch_id: int) -> None:
        """Complete the batch with the current group, or at once if that is empty or old."""
        self._collector.batches.append(batch_id)
        waited_s = asyncio.get_running_loop().time() - self._began
        if not self._collector.items or waited_s > _COLLECT_FOR_S:
            await self.flush()

    async def flush(self) -> None:
        """Write the collected items."""
        if self._collector.items or self._collector.batches:
            await self._room.acquire()
            writing = self._write_next(self._collector.take(), self._last)
            self._last = self._tasks.create_task(writing)

    async def _write_next(self, group: ItemGroup, last: asyncio.Task[None] | None) -> None:
        try:
            written = await self._stages.write(group)
        finally:
            # Also if this group fails: the one before is embedded, and is not to be lost with it.
            if last is not None:
                await last
        await self._stages.settle(group, written)
        self._room.release()


@asynccontextmanager
async def open_pipeline(stages: Stages) -> AsyncIterator[Pipeline]:
    """A pipeline; at the end of the block, everything is written."""
    async with task_group() as tasks:
        pipeline = Pipeline(tasks, stages)
        yield pipeline
        await pipeline.flush()
