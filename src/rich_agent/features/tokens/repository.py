"""Tokens of programs, of which PostgreSQL stores only hashes."""

from collections.abc import Sequence

from rich_agent.feature.database import (
    NEWS_CHANNEL,
    PostgresRepository,
    fetch_one,
    one_transaction,
    telling_pages,
)
from rich_agent.feature.web import TokenHolder, hash_token, make_secret
from rich_agent.features.tokens.records import MOST_TOKENS, PREFIX, ApiToken, NewApiToken

_LASTS_S = "extract(epoch FROM expires_at - clock_timestamp())::float8 AS lasts_s"
_GONE = f"SELECT pg_notify('{NEWS_CHANNEL}', user_id::text) FROM gone"
"""Notifies the streams of users with deleted tokens, so that they check their access."""
_WORKS = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())"
# One maker at a time for each user, so that they cannot have more together.
_TOKENS_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('api_tokens', %(user_id)s))"
_COUNT = f"SELECT count(*) AS works FROM api_tokens WHERE user_id = %(user_id)s AND {_WORKS}"
_ADD = telling_pages("""
INSERT INTO api_tokens (token_hash, user_id, name, scopes, expires_at)
VALUES (%(hash)s, %(user_id)s, %(name)s, %(scopes)s,
    clock_timestamp() + make_interval(secs => %(lasts_s)s))
""")
_TOKENS_LISTED = """
SELECT id, user_id, name, scopes, created_at, last_used_at, expires_at, revoked_at
FROM api_tokens WHERE %(user_id)s::bigint IS NULL OR user_id = %(user_id)s
ORDER BY created_at DESC, id DESC
"""
_REVOKE_ONE = f"""
WITH gone AS (
    UPDATE api_tokens SET revoked_at = clock_timestamp()
    WHERE id = %(id)s AND revoked_at IS NULL
        AND (%(user_id)s::bigint IS NULL OR user_id = %(user_id)s)
    RETURNING user_id
)
{_GONE}
"""
_TOKEN_HOLDER = f"""
WITH token AS (
    SELECT id, user_id, scopes, last_used_at, {_LASTS_S} FROM api_tokens
    WHERE token_hash = %s AND {_WORKS}
), used AS (
    UPDATE api_tokens SET last_used_at = clock_timestamp() FROM token
    WHERE api_tokens.id = token.id AND (token.last_used_at IS NULL
        OR token.last_used_at < clock_timestamp() - interval '1 min')
)
SELECT token.user_id, token.scopes, token.id AS token_id, listed.is_allowed, lasts_s
FROM token LEFT JOIN access_list AS listed ON listed.telegram_user_id = token.user_id
"""


class PostgresApiTokens(PostgresRepository):
    """Implements `ApiTokens`."""

    async def make(self, request: NewApiToken) -> str | None:
        token = make_secret(PREFIX)
        values = {
            "hash": hash_token(token),
            "user_id": request.user_id,
            "name": request.name,
            "scopes": sorted(request.scopes),
            "lasts_s": request.lasts.total_seconds() if request.lasts else None,
        }
        async with one_transaction(self._pool) as connection:
            await connection.execute(_TOKENS_ALONE, values)
            if (await fetch_one(connection, _COUNT, values))["works"] >= MOST_TOKENS:
                return None
            await connection.execute(_ADD, values)
        return token

    async def all_of(self, user_id: int | None = None) -> Sequence[ApiToken]:
        rows = await self._rows(_TOKENS_LISTED, {"user_id": user_id})
        return [ApiToken(**{**row, "scopes": frozenset(row["scopes"])}) for row in rows]

    async def revoke(self, token_id: int, user_id: int | None = None) -> bool:
        return await self._run(_REVOKE_ONE, {"id": token_id, "user_id": user_id}) > 0

    async def holder(self, token: str) -> TokenHolder | None:
        row = await self._row(_TOKEN_HOLDER, (hash_token(token),))
        return TokenHolder(**{**row, "scopes": frozenset(row["scopes"])}) if row else None
