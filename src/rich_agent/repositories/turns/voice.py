"""Words heard in the recordings of each user, in PostgreSQL."""

from rich_agent.domain.text import clean_text
from rich_agent.ports.models import VoiceText
from rich_agent.repositories.database.repository import PostgresRepository

_FIND = """
SELECT words FROM heard_recordings
WHERE user_id = %(user_id)s AND model = %(model)s AND (
    sha256 = %(sha256)s OR (unique_id = %(unique_id)s AND unique_id <> '')
)
LIMIT 1
"""
_STORE = """
INSERT INTO heard_recordings (user_id, sha256, model, unique_id, words)
VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""


class PostgresVoiceTexts(PostgresRepository):
    """Implements `VoiceTexts`."""

    async def find(
        self, user_id: int, model: str, *, sha256: str = "", unique_id: str = ""
    ) -> str | None:
        named = {"user_id": user_id, "model": model, "sha256": sha256, "unique_id": unique_id}
        row = await self._row(_FIND, named)
        return str(row["words"]) if row else None

    async def store(self, user_id: int, model: str, heard: VoiceText) -> None:
        values = (user_id, heard.sha256, model, heard.unique_id, clean_text(heard.words))
        await self._run_held(_STORE, values)
