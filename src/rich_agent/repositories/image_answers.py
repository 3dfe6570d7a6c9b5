"""What users asked about images; the answers of one user serve nobody else."""

from rich_agent.domain.text import clean_text
from rich_agent.ports.images import MOST_ANSWERS, AskedImage
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.repository import PostgresRepository

_FIND = """
SELECT answer FROM vision_answers
WHERE thread_id = %s AND sha256 = %s AND model = %s AND question_hash = %s
"""
_STORE = """
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
        row = await self._row(_FIND, _key(asked))
        return str(row["answer"]) if row else None

    async def store(self, asked: AskedImage, answer: str) -> None:
        async with checkout_held(self._pool, self._lanes) as connection:
            await connection.execute(_STORE, (*_key(asked), clean_text(answer)))
            await connection.execute(_LET_GO, {"thread_id": asked.thread_id, "most": MOST_ANSWERS})

    async def prune(self, days: float) -> int:
        """Forget what was answered more than `days` ago; how many."""
        return await self._prune("vision_answers", "answered_at", days)


def _key(asked: AskedImage) -> tuple[str, str, str, str]:
    return asked.thread_id, asked.sha256, asked.model, asked.question_key
