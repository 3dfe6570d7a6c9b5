"""Confirmations that users give by a button, in PostgreSQL."""

import secrets

from rich_agent.domain.text import clean_text
from rich_agent.ports.accounts import CONFIRM_WITHIN_S
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.database.repository import PostgresRepository

_IS_OPEN = "created_at > clock_timestamp() - make_interval(secs => %(open_s)s)"
_OFFER = f"""
WITH forgotten AS (
    DELETE FROM confirmations WHERE NOT ({_IS_OPEN})
)
INSERT INTO confirmations (token, user_id, subject) VALUES (%(token)s, %(user_id)s, %(subject)s)
"""
_FIND_OFFER = f"""
SELECT subject FROM confirmations
WHERE token = %(token)s AND user_id = %(user_id)s AND {_IS_OPEN}
"""


class PostgresConfirmations(PostgresRepository):
    """Implements `Confirmations`; `open_s` is how long a question stays open."""

    def __init__(self, pool: Pool, open_s: float = CONFIRM_WITHIN_S) -> None:
        super().__init__(pool)
        self._open_s = open_s

    async def offer(self, user_id: int, subject: str) -> str:
        token = secrets.token_hex(8)
        values = {"token": token, "user_id": user_id, "subject": clean_text(subject)}
        await self._run(_OFFER, {**values, "open_s": self._open_s})
        return token

    async def find(self, user_id: int, token: str) -> str | None:
        values = {"token": clean_text(token), "user_id": user_id, "open_s": self._open_s}
        row = await self._row(_FIND_OFFER, values)
        return str(row["subject"]) if row else None

    async def close(self, user_id: int, token: str) -> None:
        await self._run(
            "DELETE FROM confirmations WHERE token = %s AND user_id = %s",
            (clean_text(token), user_id),
        )
