"""Summaries of images, answers about them, what was uploaded, and locks for work on them.

Answers are used only for the user who asked, and so are uploads.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

import psycopg
from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.text import clean_text
from rich_agent.domain.vision import ImageSummary
from rich_agent.ports.images import MOST_ANSWERS, MOST_UPLOADS, AskedImage, SeenImage
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import Connection, Pool, translate_database_errors
from rich_agent.repositories.database.repository import PostgresRepository

_FIND = """
SELECT summary_json FROM vision_images AS image
JOIN vision_summaries AS summary ON summary.image_id = image.id
WHERE image.sha256 = %s AND summary.model = %s
"""

_STORE = """
WITH image AS (
    INSERT INTO vision_images AS known (telegram_file_id, sha256, mime, size)
    VALUES (%s, %s, %s, %s)
    ON CONFLICT (sha256) DO UPDATE SET sha256 = known.sha256
    RETURNING id
)
INSERT INTO vision_summaries (image_id, model, summary_json)
SELECT id, %s, %s FROM image
ON CONFLICT (image_id, model) DO NOTHING
"""


class PostgresImageSummaries(PostgresRepository):
    """Implements `ImageSummaries`; see `Databases` for the other pools."""

    def __init__(self, pool: Pool, lanes: Pool | None = None, sessions: Pool | None = None) -> None:
        super().__init__(pool, lanes)
        self._locks = AdvisoryLocks(sessions or pool)

    async def find(self, sha256: str, model: str) -> ImageSummary | None:
        row = await self._row(_FIND, (sha256, model))
        return ImageSummary.from_json(row["summary_json"]) if row else None

    def exclusive(self, sha256: str) -> AbstractAsyncContextManager[None]:
        return self._locks.hold(sha256)

    async def note_sender(self, sha256: str, thread_id: str) -> None:
        await self._run_held(
            "INSERT INTO vision_senders (sha256, thread_id) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (sha256, thread_id),
        )

    async def store(self, image: SeenImage, model: str, summary: ImageSummary) -> None:
        seen = (image.telegram_file_id, image.sha256, image.mime, image.size_bytes)
        await self._run_held(_STORE, (*seen, model, Jsonb(storable(summary.to_json()))))


_FIND_ANSWER = """
SELECT answer FROM vision_answers
WHERE thread_id = %s AND sha256 = %s AND model = %s AND question_hash = %s
"""
_STORE_ANSWER = """
INSERT INTO vision_answers (thread_id, sha256, model, question_hash, answer)
VALUES (%s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""
_LET_GO = """
DELETE FROM vision_answers WHERE thread_id = %(thread_id)s AND id <= (
    SELECT id FROM vision_answers WHERE thread_id = %(thread_id)s
    ORDER BY id DESC OFFSET %(most)s LIMIT 1
)
"""


class PostgresImageAnswers(PostgresRepository):
    """Implements `ImageAnswers`; `lanes` is the pool of the lanes' database."""

    async def find(self, asked: AskedImage) -> str | None:
        row = await self._row(_FIND_ANSWER, _key(asked))
        return str(row["answer"]) if row else None

    async def store(self, asked: AskedImage, answer: str) -> None:
        async with checkout_held(self._pool, self._lanes) as connection:
            await connection.execute(_STORE_ANSWER, (*_key(asked), clean_text(answer)))
            await connection.execute(_LET_GO, {"thread_id": asked.thread_id, "most": MOST_ANSWERS})

    async def prune(self, days: float) -> int:
        """Delete answers older than `days`; returns how many."""
        return await self._prune("vision_answers", "answered_at", days)


def _key(asked: AskedImage) -> tuple[str, str, str, str]:
    return asked.thread_id, asked.sha256, asked.model, asked.question_key


_KEEP = """
WITH surplus AS (
    DELETE FROM uploads WHERE id IN (
        SELECT id FROM uploads WHERE user_id = %(user_id)s
        ORDER BY uploaded_at DESC OFFSET %(others)s
    )
)
INSERT INTO uploads (user_id, mime, data) VALUES (%(user_id)s, %(mime)s, %(data)s) RETURNING id
"""


class PostgresUploads(PostgresRepository):
    """Implements `Uploads`."""

    async def keep(self, user_id: int, mime: str, data: bytes) -> str:
        values = {"user_id": user_id, "others": MOST_UPLOADS - 1, "mime": mime, "data": data}
        return str((await self._one(_KEEP, values))["id"])

    async def has(self, user_id: int, upload_id: str) -> bool:
        query = "SELECT 1 FROM uploads WHERE user_id = %s AND id = %s"
        return await self._row(query, (user_id, upload_id)) is not None

    async def find(self, user_id: int, upload_id: str) -> bytes | None:
        query = "SELECT data FROM uploads WHERE user_id = %s AND id = %s"
        row = await self._row(query, (user_id, upload_id))
        return bytes(row["data"]) if row else None

    async def prune(self, days: float) -> int:
        return await self._prune("uploads", "uploaded_at", days)


_WAIT_S = 180.0
_PAUSE_S = 0.2


@dataclass(slots=True)
class _Shared:
    connection: Connection
    users: int = 0


class AdvisoryLocks:
    """Session locks for some seconds; they use a connection of `pool` while any is in use.

    Source: PostgreSQL, "Advisory Locks".
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._here: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._opening = asyncio.Lock()
        self._shared: _Shared | None = None

    @asynccontextmanager
    async def hold(self, key: str) -> AsyncIterator[None]:
        """Hold the lock with this name; errors inside the block are passed on unchanged.

        Raises: DatabaseUnavailableError, also if the lock was not free within 180 s.
        """
        here = self._here.setdefault(key, asyncio.Lock())
        async with AsyncExitStack() as held:
            with translate_database_errors(self._pool):
                async with asyncio.timeout(_WAIT_S):
                    await held.enter_async_context(here)
                    connection = await held.enter_async_context(self._connected())
                    held.push_async_callback(_unlock, connection, key)
                    await _lock(connection, key)
            yield

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Connection]:
        """The connection for all locks; if it was lost, with its locks, a new one."""
        async with self._opening:
            shared = self._shared
            if shared is None or shared.connection.closed:
                shared = self._shared = _Shared(await self._pool.getconn())
            shared.users += 1
        try:
            yield shared.connection
        finally:
            shared.users -= 1
            if shared.users == 0:
                if self._shared is shared:
                    self._shared = None
                await self._pool.putconn(shared.connection)


async def _lock(connection: Connection, key: str) -> None:
    query = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0)) AS is_ours"
    # Waiting in the database would block all other locks of the connection.
    while True:
        row = await (await connection.execute(query, (key,))).fetchone()
        if row and row["is_ours"]:
            return
        await asyncio.sleep(_PAUSE_S)


async def _unlock(connection: Connection, key: str) -> None:
    with suppress(psycopg.Error):  # a lost connection has lost its locks
        await connection.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", (key,))
