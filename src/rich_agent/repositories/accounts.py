"""Users and their choices, in PostgreSQL."""

from collections.abc import Collection, Mapping, Sequence
from datetime import time
from typing import LiteralString

from rich_agent.domain.access import Access
from rich_agent.domain.memory.items import LongTermMemory, preferred_locale
from rich_agent.domain.message import User
from rich_agent.domain.text import clean_text
from rich_agent.domain.time.wall_time import QuietHours
from rich_agent.ports.accounts import Account, KnownUser
from rich_agent.repositories.database.pools import checkout
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all, fetch_one
from rich_agent.repositories.inbox.wakeups import NEWS_CHANNEL, OPERATORS

_FIND = """
SELECT known.locale, known.fresh_from, known.time_zone, known.spoken_locale,
    known.language_code, known.quiet_from, known.quiet_until, listed.is_allowed,
    memory.value AS preferences
FROM (SELECT %s::bigint AS id) AS asked
LEFT JOIN users AS known ON known.telegram_user_id = asked.id
LEFT JOIN access_list AS listed ON listed.telegram_user_id = asked.id
LEFT JOIN store AS memory
    ON memory.prefix = 'users.' || asked.id AND memory.key = 'preferences'
"""
_INTRODUCE = """
INSERT INTO users AS known (telegram_user_id, first_name, language_code, last_seen_at)
VALUES (%s, %s, %s, now())
ON CONFLICT (telegram_user_id) DO UPDATE SET first_name = excluded.first_name,
    language_code = coalesce(excluded.language_code, known.language_code), last_seen_at = now()
"""
_TOLD = f"""
SELECT id FROM changed, pg_notify('{NEWS_CHANNEL}', id::text)
"""


def _telling(change: LiteralString) -> LiteralString:
    """A statement that also tells the pages of the users whose rows it changes."""
    return f"WITH changed AS ({change} RETURNING telegram_user_id AS id) {_TOLD}"


_CHOOSE_LOCALE = _telling("""
INSERT INTO users (telegram_user_id, locale) VALUES (%s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE SET locale = excluded.locale, spoken_locale = NULL
""")
_CHOOSE_TIME_ZONE = _telling("""
INSERT INTO users (telegram_user_id, time_zone) VALUES (%s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE SET time_zone = excluded.time_zone
""")
_LEARN_TIME_ZONE = _telling("""
INSERT INTO users AS known (telegram_user_id, time_zone) VALUES (%s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE SET time_zone = excluded.time_zone
WHERE coalesce(known.time_zone, '') = ''
""")
_KEEP_QUIET_HOURS = _telling("""
INSERT INTO users (telegram_user_id, quiet_from, quiet_until) VALUES (%s, %s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE
SET quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until
""")
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
SELECT pg_notify('{NEWS_CHANNEL}', listener::text)
FROM changed, unnest(ARRAY[telegram_user_id, {OPERATORS}]) AS listener
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
_REMEMBER = """
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
UPDATE users SET blocked_at = coalesce(blocked_at, now()) WHERE telegram_user_id = %(id)s
"""


class PostgresAccounts(PostgresRepository):
    """Implements `Accounts`."""

    default_language: str | None = None

    async def find(self, user_id: int) -> Account:
        row = await self._row(_FIND, (user_id,))
        if row is None:
            return Account(default_language=self.default_language)
        memory = LongTermMemory.from_json({"preferences": row["preferences"] or {}})
        return Account(
            row["locale"],
            row["is_allowed"],
            row["fresh_from"] or 0,
            preferred_locale(memory),
            row["time_zone"] or "",
            row["spoken_locale"],
            row["language_code"],
            _quiet_hours(row["quiet_from"], row["quiet_until"]),
            self.default_language,
        )

    async def introduce(self, user_id: int, name: str, language: str | None) -> None:
        await self._run(_INTRODUCE, (user_id, clean_text(name), language))

    def assume_language(self, locale: str | None) -> None:
        """Assume this locale where no client names a language; None: English."""
        self.default_language = locale

    async def choose_locale(self, user_id: int, locale: str | None) -> None:
        await self._run(_CHOOSE_LOCALE, (user_id, locale))

    async def choose_time_zone(self, user_id: int, time_zone: str) -> None:
        await self._run(_CHOOSE_TIME_ZONE, (user_id, time_zone))

    async def learn_time_zone(self, user_id: int, time_zone: str) -> None:
        await self._run(_LEARN_TIME_ZONE, (user_id, time_zone))

    async def keep_quiet_hours(self, user_id: int, hours: QuietHours | None) -> None:
        clock_times = (hours.begin, hours.end) if hours else (None, None)
        await self._run(_KEEP_QUIET_HOURS, (user_id, *clock_times))

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
        user_ids = None if access.allowed is None else sorted(access.allowed)
        rows = await self._rows(_RECIPIENTS, {"allowed": user_ids, "admins": sorted(access.admins)})
        return [row["telegram_user_id"] for row in rows]

    async def names(self, user_ids: Collection[int]) -> Mapping[int, str]:
        rows = await self._rows(_NAMES, (list(user_ids),))
        return {row["telegram_user_id"]: row["first_name"] for row in rows}


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


def _quiet_hours(begin: time | None, end: time | None) -> QuietHours | None:
    return QuietHours(begin, end) if begin is not None and end is not None else None
