"""Sessions of the web chat in PostgreSQL, which has the hashes of their secrets only."""

from collections.abc import Sequence
from datetime import timedelta

from rich_agent.domain.tokens.api_tokens import SCOPES, hash_token
from rich_agent.domain.tokens.browser_sessions import (
    CODE_LASTS_S,
    LOGIN_CODE,
    MOST_SESSIONS,
    SESSION,
    BrowserSession,
    make_secret,
)
from rich_agent.ports.programs.api_tokens import TokenHolder
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository

_OFFER = f"""
INSERT INTO web_login_codes (user_id, code_hash, expires_at)
VALUES (%(user_id)s, %(hash)s, clock_timestamp() + make_interval(secs => {CODE_LASTS_S}))
ON CONFLICT (user_id) DO UPDATE
SET code_hash = excluded.code_hash, expires_at = excluded.expires_at
"""
_TAKE = """
DELETE FROM web_login_codes WHERE code_hash = %s
RETURNING CASE WHEN expires_at > clock_timestamp() THEN user_id END AS user_id
"""
_OPEN = "expires_at > clock_timestamp()"
# One at a time for each user, so that they cannot begin more together.
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('web_sessions', %(user_id)s))"
_MAKE_ROOM = f"""
DELETE FROM web_sessions WHERE id IN (
    SELECT id FROM web_sessions WHERE user_id = %(user_id)s
    ORDER BY created_at DESC, id DESC OFFSET {MOST_SESSIONS - 1}
)
"""
_BEGIN = """
INSERT INTO web_sessions (secret_hash, user_id, expires_at)
VALUES (%(hash)s, %(user_id)s, clock_timestamp() + make_interval(secs => %(lasts_s)s))
"""
_HOLDER = f"""
WITH found AS (
    SELECT id, user_id, last_used_at FROM web_sessions WHERE secret_hash = %s AND {_OPEN}
), used AS (
    UPDATE web_sessions SET last_used_at = clock_timestamp() FROM found
    WHERE web_sessions.id = found.id
        AND found.last_used_at < clock_timestamp() - interval '1 min'
)
SELECT found.user_id, listed.is_allowed
FROM found LEFT JOIN access_list AS listed ON listed.telegram_user_id = found.user_id
"""
_LISTED = f"""
SELECT id, created_at, last_used_at, expires_at FROM web_sessions
WHERE user_id = %s AND {_OPEN} ORDER BY created_at DESC, id DESC
"""
_END = "DELETE FROM web_sessions WHERE id = %s AND user_id = %s"
_END_BY_SECRET = "DELETE FROM web_sessions WHERE secret_hash = %s"  # noqa: S105 - no password


class PostgresBrowserSessions(PostgresRepository):
    """Implements `BrowserSessions`."""

    async def offer_code(self, user_id: int) -> str:
        code = make_secret(LOGIN_CODE)
        await self._run(_OFFER, {"user_id": user_id, "hash": hash_token(code)})
        return code

    async def take_code(self, code: str) -> int | None:
        row = await self._row(_TAKE, (hash_token(code),))
        return row["user_id"] if row else None

    async def begin(self, user_id: int, lasts: timedelta) -> str:
        secret = make_secret(SESSION)
        named = {
            "user_id": user_id,
            "hash": hash_token(secret),
            "lasts_s": lasts.total_seconds(),
        }
        async with one_transaction(self._pool) as connection:
            await connection.execute(_ALONE, named)
            await connection.execute(_MAKE_ROOM, named)
            await connection.execute(_BEGIN, named)
        return secret

    async def holder(self, secret: str) -> TokenHolder | None:
        row = await self._row(_HOLDER, (hash_token(secret),))
        if row is None:
            return None
        return TokenHolder(row["user_id"], frozenset(SCOPES), None, row["is_allowed"])

    async def listed(self, user_id: int) -> Sequence[BrowserSession]:
        return [BrowserSession(**row) for row in await self._rows(_LISTED, (user_id,))]

    async def end(self, session_id: int, user_id: int) -> bool:
        return await self._run(_END, (session_id, user_id)) > 0

    async def end_by_secret(self, secret: str) -> None:
        await self._run(_END_BY_SECRET, (hash_token(secret),))

    async def prune(self, days: float) -> int:
        """Delete sessions and codes that expired more than `days` ago; how many."""
        codes = await self._prune("web_login_codes", "expires_at", days)
        return codes + await self._prune("web_sessions", "expires_at", days)
