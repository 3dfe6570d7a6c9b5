"""Questions of groups in PostgreSQL: counted under tags, and deleted once answered."""

from rich_agent.domain.access import UserTags
from rich_agent.ports.outbox import EPHEMERAL_CHAT, FORGOTTEN_CHAT
from rich_agent.ports.usage import Admission, Admitted, GuestEntry, GuestLimits
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one

_KNOWN = """
SELECT outcome, is_closed, is_private FROM guest_questions WHERE update_id = %(update_id)s
"""
# Of a limit that is reached, only the first question is told.
_ADMIT = """
INSERT INTO guest_questions (update_id, user_tag, group_tag, is_private, outcome)
SELECT %(update_id)s, %(user_tag)s, %(group_tag)s, %(is_private)s, CASE
    WHEN %(is_command)s THEN 'command'
    WHEN by_user >= nullif(%(per_user_a_day)s, 0)
        THEN CASE WHEN user_told THEN 'silent' ELSE 'user_limit' END
    WHEN in_group >= nullif(%(per_group_an_hour)s, 0)
        THEN CASE WHEN group_told THEN 'silent' ELSE 'group_limit' END
    ELSE 'answered' END
FROM (
    SELECT count(*) FILTER (WHERE user_tag = %(user_tag)s AND outcome = 'answered') AS by_user,
        coalesce(bool_or(user_tag = %(user_tag)s AND outcome = 'user_limit'), false) AS user_told,
        count(*) FILTER (WHERE is_recent AND outcome = 'answered') AS in_group,
        coalesce(bool_or(is_recent AND outcome = 'group_limit'), false) AS group_told
    FROM (
        SELECT user_tag, outcome, group_tag = %(group_tag)s
            AND asked_at > clock_timestamp() - interval '1 hour' AS is_recent
        FROM guest_questions WHERE asked_at > clock_timestamp() - interval '1 day'
    ) AS of_day
) AS counted
ON CONFLICT (update_id) DO NOTHING
"""
_CLOSE = (
    "UPDATE guest_questions SET is_closed = true WHERE update_id = %(update_id)s",
    # A message in no record would be taken for the lost copy of another one, and deleted.
    """
    UPDATE telegram_outbox SET chat_id = %(forgotten_chat)s, topic_id = NULL, text = '…',
        reason = NULL, state = 'sent', after_id = 0
    WHERE update_id = %(update_id)s AND message_id IS NOT NULL AND chat_id <> %(ephemeral_chat)s
    """,
    """
    DELETE FROM telegram_outbox
    WHERE update_id = %(update_id)s AND chat_id <> %(forgotten_chat)s
    """,
    "DELETE FROM checkpoint_writes WHERE thread_id = %(thread_id)s",
    "DELETE FROM checkpoint_blobs WHERE thread_id = %(thread_id)s",
    "DELETE FROM checkpoints WHERE thread_id = %(thread_id)s",
)


class PostgresGuests(PostgresRepository):
    """Implements `Guests`."""

    def __init__(self, pool: Pool, tags: UserTags) -> None:
        super().__init__(pool)
        self._tags = tags

    async def admit(self, entry: GuestEntry, limits: GuestLimits) -> Admitted:
        values = {
            "update_id": entry.update_id,
            "user_tag": self._tags.of(entry.user_id),
            "group_tag": self._tags.of(entry.chat_id),
            "is_private": entry.is_private,
            "is_command": entry.is_command,
            "per_user_a_day": limits.per_user_a_day,
            "per_group_an_hour": limits.per_group_an_hour,
        }
        async with checkout_held(self._pool) as connection:
            # So that two questions at once count each other.
            await connection.execute("LOCK TABLE guest_questions IN SHARE ROW EXCLUSIVE MODE")
            await connection.execute(_ADMIT, values)
            known = await fetch_one(connection, _KNOWN, values)
        outcome: Admission = "silent" if known["is_closed"] else known["outcome"]
        return Admitted(outcome, known["is_private"])

    async def is_private(self, update_id: int) -> bool:
        row = await self._row(_KNOWN, {"update_id": update_id})
        return bool(row and row["is_private"])

    async def close(self, update_id: int, thread_id: str) -> None:
        chats = {"forgotten_chat": FORGOTTEN_CHAT, "ephemeral_chat": EPHEMERAL_CHAT}
        values = {"update_id": update_id, "thread_id": thread_id, **chats}
        async with checkout_held(self._pool) as connection:
            for statement in _CLOSE:
                await connection.execute(statement, values)
