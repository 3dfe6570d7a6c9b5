"""Documents are searched on a streaming replica as long as it keeps up with its primary."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psycopg
import pytest

from bench.faults.postgres import Postgres, running_postgres, running_standby
from rich_agent.documents.index.search_index import refresh_search
from rich_agent.domain.rights import ANYBODY, Reader
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.database.replica import Replica
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.user_files import PostgresUserFiles
from rich_agent.runtime.concurrency import alongside
from rich_agent.runtime.fencing import work_under
from tests.contract.test_passages import GUIDE, Shelf
from tests.integration.telegram_support import until
from tests.integration.test_user_file_index import send

QUESTION = PassageQuery("How are funding rates paid?")
_SEARCHES = """
SELECT seq_scan + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'rag_chunks'
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """A primary with documents, and its standby."""

    primary: Postgres
    standby: Postgres

    @asynccontextmanager
    async def searched(self, most_lag_s: float = 5.0) -> AsyncIterator["Searched"]:
        """Search on both, once the replica was looked at."""
        async with open_pool(self.primary.url, max_size=4) as pool:
            replica = Replica(self.standby.url, pool, most_lag_s=most_lag_s)
            async with alongside(replica.watch()):
                searched = Searched(pool, replica, PostgresPassages(pool, replica))
                await searched.use()
                yield searched


@dataclass(frozen=True, slots=True)
class Searched:
    """Searches, and where they go."""

    pool: Pool
    replica: Replica
    passages: PostgresPassages

    async def finds(self, query: PassageQuery = QUESTION) -> list[str]:
        """The texts of what is found."""
        return [passage.content for passage in await self.passages.search(query)]

    async def use(self) -> None:
        """Return once the replica is used."""
        await until(self._is(lambda: not self.replica.refusal))

    async def leave(self, reason: str) -> None:
        """Return once the replica is not used for a reason with these words."""
        await until(self._is(lambda: reason in self.replica.refusal))

    @staticmethod
    def _is(found: Callable[[], bool]) -> Callable[[], Coroutine[None, None, bool]]:
        async def ask() -> bool:
            return found()

        return ask


def ask(server: Postgres, query: str) -> object:
    """The value of a query on this server."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row
    return row[0]


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """Both run, and the primary has a document."""
    with running_postgres() as primary, running_standby(primary) as standby:
        asyncio.run(_add_document(primary.url, "guide", GUIDE))
        yield Pair(primary, standby)


async def _add_document(url: str, name: str, text: str) -> None:
    async with open_pool(url, max_size=2) as pool:
        shelf = Shelf(pool)
        await shelf.put(await shelf.add_source(name), "page", text)
        await refresh_search(pool)


async def test_searches_go_to_the_replica(pair: Pair) -> None:
    """The tables of the chunks are read there, and not on the primary."""
    async with pair.searched() as searched:
        before = ask(pair.primary, _SEARCHES), ask(pair.standby, _SEARCHES)
        for _ in range(5):
            (first, *_rest) = await searched.finds()
            assert "Funding rates" in first
        assert await searched.passages.hold_word("slippage", ANYBODY)

    async def is_counted() -> bool:
        return ask(pair.standby, _SEARCHES) != before[1]

    await until(is_counted)
    assert ask(pair.primary, _SEARCHES) == before[0]


async def test_search_goes_on_without_the_replica_and_returns_to_it(pair: Pair) -> None:
    """Killed in the middle, no search fails, and none waits for long, not even that of a turn."""
    async with pair.searched() as searched:
        work_under(1)
        pair.standby.crash()
        try:
            async with asyncio.timeout(4):
                assert await searched.finds()
            await searched.leave("connection")
            assert await searched.finds()
        finally:
            pair.standby.start()
        await searched.use()
        assert await searched.finds()


async def test_replica_that_lags_is_left_until_it_has_caught_up(pair: Pair) -> None:
    """A document that it has not replayed is found on the primary."""
    async with pair.searched(most_lag_s=1.0) as searched:
        ask(pair.standby, "SELECT pg_wal_replay_pause()::text")
        try:
            await _add_document(pair.primary.url, "zebras", "# Zebras\n\nA zebra is striped.\n")
            zebra = PassageQuery("striped zebra")
            assert await searched.finds(zebra) == []
            await searched.leave("behind the primary")
            assert await searched.finds(zebra) == ["A zebra is striped."]
        finally:
            ask(pair.standby, "SELECT pg_wal_replay_resume()::text")
        await searched.use()
        assert await searched.finds(zebra) == ["A zebra is striped."]


async def test_replica_of_an_idle_primary_does_not_lag(pair: Pair) -> None:
    """Its last transaction is long ago, and nothing is missing."""
    async with pair.searched(most_lag_s=0.5) as searched:
        for _ in range(6):
            await asyncio.sleep(0.5)
            assert searched.replica.refusal == ""


async def test_own_file_is_found_at_once_and_not_once_it_is_forgotten(pair: Pair) -> None:
    """Whatever the replica has replayed."""
    async with pair.searched(most_lag_s=300.0) as searched:
        query = PassageQuery("secret word", reader=Reader(100), files=True)
        assert await searched.finds(query) == []
        ask(pair.standby, "SELECT pg_wal_replay_pause()::text")
        try:
            file = await send(searched.pool, 100, "My secret word is gnu.", None)
            assert await searched.finds(query) == ["My secret word is gnu."]
        finally:
            ask(pair.standby, "SELECT pg_wal_replay_resume()::text")

        async def has_replayed() -> bool:
            return ask(pair.standby, "SELECT count(*) FROM user_files") == 1

        await until(has_replayed)
        ask(pair.standby, "SELECT pg_wal_replay_pause()::text")
        try:
            await PostgresUserFiles(searched.pool).forget(100, [file.id])
            assert ask(pair.standby, "SELECT count(*) FROM user_files") == 1
            assert await searched.finds(query) == []
        finally:
            ask(pair.standby, "SELECT pg_wal_replay_resume()::text")


async def test_replica_is_refused_if_it_is_none(pair: Pair, database_url: str) -> None:
    """A server that takes writes may have other documents; a standby of another one has."""
    async with open_pool(pair.primary.url, max_size=2) as pool:
        for url in (database_url, pair.primary.url):
            replica = Replica(url, pool, most_lag_s=5.0)
            async with alongside(replica.watch()):
                await replica.looked_at.wait()
                assert replica.refusal == "it is not a standby"
    async with open_pool(database_url, max_size=2) as pool:
        replica = Replica(pair.standby.url, pool, most_lag_s=5.0)
        async with alongside(replica.watch()):
            await replica.looked_at.wait()
            assert replica.refusal == "it is a standby of another server"
