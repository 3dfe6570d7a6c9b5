"""The vision cache: what models saw, by the image's bytes. No image is kept."""

from contextlib import AbstractAsyncContextManager

from psycopg.types.json import Jsonb

from rich_agent.domain.vision import ImageSummary
from rich_agent.ports.images import SeenImage
from rich_agent.repositories.database.advisory_locks import AdvisoryLocks
from rich_agent.repositories.database.json_values import storable
from rich_agent.repositories.database.pools import Pool
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
    """Implements `ImageSummaries`; `lanes` is the pool of the database with the lanes."""

    def __init__(self, pool: Pool, lanes: Pool | None = None) -> None:
        super().__init__(pool, lanes)
        self._locks = AdvisoryLocks(pool)

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
