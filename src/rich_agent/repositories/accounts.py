"""Users, their choices, confirmations and ratings, in PostgreSQL."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from hmac import compare_digest

from rich_agent.domain.access import Access
from rich_agent.domain.memory.items import LongTermMemory, preferred_locale
from rich_agent.domain.message import User
from rich_agent.domain.text import clean_text
from rich_agent.ports.accounts import CONFIRM_WITHIN_S, Account, KnownUser, Rating
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all, fetch_one
from rich_agent.repositories.database.threads import THREADS_OF_USER
from rich_agent.repositories.inbox.wakeups import NEWS_CHANNEL

_FIND = """
SELECT known.locale, known.fresh_from, known.time_zone, known.spoken_locale,
    known.language_code, listed.is_allowed,
    memory.value AS preferences
FROM (SELECT %s::bigint AS id) AS asked
LEFT JOIN users AS known ON known.telegram_user_id = asked.id
LEFT JOIN access_list AS listed ON listed.telegram_user_id = asked.id
LEFT JOIN store AS memory
    ON memory.prefix = 'users.' || asked.id AND memory.key = 'preferences'
"""

_CHOOSE_LOCALE = """
INSERT INTO users (telegram_user_id, locale) VALUES (%s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE SET locale = excluded.locale, spoken_locale = NULL
"""

_CHOOSE_TIME_ZONE = """
INSERT INTO users (telegram_user_id, time_zone) VALUES (%s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE SET time_zone = excluded.time_zone
"""

_LEARN_TIME_ZONE = """
INSERT INTO users AS known (telegram_user_id, time_zone) VALUES (%s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE SET time_zone = excluded.time_zone
WHERE coalesce(known.time_zone, '') = ''
"""

_BEGIN_AFRESH = """
INSERT INTO users AS known (telegram_user_id, fresh_from) VALUES (%s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE
SET fresh_from = greatest(known.fresh_from, excluded.fresh_from)
"""

_SET_ACCESS = f"""
WITH changed AS (
    INSERT INTO access_list (telegram_user_id, is_allowed, changed_by) VALUES (%s, %s, %s)
    ON CONFLICT (telegram_user_id) DO UPDATE SET
        is_allowed = excluded.is_allowed,
        changed_by = excluded.changed_by,
        changed_at = clock_timestamp()
    RETURNING telegram_user_id
)
SELECT pg_notify('{NEWS_CHANNEL}', telegram_user_id::text) FROM changed
"""

_LISTED = """
(SELECT * FROM users WHERE last_seen_at IS NOT NULL) AS known
FULL JOIN access_list AS listed USING (telegram_user_id)
"""
_PAGE = f"""
SELECT telegram_user_id, coalesce(known.first_name, '') AS first_name, known.last_seen_at,
    known.blocked_at IS NOT NULL AS is_blocking, listed.is_allowed
FROM {_LISTED}
ORDER BY known.last_seen_at DESC NULLS LAST, telegram_user_id
OFFSET %s LIMIT %s
"""

_COUNT = f"SELECT count(*) AS total FROM {_LISTED}"
_RECIPIENTS = """
SELECT known.telegram_user_id
FROM users AS known LEFT JOIN access_list AS listed USING (telegram_user_id)
WHERE known.last_seen_at IS NOT NULL AND known.blocked_at IS NULL AND (
    known.telegram_user_id = ANY(%(admins)s)
    OR coalesce(listed.is_allowed,
        %(allowed)s::bigint[] IS NULL OR known.telegram_user_id = ANY(%(allowed)s))
)
ORDER BY known.telegram_user_id
"""
_NAMES = """
SELECT telegram_user_id, first_name FROM users
WHERE telegram_user_id = ANY(%s) AND first_name <> ''
"""


class PostgresAccounts(PostgresRepository):
    """Implements `Accounts`."""

    async def find(self, user_id: int) -> Account:
        row = await self._row(_FIND, (user_id,))
        if row is None:
            return Account()
        memory = LongTermMemory.from_json({"preferences": row["preferences"] or {}})
        return Account(
            row["locale"],
            row["is_allowed"],
            row["fresh_from"] or 0,
            preferred_locale(memory),
            row["time_zone"] or "",
            row["spoken_locale"],
            row["language_code"],
        )

    async def choose_locale(self, user_id: int, locale: str | None) -> None:
        await self._run(_CHOOSE_LOCALE, (user_id, locale))

    async def choose_time_zone(self, user_id: int, time_zone: str) -> None:
        await self._run(_CHOOSE_TIME_ZONE, (user_id, time_zone))

    async def learn_time_zone(self, user_id: int, time_zone: str) -> None:
        await self._run(_LEARN_TIME_ZONE, (user_id, time_zone))

    async def begin_afresh(self, user_id: int, update_id: int) -> None:
        await self._run(_BEGIN_AFRESH, (user_id, update_id))

    async def set_access(self, user_id: int, *, is_allowed: bool, by: int | None) -> None:
        await self._run(_SET_ACCESS, (user_id, is_allowed, by))

    async def page(self, offset: int, limit: int) -> tuple[Sequence[KnownUser], int]:
        async with checkout(self._pool) as connection:
            rows = await fetch_all(connection, _PAGE, (offset, limit))
            total = (await fetch_one(connection, _COUNT))["total"]
        return [KnownUser(**row) for row in rows], total

    async def recipients(self, access: Access) -> Sequence[int]:
        allowed = None if access.allowed is None else sorted(access.allowed)
        rows = await self._rows(_RECIPIENTS, {"allowed": allowed, "admins": sorted(access.admins)})
        return [row["telegram_user_id"] for row in rows]

    async def names(self, user_ids: Collection[int]) -> Mapping[int, str]:
        rows = await self._rows(_NAMES, (list(user_ids),))
        return {row["telegram_user_id"]: row["first_name"] for row in rows}


# Whoever blocked the bot is reminded again once they are back.
_REMEMBER = """
WITH resumed AS (
    UPDATE schedules SET status = 'active' FROM users
    WHERE telegram_user_id = %(id)s AND user_id = telegram_user_id AND blocked_at IS NOT NULL
        AND status = 'paused'
)
INSERT INTO users AS known
    (telegram_user_id, username, first_name, language_code, last_seen_at)
VALUES (%(id)s, %(username)s, %(first_name)s, %(language_code)s, now())
ON CONFLICT (telegram_user_id) DO UPDATE SET
    username = excluded.username,
    first_name = excluded.first_name,
    language_code = excluded.language_code,
    last_seen_at = now(),
    blocked_at = NULL
"""


_MARK_BLOCKED = """
WITH paused AS (
    UPDATE schedules SET status = 'paused' WHERE user_id = %(id)s AND status = 'active'
)
UPDATE users SET blocked_at = coalesce(blocked_at, now()) WHERE telegram_user_id = %(id)s
"""


class PostgresUsers(PostgresRepository):
    """Implements `Users`."""

    async def remember(self, user: User) -> None:
        await self._run(
            _REMEMBER,
            {
                "id": user.telegram_user_id,
                "username": user.username,
                "first_name": clean_text(user.first_name),
                "language_code": user.language_code,
            },
        )

    async def mark_blocked(self, telegram_user_id: int) -> None:
        await self._run(_MARK_BLOCKED, {"id": telegram_user_id})


# One statement also checks for the decision's row, so that a deleted answer gets no rating.
_RATE = f"""
WITH rated AS (
    SELECT id FROM retrieval_decisions WHERE {THREADS_OF_USER} AND request_id = %(request)s
), withdrawn AS (
    DELETE FROM answer_feedback USING rated
    WHERE decision_id = rated.id AND %(rating)s::text IS NULL
), kept AS (
    INSERT INTO answer_feedback (decision_id, rating)
    SELECT id, %(rating)s FROM rated WHERE %(rating)s::text IS NOT NULL
    ON CONFLICT (decision_id) DO UPDATE
    SET rating = excluded.rating, rated_at = clock_timestamp()
)
SELECT id FROM rated
"""
_RATINGS = f"""
SELECT request_id, rating
FROM retrieval_decisions JOIN answer_feedback ON decision_id = id
WHERE {THREADS_OF_USER} AND request_id = ANY(%(requests)s)
"""


class PostgresFeedback(PostgresRepository):
    """Implements `Feedback`."""

    async def rate(self, thread_id: str, request_id: str, rating: Rating | None) -> bool:
        values = {"thread_id": thread_id, "request": request_id, "rating": rating}
        return await self._row(_RATE, values) is not None

    async def ratings(self, thread_id: str, request_ids: Sequence[str]) -> Mapping[str, Rating]:
        values = {"thread_id": thread_id, "requests": list(request_ids)}
        return {row["request_id"]: row["rating"] for row in await self._rows(_RATINGS, values)}


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
