"""Messages of answers, in PostgreSQL."""

from dataclasses import asdict
from typing import LiteralString

from rich_agent.domain.text import clean_text
from rich_agent.errors import LaneLostError
from rich_agent.ports.outbox import (
    DIRECT_PART,
    FORGOTTEN_CHAT,
    Accounted,
    Leftover,
    OutboxPart,
    Place,
)
from rich_agent.repositories.database.fences import IS_HELD, LANE
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.runtime.fencing import current_fence

_COLUMNS = "update_id, part, state, message_id, text, after_id, is_doubtful, topic_id"
# `xmax` is 0 for a new row.
_BEGIN = f"""
WITH {LANE}
INSERT INTO telegram_outbox AS known (update_id, part, chat_id, topic_id, fence, after_id)
SELECT %(update_id)s, %(part)s, %(chat_id)s, %(topic_id)s::bigint, %(fence)s::bigint,
    greatest(%(after_id)s,
        (SELECT max(message_id) FROM telegram_outbox WHERE chat_id = %(chat_id)s))
WHERE {IS_HELD}
ON CONFLICT (update_id, part) DO UPDATE SET fence = excluded.fence, is_doubtful =
    known.is_doubtful OR (known.message_id IS NULL AND known.state = 'sending')
RETURNING {_COLUMNS}, xmax = 0 AS is_new, EXISTS (
    SELECT FROM telegram_outbox AS other
    WHERE other.chat_id = known.chat_id AND other.message_id > known.message_id
        AND other.update_id > 0 AND other.update_id < known.update_id
) AS is_overtaken, EXISTS (
    SELECT FROM telegram_outbox AS notice
    WHERE notice.update_id = known.update_id AND notice.part < 0
) AS follows_notice
"""
# No lane has this fence.
_DIRECT = 0
_BEGIN_DIRECT = f"""
INSERT INTO telegram_outbox (update_id, part, chat_id, fence)
VALUES (nextval('internal_update_numbers'), {DIRECT_PART}, %s, {_DIRECT}) RETURNING update_id
"""
# A send outside of lanes takes at most as long as a call to Telegram.
_UNDER_WAY = f"""
message_id IS NULL AND state = 'sending' AND CASE
    WHEN fence = {_DIRECT} THEN created_at > clock_timestamp() - interval '30 s'
    ELSE fence IN (SELECT fence FROM telegram_lanes) END
"""
_SENDING = f"SELECT FROM telegram_outbox WHERE chat_id = %s AND {_UNDER_WAY} LIMIT 1"
# What was recorded as sent before the part began has a lower id than its message.
_ACCOUNTED = f"""
WITH lost AS (
    SELECT chat_id, after_id, created_at FROM telegram_outbox
    WHERE update_id = %(update_id)s AND part = %(part)s
), elsewhere AS (
    SELECT other.message_id, other.updated_at < lost.created_at AS is_before
    FROM lost, telegram_outbox AS other
    WHERE lost.chat_id > 0 AND other.chat_id > 0 AND other.chat_id <> lost.chat_id
        AND other.created_at > (SELECT created_at FROM lost) - interval '1 h'
        AND other.message_id > lost.after_id AND other.message_id < %(below)s
    UNION ALL
    SELECT received.user_message_id, received.received_at < lost.created_at
    FROM lost, telegram_inbox AS received
    WHERE lost.chat_id > 0
        AND received.user_message_id > lost.after_id AND received.user_message_id < %(below)s
)
SELECT greatest(after_id, (SELECT max(message_id) FROM elsewhere WHERE is_before)) AS after_id,
    ARRAY(
        SELECT message_id FROM elsewhere UNION ALL
        SELECT message_id FROM telegram_outbox AS here
        WHERE message_id > lost.after_id AND (here.chat_id = lost.chat_id
            OR here.chat_id = {FORGOTTEN_CHAT}
                AND here.updated_at > lost.created_at - interval '1 day')
    ) AS message_ids,
    (SELECT count(*) FROM telegram_outbox AS here
        WHERE here.chat_id = lost.chat_id AND {_UNDER_WAY}) AS under_way
FROM lost
"""
_SENT = f"""
WITH {LANE}
UPDATE telegram_outbox
SET state = 'sent', message_id = %(message_id)s, is_doubtful = %(is_doubtful)s,
    updated_at = clock_timestamp()
WHERE update_id = %(update_id)s AND part = %(part)s AND {IS_HELD}
"""
ANSWERED_BY = "SELECT update_id FROM telegram_outbox WHERE chat_id = %s AND message_id = %s"
# A user's chat has the user's id. Part numbers below 0 are notices of waiting messages; files of
# commands have higher numbers.
_LEFTOVERS = """
SELECT part.update_id, part.part, part.chat_id, part.message_id
FROM telegram_outbox AS part JOIN telegram_inbox AS over USING (update_id)
WHERE part.text = '' AND part.part <= 0 AND part.state = 'sent' AND part.message_id IS NOT NULL
    AND (over.dead_at < clock_timestamp() - interval '10 s'
        OR over.done_at < clock_timestamp() - interval '10 s')
    AND NOT EXISTS (SELECT FROM telegram_lanes AS lane WHERE lane.user_id = part.chat_id)
LIMIT 100
"""
# Parts that were given up without a message start again: the user may have unblocked the bot.
_REOPEN = """
WITH given_up AS (
    DELETE FROM telegram_outbox WHERE update_id = %s AND state = 'failed' AND message_id IS NULL
    RETURNING part
)
UPDATE telegram_outbox SET text = '', updated_at = clock_timestamp(),
    state = CASE WHEN message_id IS NULL THEN state ELSE 'sent' END
WHERE update_id = %s AND part NOT IN (SELECT part FROM given_up)
"""


class PostgresOutbox(PostgresRepository):
    """Implements `Outbox`; writes of a lost lane are refused."""

    async def begin(self, update_id: int, part: int, place: Place) -> OutboxPart:
        key = {"update_id": update_id, "part": part, "fence": current_fence()}
        row = await self._row(_BEGIN, {**key, **asdict(place)})
        if row is None:
            raise LaneLostError(f"lane of fence {key['fence']}")
        return OutboxPart(**row)

    async def begin_direct(self, user_id: int) -> int:
        return int((await self._one(_BEGIN_DIRECT, (user_id,)))["update_id"])

    async def find(self, update_id: int, part: int) -> OutboxPart | None:
        row = await self._row(
            f"SELECT {_COLUMNS} FROM telegram_outbox WHERE update_id = %s AND part = %s",
            (update_id, part),
        )
        return OutboxPart(**row) if row else None

    async def note_sent(
        self, update_id: int, part: int, message_id: int, *, is_doubtful: bool = False
    ) -> None:
        values = {"update_id": update_id, "part": part}
        message = {"message_id": message_id, "is_doubtful": is_doubtful}
        await self._run_with_fence(_SENT, {**values, **message})

    async def account_before(self, update_id: int, part: int, below: int) -> Accounted:
        values = {"update_id": update_id, "part": part, "below": below}
        row = await self._one(_ACCOUNTED, values)
        return Accounted(row["after_id"], frozenset(row["message_ids"]), row["under_way"])

    async def is_sending(self, chat_id: int) -> bool:
        return await self._row(_SENDING, (chat_id,)) is not None

    async def note_final(self, update_id: int, part: int, text: str) -> None:
        await self._update("text = %(value)s", clean_text(text), update_id, part)

    async def note_interruption(self, update_id: int, part: int) -> None:
        await self._run_in_lane(
            "UPDATE telegram_outbox SET fence = NULL WHERE update_id = %s AND part = %s",
            (update_id, part),
        )

    async def renew(self, update_id: int, part: int) -> None:
        await self._run_with_fence(
            f"WITH {LANE} UPDATE telegram_outbox SET message_id = NULL, state = 'sending' "
            f"WHERE update_id = %(update_id)s AND part = %(part)s AND {IS_HELD}",
            {"update_id": update_id, "part": part},
        )

    async def withdraw(self, update_id: int, part: int) -> None:
        await self._run_in_lane(
            "DELETE FROM telegram_outbox WHERE update_id = %s AND part = %s AND message_id IS NULL",
            (update_id, part),
        )

    async def note_failure(self, update_id: int, part: int, reason: str) -> None:
        await self._update(
            "state = 'failed', reason = %(value)s", clean_text(reason), update_id, part
        )

    async def reopen(self, update_id: int) -> None:
        await self._run_in_lane(_REOPEN, (update_id, update_id))

    async def after(self, update_id: int, part: int) -> tuple[OutboxPart, ...]:
        query = (
            f"SELECT {_COLUMNS} FROM telegram_outbox "
            "WHERE update_id = %s AND part > %s ORDER BY part"
        )
        return tuple(OutboxPart(**row) for row in await self._rows(query, (update_id, part)))

    async def discard(self, update_id: int, part: int) -> None:
        await self._run_in_lane(
            "DELETE FROM telegram_outbox WHERE update_id = %s AND part = %s", (update_id, part)
        )

    async def update_of_message(self, chat_id: int, message_id: int) -> int | None:
        row = await self._row(ANSWERED_BY, (chat_id, message_id))
        return int(row["update_id"]) if row else None

    async def leftovers(self) -> tuple[Leftover, ...]:
        rows = await self._rows(_LEFTOVERS)
        return tuple(Leftover(**row) for row in rows)

    async def _update(self, change: LiteralString, value: str, update_id: int, part: int) -> None:
        await self._run_with_fence(
            f"WITH {LANE} "
            f"UPDATE telegram_outbox SET {change}, updated_at = clock_timestamp() "
            f"WHERE update_id = %(update_id)s AND part = %(part)s AND {IS_HELD}",
            {"value": value, "update_id": update_id, "part": part},
        )
