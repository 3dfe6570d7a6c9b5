"""Tokens of other programs in PostgreSQL, which has their hashes only."""

from collections.abc import Sequence

from rich_agent.domain.tokens.api_tokens import (
    MOST_TOKENS,
    ApiToken,
    NewApiToken,
    hash_token,
    make_token,
)
from rich_agent.ports.programs.api_tokens import TokenHolder
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one

_WORKS = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())"
# One maker at a time for each user, so that they cannot have more together.
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('api_tokens', %(user_id)s))"
_COUNT = f"SELECT count(*) AS works FROM api_tokens WHERE user_id = %(user_id)s AND {_WORKS}"
_MAKE = """
INSERT INTO api_tokens (token_hash, user_id, name, scopes, expires_at)
VALUES (%(hash)s, %(user_id)s, %(name)s, %(scopes)s,
    clock_timestamp() + make_interval(secs => %(lasts_s)s))
"""
_LISTED = """
SELECT id, user_id, name, scopes, created_at, last_used_at, expires_at, revoked_at
FROM api_tokens WHERE %(user_id)s::bigint IS NULL OR user_id = %(user_id)s
ORDER BY created_at DESC, id DESC
"""
_REVOKE = """
UPDATE api_tokens SET revoked_at = clock_timestamp()
WHERE id = %(id)s AND revoked_at IS NULL
    AND (%(user_id)s::bigint IS NULL OR user_id = %(user_id)s)
"""
_HOLDER = f"""
WITH found AS (
    SELECT id, user_id, scopes, last_used_at FROM api_tokens WHERE token_hash = %s AND {_WORKS}
), used AS (
    UPDATE api_tokens SET last_used_at = clock_timestamp() FROM found
    WHERE api_tokens.id = found.id AND (found.last_used_at IS NULL
        OR found.last_used_at < clock_timestamp() - interval '1 min')
)
SELECT found.id, found.user_id, found.scopes, listed.is_allowed
FROM found LEFT JOIN access_list AS listed ON listed.telegram_user_id = found.user_id
"""


class PostgresApiTokens(PostgresRepository):
    """Implements `ApiTokens`."""

    async def make(self, wanted: NewApiToken) -> str | None:
        token = make_token()
        named = {
            "hash": hash_token(token),
            "user_id": wanted.user_id,
            "name": wanted.name,
            "scopes": sorted(wanted.scopes),
            "lasts_s": wanted.lasts.total_seconds() if wanted.lasts else None,
        }
        async with one_transaction(self._pool) as connection:
            await connection.execute(_ALONE, named)
            if (await fetch_one(connection, _COUNT, named))["works"] >= MOST_TOKENS:
                return None
            await connection.execute(_MAKE, named)
        return token

    async def listed(self, user_id: int | None = None) -> Sequence[ApiToken]:
        rows = await self._rows(_LISTED, {"user_id": user_id})
        return [ApiToken(**{**row, "scopes": frozenset(row["scopes"])}) for row in rows]

    async def revoke(self, token_id: int, user_id: int | None = None) -> bool:
        return await self._run(_REVOKE, {"id": token_id, "user_id": user_id}) > 0

    async def holder(self, token: str) -> TokenHolder | None:
        row = await self._row(_HOLDER, (hash_token(token),))
        if row is None:
            return None
        return TokenHolder(row["user_id"], frozenset(row["scopes"]), row["id"], row["is_allowed"])

    async def prune(self, days: float) -> int:
        """Delete tokens that ended more than `days` ago; how many."""
        return await self._prune("api_tokens", "least(revoked_at, expires_at)", days)
