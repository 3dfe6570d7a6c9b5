"""Images that programs uploaded, in PostgreSQL; only their users can find them."""

from rich_agent.ports.images import MOST_UPLOADS
from rich_agent.repositories.database.repository import PostgresRepository

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
