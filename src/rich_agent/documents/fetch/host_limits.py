"""Limits on concurrent requests, per host and in total, and pauses between requests."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class HostLimits:
    """Limits the number of concurrent requests, per host and in total."""

    def __init__(self, *, per_host: int, in_all: int) -> None:
        self._hosts: defaultdict[str, _Host] = defaultdict(lambda: _Host(per_host))
        self._all = asyncio.Semaphore(in_all)

    @asynccontextmanager
    async def turn(self, host: str, delay_s: float) -> AsyncIterator[None]:
        """Wait for a turn; turns of a host begin at least `delay_s` apart."""
        async with self._hosts[host].turn(delay_s), self._all:
            yield


class _Host:
    def __init__(self, most: int) -> None:
        self._turns = asyncio.Semaphore(most)
        self._next = asyncio.Lock()
        self._free_at = 0.0

    @asynccontextmanager
    async def turn(self, delay_s: float) -> AsyncIterator[None]:
        async with self._turns:
            if delay_s:
                await self._wait(delay_s)
            yield

    async def _wait(self, delay_s: float) -> None:
        clock = asyncio.get_running_loop().time
        async with self._next:
            await asyncio.sleep(max(0.0, self._free_at - clock()))
            self._free_at = clock() + delay_s
