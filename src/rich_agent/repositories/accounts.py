"""What users chose, and the operator's access list, in PostgreSQL."""

from collections.abc import Collection, Mapping, Sequence

from rich_agent.domain.memory.items import LongTermMemory, preferred_locale
from rich_agent.ports.accounts import Account, KnownUser
from rich_agent.repositories.database.pools import checkout
from rich_agent.repositories.database.repository import PostgresRepository

_FIND = """
SELECT known.locale, known.fresh_from, listed.is_allowed, memory.value AS preferences
FROM (SELECT %s::bigint AS id) AS asked
LEFT JOIN users AS known ON known.telegram_user_id = asked.id
LEFT JOIN access_list AS listed ON listed.telegram_user_id = asked.id
LEFT JOIN store AS memory
    ON memory.prefix = 'users.' || asked.id AND memory.key = 'preferences'
"""

_CHOOSE_LOCALE = """
INSERT INTO users (telegram_user_id, locale) VALUES (%s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE SET locale = excluded.locale
"""

_BEGIN_AFRESH = """
INSERT INTO users AS known (telegram_user_id, fresh_from) VALUES (%s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE
SET fresh_from = greatest(known.fresh_from, excluded.fresh_from)
"""

_SET_ACCESS = """
INSERT INTO access_list (telegram_user_id, is_allowed, changed_by) VALUES (%s, %s, %s)
ON CONFLICT (telegram_user_id) DO UPDATE SET
    is_allowed = excluded.is_allowed,
    changed_by = excluded.changed_by,
    changed_at = clock_timestamp()
"""

_LISTED = """
(SELECT * FROM users WHERE last_seen_at IS NOT NULL) AS known
FULL JOIN access_list AS listed USING (telegram_user_id)
"""
_PAGE = f"""
SELECT telegram_user_id, coalesce(known.first_name, '') AS first_name, known.last_seen_at,
    known.blocked_at IS NOT NULL AS is_blocking, listed.is_allowed, count(*) OVER () AS total
FROM {_LISTED}
ORDER BY known.last_seen_at DESC NULLS LAST, telegram_user_id
OFFSET %s LIMIT %s
"""

_COUNT = f"SELECT count(*) AS total FROM {_LISTED}"
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
        told = LongTermMemory.from_json({"preferences": row["preferences"] or {}})
        return Account(
            row["locale"], row["is_allowed"], row["fresh_from"] or 0, preferred_locale(told)
        )

    async def choose_locale(self, user_id: int, locale: str | None) -> None:
        await self._run(_CHOOSE_LOCALE, (user_id, locale))

    async def begin_afresh(self, user_id: int, update_id: int) -> None:
        await self._run(_BEGIN_AFRESH, (user_id, update_id))

    async def set_access(self, user_id: int, *, is_allowed: bool, by: int | None) -> None:
        await self._run(_SET_ACCESS, (user_id, is_allowed, by))

    async def page(self, offset: int, limit: int) -> tuple[Sequence[KnownUser], int]:
        async with checkout(self._pool) as connection:
            rows = await (await connection.execute(_PAGE, (offset, limit))).fetchall()
            counted = None
            if not rows:
                counted = await (await connection.execute(_COUNT)).fetchone()
        total = rows[0]["total"] if rows else counted["total"] if counted else 0
        users = [KnownUser(**{k: v for k, v in row.items() if k != "total"}) for row in rows]
        return users, total

    async def names(self, user_ids: Collection[int]) -> Mapping[int, str]:
        found = await self._rows(_NAMES, (list(user_ids),))
        return {row["telegram_user_id"]: row["first_name"] for row in found}
