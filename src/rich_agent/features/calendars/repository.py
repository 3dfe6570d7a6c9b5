"""Calendar feeds in PostgreSQL, which has the hashes of their secrets."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from rich_agent.feature import checkout, fetch_all
from rich_agent.feature.agenda import Reminder
from rich_agent.feature.database import Pool, PostgresRepository
from rich_agent.features.calendars.calendar import MOST_ENTRIES, CalendarEntry, reminder_entries

_MAKE = """
INSERT INTO calendar_feeds (user_id, nonce, token_hash) VALUES (%s, %s, %s)
ON CONFLICT (user_id) DO UPDATE
SET nonce = excluded.nonce, token_hash = excluded.token_hash, made_at = clock_timestamp()
"""
_OWNER = """
SELECT feed.user_id, listed.is_allowed, coalesce(known.time_zone, '') AS time_zone
FROM calendar_feeds AS feed
LEFT JOIN users AS known ON known.telegram_user_id = feed.user_id
LEFT JOIN access_list AS listed ON listed.telegram_user_id = feed.user_id
WHERE token_hash = %s
"""
_BLOCKS = """
SELECT 'block-' || block.id AS uid, coalesce(task.title, block.title) AS title,
    starts_at AS starts, ends_at AS ends, greatest(block.created_at, task.updated_at) AS changed_at
FROM schedule_blocks AS block
LEFT JOIN tasks AS task ON task.id = task_id AND task.user_id = block.user_id
WHERE block.user_id = %(user_id)s AND starts_at < %(until)s AND ends_at > %(since)s
ORDER BY starts_at LIMIT %(limit)s
"""
_TASKS = """
SELECT 'task-' || id AS uid, title, description, due_date AS starts, due_date + 1 AS ends,
    recurrence AS rule, updated_at AS changed_at
FROM tasks
WHERE user_id = %(user_id)s AND deleted_at IS NULL AND NOT is_archived AND status <> 'done'
    AND due_date < %(until)s AND (due_date >= %(since)s OR recurrence <> '')
ORDER BY due_date, id LIMIT %(limit)s
"""
# The digest says what the calendar shows.
_REMINDERS = """
SELECT id, user_id, text, kind, local_start, tz, rrule, local_next, snoozed_until, changed_at
FROM schedules
WHERE user_id = %(user_id)s AND status IN ('active', 'paused') AND kind <> 'digest'
ORDER BY next_at, id LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class FeedOwner:
    """The owner of a feed, with their entry in the access list, and their zone ("" if unknown)."""

    user_id: int
    is_allowed: bool | None
    time_zone: str


class CalendarFeeds(PostgresRepository):
    """At most one feed for each user. Every method may raise DatabaseUnavailableError.

    A token is derived from a secret of the installation and a number in the database. So it can be
    shown again, and a copy of the database opens no feed.
    """

    def __init__(self, pool: Pool, secret: str) -> None:
        super().__init__(pool)
        self._secret = secret

    async def make(self, user_id: int) -> str:
        """The token of a new feed, 43 characters of a URL; an earlier one ends."""
        nonce = secrets.token_hex(16)
        token = self._derived(user_id, nonce)
        await self._run(_MAKE, (user_id, nonce, _hash(token)))
        return token

    async def token(self, user_id: int) -> str | None:
        """The token of the user's feed, None without one.

        None, too, if it was made under another secret of the installation; the feed still works.
        """
        query = "SELECT nonce, token_hash FROM calendar_feeds WHERE user_id = %s"
        row = await self._row(query, (user_id,))
        token = self._derived(user_id, row["nonce"]) if row else ""
        return token if row and _hash(token) == row["token_hash"] else None

    async def revoke(self, user_id: int) -> bool:
        """End the user's feed; whether there was one."""
        return await self._run("DELETE FROM calendar_feeds WHERE user_id = %s", (user_id,)) > 0

    async def owner(self, token: str) -> FeedOwner | None:
        """The owner of the feed that a token opens, in one query whether there is one or not."""
        row = await self._row(_OWNER, (_hash(token),))
        return FeedOwner(**row) if row else None

    async def entries(self, user_id: int, since: date, until: date) -> Sequence[CalendarEntry]:
        """Return the user's plans from `since` up to, but not on, `until`.

        Recurring ones are among them however long they have been due, and every reminder to come.
        """
        values = {"user_id": user_id, "since": since, "until": until, "limit": MOST_ENTRIES}
        async with checkout(self._pool) as connection:
            blocks = await fetch_all(connection, _BLOCKS, values)
            tasks = await fetch_all(connection, _TASKS, values)
            reminders = await fetch_all(connection, _REMINDERS, values)
        return [
            *(CalendarEntry(kind="block", **row) for row in blocks),
            *(CalendarEntry(kind="task", **row) for row in tasks),
            *(entry for row in reminders for entry in _times_of(row)),
        ]

    def _derived(self, user_id: int, nonce: str) -> str:
        text = f"calendar:{user_id}:{nonce}".encode()
        digest = hmac.digest(self._secret.encode(), text, hashlib.sha256)
        return urlsafe_b64encode(digest).decode().rstrip("=")


def _times_of(row: Mapping[str, Any]) -> Iterator[CalendarEntry]:
    reminder = Reminder(**{name: row[name] for name in row if name != "changed_at"})
    return reminder_entries(reminder, row["changed_at"])


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
