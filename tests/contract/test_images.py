"""One suite for the vision cache in PostgreSQL and for its twin."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from rich_agent.domain.vision import ImageSummary
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.images import ImageSummaries, SeenImage
from rich_agent.repositories.database.pools import Databases, Pool, checkout, open_pool
from rich_agent.repositories.images import PostgresImageSummaries
from tests.twins.knowledge import InMemoryImageSummaries

DEADLINE_S = 10.0
MODEL = "vision-1"
RED = ImageSummary("A red square.", ("red", "square"), ("| a |",), ("blurred",))


@pytest.fixture(params=["postgres", "in_memory"])
async def summaries(request: pytest.FixtureRequest) -> AsyncIterator[ImageSummaries]:
    """An empty cache; the pool is smaller than the number of those who wait."""
    if request.param == "in_memory":
        yield InMemoryImageSummaries()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=2) as pool:
        yield PostgresImageSummaries(pool)


def seen(sha256: str = "a" * 64, file_id: str = "file-1") -> SeenImage:
    """An image that was looked at."""
    return SeenImage(file_id, sha256, "image/png", 1234)


async def test_images_are_unknown_before_they_are_stored(summaries: ImageSummaries) -> None:
    """Neither another image nor another model's words count."""
    await summaries.store(seen(), MODEL, RED)
    assert await summaries.find("b" * 64, MODEL) is None
    assert await summaries.find("a" * 64, "vision-2") is None


@pytest.mark.req("VIS-2", "DUR-2")
async def test_images_keep_the_first_summary(summaries: ImageSummaries) -> None:
    """The same bytes under a new file id are the same image; the words that are there stay."""
    await summaries.store(seen(), MODEL, RED)
    await summaries.store(seen(file_id="file-2"), MODEL, ImageSummary("Something else."))
    assert await summaries.find("a" * 64, MODEL) == RED


async def test_images_keep_the_words_of_each_model(summaries: ImageSummaries) -> None:
    """A new vision model looks again, and both are kept."""
    other = ImageSummary("Ein rotes Quadrat.")
    await summaries.store(seen(), MODEL, RED)
    await summaries.store(seen(), "vision-2", other)
    assert await summaries.find("a" * 64, MODEL) == RED
    assert await summaries.find("a" * 64, "vision-2") == other


@pytest.mark.req("VIS-2")
async def test_images_seen_eight_times_at_once_cost_one_look(summaries: ImageSummaries) -> None:
    """A waiting caller finds what the first one stored; a small pool is no obstacle."""
    looks: list[str] = []

    async def look() -> ImageSummary:
        async with summaries.exclusive("a" * 64):
            if known := await summaries.find("a" * 64, MODEL):
                return known
            looks.append(MODEL)
            await asyncio.sleep(0)
            await summaries.store(seen(), MODEL, RED)
            return RED

    async with asyncio.timeout(DEADLINE_S):
        found = await asyncio.gather(*(look() for _ in range(8)))
    assert looks == [MODEL]
    assert found == [RED] * 8


@pytest.mark.req("VIS-2")
async def test_images_hold_up_nobody_with_another_image(summaries: ImageSummaries) -> None:
    """Only the same content waits."""
    async with (
        asyncio.timeout(DEADLINE_S),
        summaries.exclusive("a" * 64),
        summaries.exclusive("b" * 64),
    ):
        assert await summaries.find("a" * 64, MODEL) is None


async def test_images_are_free_again_after_a_failed_look(summaries: ImageSummaries) -> None:
    """An error inside the lock is passed on, and the next caller gets the lock."""
    for _ in range(2):
        with pytest.raises(TimeoutError, match="the model"):
            async with asyncio.timeout(DEADLINE_S), summaries.exclusive("a" * 64):
                raise TimeoutError("the model is slow")


async def test_images_take_words_that_postgres_refuses(summaries: ImageSummaries) -> None:
    """NUL and lone surrogates of a model's output are dropped."""
    await summaries.store(seen(), MODEL, ImageSummary("A\x00B\ud800", ("c\x00",)))
    assert await summaries.find("a" * 64, MODEL) == ImageSummary("AB", ("c",))


@pytest.mark.req("VIS-2", "DUR-2")
async def test_images_are_one_row_each(databases: Databases) -> None:
    """Hash, type and size are kept, once for each content; the image itself is not."""
    summaries = PostgresImageSummaries(databases.rag)
    for number in range(2):
        await summaries.store(seen(file_id=f"file-{number}"), MODEL, RED)
    async with checkout(databases.rag) as connection:
        images = await (await connection.execute("SELECT * FROM vision_images")).fetchall()
        words = await (await connection.execute("SELECT * FROM vision_summaries")).fetchall()
    assert [(row["sha256"], row["mime"], row["size"]) for row in images] == [
        ("a" * 64, "image/png", 1234)
    ]
    assert not any(isinstance(value, bytes) for value in images[0].values())
    assert [(row["image_id"], row["model"]) for row in words] == [(images[0]["id"], MODEL)]


async def test_images_exclusive_says_that_the_database_is_away(tmp_path: Path) -> None:
    """The lock uses a separate connection, and its failures are translated too."""
    pool = Pool(f"host={tmp_path}", open=False)
    with pytest.raises(DatabaseUnavailableError):
        async with PostgresImageSummaries(pool).exclusive("a" * 64):
            pass


async def test_images_looked_at_at_once_stay_within_the_pool(database_url: str) -> None:
    """40 different ones: its two connections, and each content is still looked at by one process.

    What is waited for comes free, whichever of the two processes held it.
    """
    free = asyncio.Event()
    held: list[str] = []
    async with (
        asyncio.timeout(DEADLINE_S),
        open_pool(database_url, max_size=2) as pool,
        open_pool(database_url, max_size=2) as others,
    ):
        ours, theirs = PostgresImageSummaries(pool), PostgresImageSummaries(others)

        async def look(by: PostgresImageSummaries, name: str) -> None:
            async with by.exclusive(name):
                held.append(name)
                await free.wait()

        async with asyncio.TaskGroup() as group:
            for number in range(40):
                group.create_task(look(ours, f"image {number}"))
            while len(held) < 40:  # noqa: ASYNC110 - those who hold it wait themselves
                await asyncio.sleep(0.01)
            for number in range(0, 40, 8):
                group.create_task(look(theirs, f"image {number}"))
            await ours.find("image 41", MODEL)
            await theirs.find("image 41", MODEL)
            async with await psycopg.AsyncConnection.connect(database_url) as observer:
                cursor = await observer.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                    "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
                )
                assert (await cursor.fetchone() or (None,))[0] <= 4
            assert len(held) == 40
            free.set()
    assert len(held) == 45


async def test_images_can_be_looked_at_after_their_connection_was_lost(database_url: str) -> None:
    """The lock is gone with it; the next one has another."""
    async with asyncio.timeout(DEADLINE_S), open_pool(database_url, max_size=2) as pool:
        summaries = PostgresImageSummaries(pool)
        async with summaries.exclusive("a" * 64):
            async with await psycopg.AsyncConnection.connect(database_url) as admin:
                await admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks "
                    "JOIN pg_stat_activity USING (pid) "
                    "WHERE locktype = 'advisory' AND datname = current_database()"
                )
            with suppress(DatabaseUnavailableError):
                async with summaries.exclusive("b" * 64):
                    pass
            async with summaries.exclusive("c" * 64):
                pass
