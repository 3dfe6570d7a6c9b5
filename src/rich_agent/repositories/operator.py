"""The operator of a bot, and the code by which the bot is bound to them, in PostgreSQL."""

import secrets
from hmac import compare_digest

from rich_agent.repositories.database.repository import PostgresRepository

_CODE_BYTES = 16
_OFFER_CODE = "INSERT INTO operator (code) VALUES (%s) ON CONFLICT DO NOTHING"
_BIND_OPERATOR = """
WITH bound AS (
    UPDATE operator SET telegram_user_id = %(id)s, bound_at = coalesce(bound_at, clock_timestamp())
    WHERE telegram_user_id IS NULL OR telegram_user_id = %(id)s
    RETURNING telegram_user_id
)
INSERT INTO access_list (telegram_user_id, is_allowed) SELECT telegram_user_id, true FROM bound
ON CONFLICT (telegram_user_id) DO UPDATE SET is_allowed = true, changed_at = clock_timestamp()
RETURNING telegram_user_id
"""


class PostgresOperator(PostgresRepository):
    """Implements `Operator`."""

    async def code(self) -> str:
        await self._run(_OFFER_CODE, (secrets.token_urlsafe(_CODE_BYTES),))
        row = await self._row("SELECT code FROM operator")
        return str(row["code"]) if row else ""

    async def find(self) -> int | None:
        row = await self._row("SELECT telegram_user_id FROM operator")
        return row["telegram_user_id"] if row else None

    async def bind(self, user_id: int, code: str) -> bool:
        row = await self._row("SELECT code FROM operator")
        if row is None or not compare_digest(row["code"].encode(), code.encode()):
            return False
        return await self._row(_BIND_OPERATOR, {"id": user_id}) is not None
