"""A connection that follows the news that open pages get."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import AsyncConnection

from rich_agent.repositories.inbox.wakeups import NEWS_CHANNEL

_LONGEST_S = 5.0


@dataclass(frozen=True, slots=True)
class PageFollower:
    """Follower of all news, for whichever user."""

    connection: AsyncConnection[Any]

    async def hears(self, change: Awaitable[object], user_id: int) -> object:
        """Await a change, and expect that the pages of this user, and nobody's else, are told."""
        result = await change
        heard = [
            notice.payload
            async for notice in self.connection.notifies(timeout=_LONGEST_S, stop_after=1)
        ]
        heard += [notice.payload async for notice in self.connection.notifies(timeout=0)]
        assert {*heard} == {str(user_id)}, change
        return result


@asynccontextmanager
async def following_pages(database_url: str) -> AsyncIterator[PageFollower]:
    """Follow from here on."""
    connection = await psycopg.AsyncConnection.connect(database_url, autocommit=True)
    async with connection:
        await connection.execute(f"LISTEN {NEWS_CHANNEL}")
        yield PageFollower(connection)
