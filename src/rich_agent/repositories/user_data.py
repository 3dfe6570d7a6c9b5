"""Everything that is kept about one user, in both databases: given out, or deleted."""

from collections.abc import Mapping
from typing import Any, LiteralString

from rich_agent.domain.message import thread_of
from rich_agent.domain.user_tags import UserTags
from rich_agent.repositories.database.json_values import readable
from rich_agent.repositories.database.pools import Connection, Databases, checkout
from rich_agent.repositories.usage import KEEP_FOR_TODAY

SCHEMA = "rich-agent/export/1"

# What names the user by number, by thread, and by the namespace of the memory.
FORGOTTEN_IN_APP: Mapping[str, LiteralString] = {
    "telegram_inbox": "user_id = %(user_id)s AND update_id <= %(newest)s",
    # What admins were sent of an answer that waits for approval holds the user's words too.
    "telegram_outbox": """chat_id = %(user_id)s AND update_id <= %(newest)s OR update_id IN (
        SELECT update_id FROM approval_notices JOIN approvals ON approvals.id = approval_id
        WHERE approvals.user_id = %(user_id)s
    )""",
    "approval_notices": """user_id = %(user_id)s OR approval_id IN (
        SELECT id FROM approvals WHERE user_id = %(user_id)s
    )""",
    "approvals": "user_id = %(user_id)s",
    "telegram_questions": "user_id = %(user_id)s AND update_id <= %(newest)s",
    "telegram_stops": "user_id = %(user_id)s",
    "checkpoint_writes": "thread_id = %(thread_id)s",
    "checkpoint_blobs": "thread_id = %(thread_id)s",
    "checkpoints": "thread_id = %(thread_id)s",
    # Before the memory: whoever learns from one meanwhile finds it gone.
    "pending_lessons": "user_id = %(user_id)s",
    "store_vectors": "prefix = %(prefix)s",
    "store": "prefix = %(prefix)s",
    "usage_reservations": "user_id = %(user_id)s",
    "usage_days": "user_id = %(user_id)s",
    "clarifications": "thread_id = %(thread_id)s",
    "turn_archive": "user_id = %(user_id)s",
    "messages": "user_id = %(user_id)s",
    "conversations": "user_id = %(user_id)s",
    "confirmations": "user_id = %(user_id)s",
    "broadcast_recipients": "user_id = %(user_id)s",
    "broadcasts": "admin_id = %(user_id)s",
    "users": "telegram_user_id = %(user_id)s",
}
# A summary stays as long as somebody else sent the same image.
FORGOTTEN_IN_RAG: Mapping[str, LiteralString] = {
    "vision_images": """sha256 IN (
        SELECT sha256 FROM vision_senders WHERE thread_id = %(thread_id)s
        EXCEPT SELECT sha256 FROM vision_senders WHERE thread_id <> %(thread_id)s
    )""",
    "vision_senders": "thread_id = %(thread_id)s",
    "vision_answers": "thread_id = %(thread_id)s",
    "retrieval_decisions": "thread_id = %(thread_id)s",
}

# Under a new fence whatever an answer that is being written would still store is refused, and
# nobody else can take the lane.
_SEIZE = """
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
VALUES (%(user_id)s, false, clock_timestamp() + make_interval(secs => 60))
ON CONFLICT (user_id, urgent) DO UPDATE
SET ready_at = excluded.ready_at, holder = NULL, fence = nextval('telegram_lane_fence')
RETURNING fence,
    (SELECT coalesce(max(update_id), 0) FROM telegram_inbox WHERE user_id = %(user_id)s) AS newest
"""
# Answers that will not be written any more, and notices of them.
_PROMISES = """
SELECT message_id FROM telegram_outbox JOIN telegram_inbox USING (update_id)
WHERE chat_id = %(user_id)s AND update_id <= %(newest)s AND message_id IS NOT NULL
    AND text = '' AND part <= 0 AND done_at IS NULL
"""
_RETURN_LANE = "UPDATE telegram_lanes SET ready_at = clock_timestamp() WHERE fence = %(fence)s"

_PROFILE = """
SELECT telegram_user_id, username, first_name, language_code, locale AS chosen_language,
    created_at, last_seen_at
FROM users WHERE telegram_user_id = %(user_id)s
"""
_MESSAGES = """
SELECT thread_id, role, content, meta_json AS meta, message.created_at
FROM messages AS message JOIN conversations AS conversation ON conversation.id = conversation_id
WHERE message.user_id = %(user_id)s ORDER BY message.id
"""
_ARCHIVE = """
SELECT thread_id, request_id, question, answer, asked_at
FROM turn_archive WHERE user_id = %(user_id)s ORDER BY id
"""
_LESSONS = """
SELECT request_id, text, told_at FROM pending_lessons WHERE user_id = %(user_id)s ORDER BY id
"""
_MEMORY = "SELECT key, value, updated_at FROM store WHERE prefix = %(prefix)s ORDER BY key"
_USAGE = """
SELECT day::text AS day, kind, model, calls, estimated, input_tokens, cached_tokens,
    output_tokens, images, searches
FROM usage_days WHERE user_id = %(user_id)s ORDER BY day, kind, model
"""
_DECISIONS = """
SELECT request_id, intent, plan, reason, query, queries, retrieved, citations_count, latency_ms,
    created_at, rating AS feedback, rated_at AS feedback_at
FROM retrieval_decisions LEFT JOIN answer_feedback ON decision_id = id
WHERE thread_id = %(thread_id)s ORDER BY id
"""
_IMAGES = """
SELECT sender.sha256, mime, size AS size_bytes, sender.sent_at, model, summary_json AS summary
FROM vision_senders AS sender
LEFT JOIN vision_images AS image USING (sha256)
LEFT JOIN vision_summaries AS summary ON summary.image_id = image.id
WHERE sender.thread_id = %(thread_id)s ORDER BY sender.sent_at, sender.sha256, model
"""
_IMAGE_ANSWERS = """
SELECT sha256, model, answer, answered_at FROM vision_answers
WHERE thread_id = %(thread_id)s ORDER BY id
"""


# A draft that nobody approved is not the user's to read.
_APPROVALS = """
SELECT request_id, question, state, words, requested_at, decided_at
FROM approvals WHERE user_id = %(user_id)s ORDER BY id
"""


class PostgresUserData:
    """Implements `UserData`; `tags` are those of the ledger of use."""

    def __init__(self, databases: Databases, tags: UserTags) -> None:
        self._databases = databases
        self._tags = tags

    async def export(self, user_id: int) -> Mapping[str, Any]:
        named = _names(user_id)
        async with checkout(self._databases.app) as connection:
            profile = await _read(connection, _PROFILE, named)
            messages = await _read(connection, _MESSAGES, named)
            archive = await _read(connection, _ARCHIVE, named)
            memory = await _read(connection, _MEMORY, named)
            lessons = await _read(connection, _LESSONS, named)
            usage = await _read(connection, _USAGE, named)
            approvals = await _read(connection, _APPROVALS, named)
            now = await _read(connection, "SELECT clock_timestamp() AS now", named)
        async with checkout(self._databases.rag) as connection:
            decisions = await _read(connection, _DECISIONS, named)
            images = await _read(connection, _IMAGES, named)
            image_answers = await _read(connection, _IMAGE_ANSWERS, named)
        return {
            "schema": SCHEMA,
            "exported_at": now[0]["now"],
            "profile": profile[0] if profile else None,
            "messages": messages,
            "archived_turns": archive,
            "memory": {item["key"]: item["value"] for item in memory},
            "to_be_learned": lessons,
            "decisions": decisions,
            "images": images,
            "usage": usage,
            "image_answers": image_answers,
            "approvals": approvals,
        }

    async def forget(self, user_id: int) -> tuple[int, ...]:
        # The application's database comes last: as long as the confirmation is there, the same
        # press can do what was left undone.
        named = _names(user_id)
        async with checkout(self._databases.app) as connection, connection.transaction():
            lane = (await _rows(connection, _SEIZE, named))[0]
        async with checkout(self._databases.rag) as connection, connection.transaction():
            for table, theirs in FORGOTTEN_IN_RAG.items():
                await connection.execute(f"DELETE FROM {table} WHERE {theirs}", named)
        named |= {"newest": lane["newest"], "fence": lane["fence"], "tag": self._tags.of(user_id)}
        async with checkout(self._databases.app) as connection, connection.transaction():
            promises = await _rows(connection, _PROMISES, named)
            await connection.execute(KEEP_FOR_TODAY, named)
            for table, theirs in FORGOTTEN_IN_APP.items():
                await connection.execute(f"DELETE FROM {table} WHERE {theirs}", named)
            # The next to claim the lane finds what was sent since, or frees it.
            await connection.execute(_RETURN_LANE, named)
            await connection.execute("NOTIFY telegram_inbox")
        return tuple(row["message_id"] for row in promises)


def _names(user_id: int) -> dict[str, Any]:
    return {"user_id": user_id, "thread_id": thread_of(user_id), "prefix": f"users.{user_id}"}


async def _rows(
    connection: Connection, query: LiteralString, named: Mapping[str, Any]
) -> list[dict[str, Any]]:
    return await (await connection.execute(query, named)).fetchall()


async def _read(
    connection: Connection, query: LiteralString, named: Mapping[str, Any]
) -> list[dict[str, Any]]:
    return [readable(row) for row in await _rows(connection, query, named)]
