"""Notices that a client has closed its connection before it was answered."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from starlette.requests import ClientDisconnect
from starlette.types import Receive

from rich_agent.runtime.concurrency import alongside, unless

T = TypeVar("T")


async def unless_dropped(receive: Receive, work: Awaitable[T]) -> T:
    """The result of the work, which is cancelled when the client goes away.

    Raises: ClientDisconnect.
    """
    gone = asyncio.Event()

    async def listen() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        gone.set()

    async def done() -> tuple[T]:
        return (await work,)

    async with alongside(listen()):
        result = await unless(gone, done())
    if result is None:
        raise ClientDisconnect
    return result[0]
