"""Sessions of browsers in PostgreSQL, which stores only hashes of their secrets."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta

from rich_agent.feature.database import NEWS_CHANNEL, PostgresRepository, checkout, telling_pages
from rich_agent.feature.web import SCOPES, TokenHolder, hash_token, make_secret
from rich_agent.features.web_chat.sessions import (
    CODE_LASTS_S,
    LOGIN_CODE,
    MOST_SESSIONS,
    SESSION,
    BrowserSession,
    SessionOrigin,
)

_FROM_HERE = SessionOrigin("", "")

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
# One at a time for each user, so that no user can exceed the limit by simultaneous requests.
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('web_sessions', %(user_id)s))"
_GONE = f"SELECT pg_notify('{NEWS_CHANNEL}', user_id::text) FROM gone"
"""Lets open pages check again whether they may stay, after sessions or tokens in `gone` ended."""
_MAKE_ROOM = f"""
WITH gone AS (
    DELETE FROM web_sessions WHERE id IN (
        SELECT id FROM web_sessions WHERE user_id = %(user_id)s
        ORDER BY created_at DESC, id DESC OFFSET {MOST_SESSIONS - 1}
    ) RETURNING user_id
)
{_GONE}
"""
_BEGIN = telling_pages("""
INSERT INTO web_sessions
    (secret_hash, user_id, expires_at, provider, provider_subject, provider_session)
VALUES (%(hash)s, %(user_id)s, clock_timestamp() + make_interval(secs => %(lasts_s)s),
    %(provider)s, %(subject)s, %(session)s)
""")
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
SELECT id, created_at, last_used_at, expires_at, provider FROM web_sessions
WHERE user_id = %s AND {_OPEN} ORDER BY created_at DESC, id DESC
"""
_HAS_ANY = f"SELECT EXISTS (SELECT FROM web_sessions WHERE user_id = %s AND {_OPEN}) AS has_any"
_END_ONE = "DELETE FROM web_sessions WHERE {} RETURNING user_id"
_END = f"WITH gone AS ({_END_ONE.format('id = %s AND user_id = %s')}) {_GONE}"
_END_OF_PROVIDER = f"""
WITH gone AS (
    DELETE FROM web_sessions
    WHERE provider = %(provider)s AND (%(subject)s = '' OR provider_subject = %(subject)s)
        AND (%(session)s = '' OR provider_session = %(session)s)
    RETURNING user_id
)
SELECT count(pg_notify('{NEWS_CHANNEL}', user_id::text)) AS ended FROM gone
"""
_END_BY_SECRET = f"WITH gone AS ({_END_ONE.format('secret_hash = %s')}) {_GONE}"


class BrowserSessions(PostgresRepository):
    """Sessions and login codes by their hashes.

    Expired ones open nothing. Every method may raise DatabaseUnavailableError.
    """

    async def offer_code(self, user_id: int) -> str:
        """A code that begins one session of the user within CODE_LASTS_S.

        It replaces an earlier code.
        """
        code = make_secret(LOGIN_CODE)
        await self._run(_OFFER, {"user_id": user_id, "hash": hash_token(code)})
        return code

    async def take_code(self, code: str) -> int | None:
        """The user of a code, None if it is unknown, expired or used. The code is then used."""
        row = await self._row(_TAKE, (hash_token(code),))
        return row["user_id"] if row else None

    async def begin(
        self, user_id: int, lasts: timedelta, origin: SessionOrigin = _FROM_HERE
    ) -> str:
        """The secret of a new session.

        The user's oldest session ends if there are MOST_SESSIONS.
        """
        secret = make_secret(SESSION)
        parameters = {
            "user_id": user_id,
            "hash": hash_token(secret),
            "lasts_s": lasts.total_seconds(),
            **asdict(origin),
        }
        async with checkout(self._pool) as connection:
            await connection.execute(_ALONE, parameters)
            await connection.execute(_MAKE_ROOM, parameters)
            await connection.execute(_BEGIN, parameters)
        return secret

    async def holder(self, secret: str) -> TokenHolder | None:
        """The holder of a session, by one query. Its use is recorded at most once a minute."""
        row = await self._row(_HOLDER, (hash_token(secret),))
        if row is None:
            return None
        scopes = frozenset(SCOPES)
        return TokenHolder(row["user_id"], scopes, None, row["is_allowed"], row["lasts_s"])

    async def all_of(self, user_id: int) -> Sequence[BrowserSession]:
        """The user's open sessions, newest first."""
        return [BrowserSession(**row) for row in await self._rows(_LISTED, (user_id,))]

    async def end(self, session_id: int, user_id: int) -> bool:
        """End a session of the user; return False if there is none."""
        return await self._run(_END, (session_id, user_id)) > 0

    async def end_of_provider(self, origin: SessionOrigin) -> int:
        """End the sessions that come from a sign-in; return how many there were.

        An empty `subject` or `session` stands for all of the provider.
        """
        return int((await self._one(_END_OF_PROVIDER, asdict(origin)))["ended"])

    async def end_by_secret(self, secret: str) -> None:
        """End a session, if there is one."""
        await self._run(_END_BY_SECRET, (hash_token(secret),))

    async def has_any(self, user_id: int) -> bool:
        """Whether the user is signed in in any browser."""
        return bool((await self._one(_HAS_ANY, (user_id,)))["has_any"])
