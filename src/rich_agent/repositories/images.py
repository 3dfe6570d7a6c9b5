"""The vision cache: what models saw, by the image's bytes. No image is kept."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from psycopg.types.json import Jsonb

from rich_agent.domain.vision import ImageSummary
from rich_agent.ports.images import SeenImage
from rich_agent.repositories.database import Pool, checkout, translate_database_errors
from rich_agent.repositories.fences import checkout_held
from rich_agent.repositories.json_values import storable

# Longer than looking takes with its repair; who waits in vain is told to try again.
_LOCK_TIMEOUT = "180s"
_CONNECT_TIMEOUT_S = 5

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


class PostgresImageSummaries:
    """Implements `ImageSummaries`; `lanes` is the pool of the database with the lanes."""

    def __init__(self, pool: Pool, lanes: Pool | None = None) -> None:
        self._pool = pool
        self._lanes = lanes

    async def find(self, sha256: str, model: str) -> ImageSummary | None:
        """See `ImageSummaries.find`."""
        async with checkout(self._pool) as connection:
            row = await (await connection.execute(_FIND, (sha256, model))).fetchone()
        return ImageSummary.from_json(row["summary_json"]) if row else None

    @asynccontextmanager
    async def exclusive(self, sha256: str) -> AsyncIterator[None]:
        """See `ImageSummaries.exclusive`.

        Holds an advisory lock on a connection of its own: looking takes seconds, and those who
        wait must not use up the pool.
        """
        with translate_database_errors(self._pool):
            lock = await psycopg.AsyncConnection.connect(
                str(self._pool.conninfo), autocommit=True, connect_timeout=_CONNECT_TIMEOUT_S
            )
        async with lock:
            # Errors of what the caller does meanwhile are not the database's.
            with translate_database_errors(self._pool):
                await lock.execute(f"SET lock_timeout = '{_LOCK_TIMEOUT}'")
                await lock.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", (sha256,))
            yield

    async def note_sender(self, sha256: str, thread_id: str) -> None:
        """See `ImageSummaries.note_sender`."""
        async with checkout_held(self._pool, self._lanes) as connection:
            await connection.execute(
                "INSERT INTO vision_senders (sha256, thread_id) VALUES (%s, %s) "
                "ON CONFLICT DO NOTHING",
                (sha256, thread_id),
            )

    async def store(self, image: SeenImage, model: str, summary: ImageSummary) -> None:
        """See `ImageSummaries.store`."""
        seen = (image.telegram_file_id, image.sha256, image.mime, image.size_bytes)
        async with checkout_held(self._pool, self._lanes) as connection:
            await connection.execute(_STORE, (*seen, model, Jsonb(storable(summary.to_json()))))
