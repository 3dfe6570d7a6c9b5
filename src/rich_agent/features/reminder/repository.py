"""Reminders in PostgreSQL: what is due is put into the inbox with its next time, or not at all.

A trigger of the database keeps a row of due work for each reminder that is to come.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date, datetime

import structlog

from rich_agent.feature import MOST_DATED_ENTRIES, DatedEntry, DueRow
from rich_agent.feature.accounts import Accounts
from rich_agent.feature.database import (
    TELL_PAGES,
    Connection,
    Pool,
    PostgresRepository,
    add_notice,
    checkout_held,
    current_topic,
    fetch_all,
    one_transaction,
)
from rich_agent.feature.text import clean_text
from rich_agent.feature.times import QuietHours
from rich_agent.features.reminder.records import (
    MOST_REMINDERS,
    REMINDER_WORK,
    Change,
    DueReminder,
    FiringState,
    ReminderTrouble,
)
from rich_agent.features.reminder.reminder import (
    Firing,
    NewReminder,
    Reminder,
    dated_entries,
    fire,
    move,
)

_log = structlog.get_logger()
_COLUMNS = (
    "id, user_id, text, kind, local_start, tz, rrule, local_next, snoozed_until, next_at, status, "
    "fired_at, topic_id, origin"
)
_TO_COME = "user_id = %(user_id)s AND status IN ('active', 'paused')"

_REPLACE_DIGEST = f"""
UPDATE schedules SET status = 'cancelled', next_at = NULL, changed_at = clock_timestamp()
WHERE {_TO_COME} AND kind = 'digest' AND %(kind)s = 'digest'
"""
_ADD = f"""
INSERT INTO schedules
    (user_id, text, kind, local_start, tz, rrule, local_next, next_at, topic_id, origin)
SELECT %(user_id)s, %(text)s, %(kind)s, %(local_start)s, %(tz)s, %(rrule)s, %(local_next)s,
    %(next_at)s, %(topic_id)s, %(origin)s
WHERE (SELECT count(*) FROM schedules WHERE {_TO_COME}) < %(most)s
RETURNING {_COLUMNS}
"""
_UPDATE = """
UPDATE schedules SET tz = %(tz)s, local_next = %(local_next)s, snoozed_until = %(snoozed_until)s,
    next_at = %(next_at)s, status = %(status)s, fired_at = %(fired_at)s,
    changed_at = clock_timestamp()
WHERE id = %(id)s
"""
_HOLD = f"""
SELECT {_COLUMNS}, now() AS now FROM schedules
WHERE id = %s AND status = 'active' AND next_at IS NOT NULL FOR UPDATE
"""
_FIRE = """
INSERT INTO schedule_firings (schedule_id, occurrence, due_at, state)
VALUES (%(id)s, %(occurrence)s, %(due_at)s, %(state)s)
ON CONFLICT (schedule_id, occurrence) DO NOTHING
"""
_NUMBER = """
UPDATE schedule_firings SET update_id = %s WHERE schedule_id = %s AND occurrence = %s
"""
_DUE = f"""
SELECT {", ".join(f"schedule.{name.strip()}" for name in _COLUMNS.split(","))},
    firing.state, firing.due_at, firing.due_at < clock_timestamp() - interval '60 s' AS is_delayed
FROM schedule_firings AS firing JOIN schedules AS schedule ON schedule.id = schedule_id
WHERE update_id = %s
"""
# The digest says what a calendar shows.
_DATED = f"""
SELECT {_COLUMNS}, changed_at FROM schedules
WHERE {_TO_COME} AND kind <> 'digest' ORDER BY next_at, id LIMIT %(limit)s
"""
_TROUBLES = """
SELECT schedule_id AS id, schedule.user_id, kind,
    CASE WHEN dead_at IS NOT NULL AND state = 'queued' THEN 'dead' ELSE state END AS state, due_at,
    extract(epoch FROM coalesce(sent_at, clock_timestamp()) - due_at)::float8 AS late_s,
    CASE WHEN error = '' THEN coalesce(last_error, '') ELSE error END AS error
FROM schedule_firings JOIN schedules AS schedule ON schedule.id = schedule_id
LEFT JOIN telegram_inbox USING (update_id)
WHERE state IN ('missed', 'failed')
    OR (state = 'queued' AND due_at < clock_timestamp() - make_interval(secs => %(late_s)s))
UNION ALL
SELECT id, user_id, kind, 'late', next_at,
    extract(epoch FROM clock_timestamp() - next_at)::float8, ''
FROM schedules
WHERE status = 'active' AND next_at < clock_timestamp() - make_interval(secs => %(late_s)s)
UNION ALL
SELECT id, user_id, kind, 'failed', changed_at,
    extract(epoch FROM clock_timestamp() - changed_at)::float8, 'its next time cannot be computed'
FROM schedules WHERE status = 'failed'
ORDER BY due_at DESC LIMIT 500
"""


class Reminders(PostgresRepository):
    """The reminders of users. Somebody else's reminder is not found.

    Only the database's clock counts. Every method may raise DatabaseUnavailableError. A method that
    writes in a lane raises LaneLostError once the lane is lost.
    """

    def __init__(self, pool: Pool, accounts: Accounts) -> None:
        super().__init__(pool)
        self._accounts = accounts

    async def now(self) -> datetime:
        """Return the current time."""
        now: datetime = (await self._one("SELECT clock_timestamp() AS now"))["now"]
        return now

    async def add(self, reminder: NewReminder) -> Reminder | None:
        """Keep a reminder; None if its user has `MOST_REMINDERS` already.

        A digest takes the place of the one before.
        """
        plan = Reminder(0, **asdict(reminder)).planned()
        values = {**asdict(reminder), "text": clean_text(reminder.text), "next_at": plan.next_at}
        async with checkout_held(self._pool) as connection:
            await _lock_user(connection, reminder.user_id)
            await connection.execute(_REPLACE_DIGEST, values)
            values |= {"most": MOST_REMINDERS, "topic_id": await current_topic(connection)}
            row = await self._row(_ADD, values)
            await connection.execute(TELL_PAGES, values)
        return Reminder(**row) if row else None

    async def find(self, user_id: int, reminder_id: int) -> Reminder | None:
        """The reminder, also one that is over."""
        query = f"SELECT {_COLUMNS} FROM schedules WHERE user_id = %s AND id = %s"
        row = await self._row(query, (user_id, reminder_id))
        return Reminder(**row) if row else None

    async def upcoming(
        self, user_id: int, offset: int, limit: int
    ) -> tuple[Sequence[Reminder], int]:
        """Return the reminders that are to come, the next first, and how many there are."""
        condition = f"{_TO_COME} AND kind <> 'digest'"
        values = {"user_id": user_id, "offset": offset, "limit": limit}
        rows = await self._rows(
            f"SELECT {_COLUMNS} FROM schedules WHERE {condition} "
            "ORDER BY next_at, id OFFSET %(offset)s LIMIT %(limit)s",
            values,
        )
        count = await self._one(
            f"SELECT count(*) AS total FROM schedules WHERE {condition}", values
        )
        return [Reminder(**row) for row in rows], count["total"]

    async def digest(self, user_id: int) -> Reminder | None:
        """The user's digest, None if they want none."""
        query = f"SELECT {_COLUMNS} FROM schedules WHERE {_TO_COME} AND kind = 'digest'"
        row = await self._row(query, {"user_id": user_id})
        return Reminder(**row) if row else None

    async def change(
        self, user_id: int, reminder_id: int, change: Change
    ) -> tuple[Reminder, Reminder] | None:
        """The reminder before and after a change, None if it is not known."""
        query = f"""
        SELECT {_COLUMNS}, clock_timestamp() AS now FROM schedules
        WHERE user_id = %s AND id = %s FOR UPDATE
        """
        async with checkout_held(self._pool) as connection:
            row = await self._row(query, (user_id, reminder_id))
            if row is None:
                return None
            now = row.pop("now")
            before = Reminder(**row)
            after = change(before, now)
            await connection.execute(_UPDATE, asdict(after))
            await connection.execute(TELL_PAGES, {"user_id": user_id})
        return before, after

    async def move(self, user_id: int, tz: str) -> int:
        """Move the repeated reminders to the user's new time zone; return their number.

        Only those that go by the zone of the account, which is changed later, are moved.
        """
        query = f"""
        SELECT {_COLUMNS}, now() AS now FROM schedules
        WHERE {_TO_COME} AND rrule <> '' AND tz = %(tz)s FOR UPDATE
        """
        async with checkout_held(self._pool) as connection:
            account = await self._accounts.find(user_id)
            values = {"user_id": user_id, "tz": account.time_zone}
            rows = await fetch_all(connection, query, values)
            for row in rows:
                now = row.pop("now")
                await connection.execute(_UPDATE, asdict(move(Reminder(**row), tz, now)))
            await connection.execute(TELL_PAGES, values)
        return len(rows)

    async def fire(self, row: DueRow) -> None:
        """Put the reminder of the row into the inbox, with its next time, in one transaction.

        Any number of processes may do so at once. A firing is made once for each occurrence.
        """
        async with one_transaction(self._pool) as connection:
            rows = await fetch_all(connection, _HOLD, (int(row.key),))
            if not rows:
                return
            (reminder_row,) = rows
            now, held_reminder = reminder_row.pop("now"), Reminder(**reminder_row)
            account = await self._accounts.find(held_reminder.user_id)
            reminder, firing = _fire(held_reminder, now, account.quiet_hours)
            # The trigger has the row due at the next time, also where nothing was due by now.
            await connection.execute(_UPDATE, asdict(reminder))
            await connection.execute(TELL_PAGES, {"user_id": reminder.user_id})
            if firing:
                await self._store(connection, reminder, firing)

    async def _store(self, connection: Connection, reminder: Reminder, firing: Firing) -> None:
        """Write a firing once, and the notice by which it comes; missed by far, it has none."""
        state = "missed" if firing.is_missed else "queued"
        times = {"occurrence": firing.occurrence, "due_at": firing.due_at}
        cursor = await connection.execute(_FIRE, {"id": reminder.id, "state": state, **times})
        if cursor.rowcount and not firing.is_missed:
            is_urgent = reminder.kind == "reminder"
            user_id = reminder.user_id
            number = await add_notice(connection, user_id, REMINDER_WORK, is_urgent=is_urgent)
            await connection.execute(_NUMBER, (number, reminder.id, firing.occurrence))

    async def entries(self, user_id: int, _since: date, _until: date) -> Sequence[DatedEntry]:
        """See `DatedEntries`; every reminder that is to come."""
        rows = await self._rows(_DATED, {"user_id": user_id, "limit": MOST_DATED_ENTRIES})
        change_times = [row.pop("changed_at") for row in rows]
        reminders = [Reminder(**row) for row in rows]
        return [
            entry
            for reminder, change_time in zip(reminders, change_times, strict=True)
            for entry in dated_entries(reminder, change_time)
        ]

    async def due(self, update_id: int) -> DueReminder | None:
        """The reminder that comes by this notice, None if it was forgotten."""
        row = await self._row(_DUE, (update_id,))
        if row is None:
            return None
        state = {name: row.pop(name) for name in ("state", "due_at", "is_delayed")}
        return DueReminder(Reminder(**row), **state)

    async def note_arrival(self, update_id: int, message_id: int) -> None:
        """Note by which message of Telegram's a reminder came."""
        query = """
        UPDATE schedule_firings SET state = 'sent', message_id = %s, sent_at = clock_timestamp()
        WHERE update_id = %s AND state <> 'sent'
        """
        await self._run_in_lane(query, (message_id, update_id))

    async def note_end(self, update_id: int, state: FiringState, error: str = "") -> None:
        """Note that a reminder will not come by this notice."""
        query = """
        UPDATE schedule_firings SET state = %s, error = %s WHERE update_id = %s AND state = 'queued'
        """
        await self._run_in_lane(query, (state, clean_text(error), update_id))

    async def troubles(self, late_s: float) -> Sequence[ReminderTrouble]:
        """The newest 500 that are later than `late_s`, were missed, or failed."""
        rows = await self._rows(_TROUBLES, {"late_s": late_s})
        return [ReminderTrouble(**row) for row in rows]


async def _lock_user(connection: Connection, user_id: int) -> None:
    """Have two additions of one user count each other."""
    await connection.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('schedules', %s))", (user_id,)
    )


def _fire(
    reminder: Reminder, now: datetime, quiet: QuietHours | None
) -> tuple[Reminder, Firing | None]:
    """Fire a held reminder; one that breaks fails, and the operator is told."""
    try:
        return fire(reminder, now, quiet)
    except Exception:  # noqa: BLE001 - no later try would be better
        _log.exception("reminders.broke", reminder=reminder.id)
        return replace(reminder, status="failed", next_at=None), None
