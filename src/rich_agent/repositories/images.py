"""Caches of image summaries, and of answers to questions about images."""

from contextlib import AbstractAsyncContextManager

from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.text import clean_text
from rich_agent.domain.vision import ImageSummary
from rich_agent.ports.images import MOST_ANSWERS, AskedImage, SeenImage
from rich_agent.repositories.database.advisory_locks import AdvisoryLocks
from rich_agent.repositories.database.fences import checkout_held
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
        await self._run_in_lane(
            "INSERT INTO vision_senders (sha256, thread_id) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (sha256, thread_id),
        )

    async def store(self, image: SeenImage, model: str, summary: ImageSummary) -> None:
        key = (image.telegram_file_id, image.sha256, image.mime, image.size_bytes)
        await self._run_in_lane(_STORE, (*key, model, Jsonb(storable(summary.to_json()))))


class PostgresImageAnswers(PostgresRepository):
    """Implements `ImageAnswers`; `lanes` is the pool of the lanes' database."""

    async def find(self, question: AskedImage) -> str | None:
        row = await self._row(_FIND_ANSWER, _key(question))
        return str(row["answer"]) if row else None

    async def store(self, question: AskedImage, answer: str) -> None:
        async with checkout_held(self._pool, self._lanes) as connection:
            await connection.execute(_STORE_ANSWER, (*_key(question), clean_text(answer)))
            await connection.execute(
                _LET_GO, {"thread_id": question.thread_id, "most": MOST_ANSWERS}
            )


def _key(question: AskedImage) -> tuple[str, str, str, str]:
    return question.thread_id, question.sha256, question.model, question.question_key
