"""Tokens and sessions of the web chat in PostgreSQL, which has their hashes."""

from collections.abc import Sequence
from datetime import timedelta

from rich_agent.domain.browser_sessions import (
    CODE_LASTS_S,
    LOGIN_CODE,
    MOST_SESSIONS,
    SESSION,
    BrowserSession,
    make_secret,
)
from rich_agent.domain.tokens import (
    MOST_TOKENS,
    SCOPES,
    ApiToken,
    NewApiToken,
    hash_token,
    make_token,
)
from rich_agent.ports.program_access import TokenHolder
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one
from rich_agent.repositories.inbox.wakeups import NEWS_CHANNEL

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
_LASTS_S = "extract(epoch FROM expires_at - clock_timestamp())::float8 AS lasts_s"
# One at a time for each user, so that they cannot begin more together.
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('web_sessions', %(user_id)s))"
_GONE = f"SELECT pg_notify('{NEWS_CHANNEL}', user_id::text) FROM gone"
"""Makes the pages of those whose sessions or tokens are `gone` look whether they are still open."""
_MAKE_ROOM = f"""
WITH gone AS (
    DELETE FROM web_sessions WHERE id IN (
        SELECT id FROM web_sessions WHERE user_id = %(user_id)s
        ORDER BY created_at DESC, id DESC OFFSET {MOST_SESSIONS - 1}
    ) RETURNING user_id
)
{_GONE}
"""
_BEGIN = """
INSERT INTO web_sessions (secret_hash, user_id, expires_at)
VALUES (%(hash)s, %(user_id)s, clock_timestamp() + make_interval(secs => %(lasts_s)s))
"""
_HOLDER = f"""
WITH found AS (
    SELECT id, user_id, last_used_at, {_LASTS_S} FROM web_sessions
    WHERE secret_hash = %s AND {_OPEN}
), used AS (
    UPDATE web_sessions SET last_used_at = clock_timestamp() FROM found
    WHERE web_sessions.id = found.id
        AND found.last_used_at < clock_timestamp() - interval '1 min'
)
SELECT found.user_id, listed.is_allowed, lasts_s
FROM found LEFT JOIN access_list AS listed ON listed.telegram_user_id = found.user_id
"""
_LISTED = f"""
SELECT id, created_at, last_used_at, expires_at FROM web_sessions
WHERE user_id = %s AND {_OPEN} ORDER BY created_at DESC, id DESC
"""
_END_ONE = "DELETE FROM web_sessions WHERE {} RETURNING user_id"
_END = f"WITH gone AS ({_END_ONE.format('id = %s AND user_id = %s')}) {_GONE}"
_END_BY_SECRET = f"WITH gone AS ({_END_ONE.format('secret_hash = %s')}) {_GONE}"


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
        values = {
            "user_id": user_id,
            "hash": hash_token(secret),
            "lasts_s": lasts.total_seconds(),
        }
        async with one_transaction(self._pool) as connection:
            await connection.execute(_ALONE, values)
            await connection.execute(_MAKE_ROOM, values)
            await connection.execute(_BEGIN, values)
        return secret

    async def holder(self, secret: str) -> TokenHolder | None:
        row = await self._row(_HOLDER, (hash_token(secret),))
        if row is None:
            return None
        scopes = frozenset(SCOPES)
        return TokenHolder(row["user_id"], scopes, None, row["is_allowed"], row["lasts_s"])

    async def all_of(self, user_id: int) -> Sequence[BrowserSession]:
        return [BrowserSession(**row) for row in await self._rows(_LISTED, (user_id,))]

    async def end(self, session_id: int, user_id: int) -> bool:
        return await self._run(_END, (session_id, user_id)) > 0

    async def end_by_secret(self, secret: str) -> None:
        await self._run(_END_BY_SECRET, (hash_token(secret),))


_WORKS = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())"
# One maker at a time for each user, so that they cannot have more together.
_TOKENS_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('api_tokens', %(user_id)s))"
_COUNT = f"SELECT count(*) AS works FROM api_tokens WHERE user_id = %(user_id)s AND {_WORKS}"
_ADD = """
INSERT INTO api_tokens (token_hash, user_id, name, scopes, expires_at)
VALUES (%(hash)s, %(user_id)s, %(name)s, %(scopes)s,
    clock_timestamp() + make_interval(secs => %(lasts_s)s))
"""
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
WITH found AS (
    SELECT id, user_id, scopes, last_used_at, {_LASTS_S} FROM api_tokens
    WHERE token_hash = %s AND {_WORKS}
), used AS (
    UPDATE api_tokens SET last_used_at = clock_timestamp() FROM found
    WHERE api_tokens.id = found.id AND (found.last_used_at IS NULL
        OR found.last_used_at < clock_timestamp() - interval '1 min')
)
SELECT found.user_id, found.scopes, found.id AS token_id, listed.is_allowed, lasts_s
FROM found LEFT JOIN access_list AS listed ON listed.telegram_user_id = found.user_id
"""


class PostgresApiTokens(PostgresRepository):
    """Implements `ApiTokens`."""

    async def make(self, request: NewApiToken) -> str | None:
        token = make_token()
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
