"""Exports or deletes everything that is stored about one user, in both databases."""

from collections.abc import Mapping
from typing import Any, LiteralString

from rich_agent.domain.access import UserTags
from rich_agent.domain.answer.citation import still_open
from rich_agent.domain.json_values import readable
from rich_agent.domain.message import thread_of
from rich_agent.domain.rights import Reader
from rich_agent.repositories.database.pools import Connection, Databases, checkout, one_transaction
from rich_agent.repositories.database.repository import fetch_all, fetch_one
from rich_agent.repositories.database.threads import THREADS_OF_USER
from rich_agent.repositories.database.user_tables import (
    APP_RECORD,
    RAG_RECORD,
    delete_rows_of_user,
    export_rows,
    read_declarations,
)
from rich_agent.repositories.inbox.wakeups import TELL_PAGES
from rich_agent.repositories.knowledge.spaces import PostgresSpaces
from rich_agent.repositories.usage import KEEP_FOR_TODAY

SCHEMA = "rich-agent/export/1"

# Conditions for what has a condition of its own; everything else follows from the declarations of
# the tables, after the first ones here.
_FIRST_IN_APP: Mapping[LiteralString, LiteralString] = {
    # Drafts that admins were sent for approval contain the user's words too. An answer in a group
    # has the id of that chat.
    "telegram_outbox": """chat_id = %(user_id)s AND update_id <= %(newest)s OR update_id IN (
        SELECT update_id FROM approval_notices JOIN approvals ON approvals.id = approval_id
        WHERE approvals.user_id = %(user_id)s
        UNION ALL
        SELECT update_id FROM telegram_inbox
        WHERE user_id = %(user_id)s AND update_id <= %(newest)s
    )""",
    "telegram_inbox": "user_id = %(user_id)s AND update_id <= %(newest)s",
    "telegram_questions": "user_id = %(user_id)s AND update_id <= %(newest)s",
}
_LAST_IN_APP: Mapping[LiteralString, LiteralString] = {"users": "telegram_user_id = %(user_id)s"}
_FIRST_IN_RAG: Mapping[LiteralString, LiteralString] = {
    # A summary stays if another user sent the same image.
    "vision_images": f"""sha256 IN (
        SELECT sha256 FROM vision_senders WHERE {THREADS_OF_USER}
        EXCEPT SELECT sha256 FROM vision_senders WHERE NOT {THREADS_OF_USER}
    )""",
    # What Telegram told of groups; the lists are the operator's.
    "rag_memberships": "user_id = %(user_id)s AND checked_at IS NOT NULL",
}

# Under a new fence, an answer that is being written can store nothing more, and no other worker can
# take the lane.
SEIZE_LANE = """
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
VALUES (%(user_id)s, false, clock_timestamp() + make_interval(secs => 60))
ON CONFLICT (user_id, urgent) DO UPDATE
SET ready_at = excluded.ready_at, holder = NULL, fence = nextval('telegram_lane_fence')
RETURNING fence,
    (SELECT coalesce(max(update_id), 0) FROM telegram_inbox WHERE user_id = %(user_id)s) AS newest
"""
# Messages of answers that will not be written any more, and their notices.
_PROMISES = """
SELECT message_id FROM telegram_outbox JOIN telegram_inbox USING (update_id)
WHERE chat_id = %(user_id)s AND update_id <= %(newest)s AND message_id IS NOT NULL
    AND text = '' AND part <= 0 AND done_at IS NULL
"""
# As long as Telegram may repeat them, so that no repeated message or press is taken for a new one.
_REPEATABLE = """
SELECT update_id FROM telegram_inbox
WHERE user_id = %(user_id)s AND update_id BETWEEN 1 AND %(newest)s
    AND received_at > clock_timestamp() - interval '1 day'
"""
_KEEP_NUMBERS = """
INSERT INTO telegram_inbox (update_id, user_id, urgent, raw, done_at)
SELECT update_id, 0, false, '', clock_timestamp() FROM unnest(%s::bigint[]) AS known (update_id)
"""
RETURN_LANE = "UPDATE telegram_lanes SET ready_at = clock_timestamp() WHERE fence = %(fence)s"

# The sections of an export that need more than the columns of one table.
_EXPORTED_FROM_APP: Mapping[str, LiteralString] = {
    "profile": """
    SELECT telegram_user_id, username, first_name, language_code, locale AS chosen_language,
        spoken_locale AS spoken_language, nullif(time_zone, '') AS time_zone,
        quiet_from::text AS quiet_from,
        quiet_until::text AS quiet_until, created_at, last_seen_at
    FROM users WHERE telegram_user_id = %(user_id)s
    """,
    "messages": """
    SELECT thread_id, role, content, meta_json AS meta, message.created_at
    FROM messages AS message JOIN conversations AS conversation ON conversation.id = conversation_id
    WHERE message.user_id = %(user_id)s ORDER BY message.id
    """,
    "uploads": """
    SELECT id AS upload_id, mime, length(data) AS size_bytes, uploaded_at
    FROM uploads WHERE user_id = %(user_id)s ORDER BY uploaded_at
    """,
}
_EXPORTED_FROM_RAG: Mapping[str, LiteralString] = {
    "decisions": f"""
    SELECT request_id, intent, plan, reason, query, queries, retrieved, citations_count, latency_ms,
        created_at, rating AS feedback, rated_at AS feedback_at
    FROM retrieval_decisions LEFT JOIN answer_feedback ON decision_id = id
    WHERE {THREADS_OF_USER} ORDER BY id
    """,
    "images": f"""
    SELECT sender.sha256, mime, size AS size_bytes, sender.sent_at, model, summary_json AS summary
    FROM vision_senders AS sender
    LEFT JOIN vision_images AS image USING (sha256)
    LEFT JOIN vision_summaries AS summary ON summary.image_id = image.id
    WHERE {THREADS_OF_USER} ORDER BY sender.sent_at, sender.sha256, model
    """,
    "files": """
    SELECT file.id AS file_id, name, media_type, size_bytes, sha256, is_kept, sent_at, (
        SELECT string_agg(content, E'\n\n' ORDER BY position) FROM user_file_units
        WHERE file_id = file.id
    ) AS text
    FROM user_files AS file WHERE user_id = %(user_id)s ORDER BY file.id
    """,
    "unchosen_spaces": """
    SELECT name FROM rag_unchosen_spaces JOIN rag_spaces ON id = space_id
    WHERE user_id = %(user_id)s ORDER BY name
    """,
}


CORE_SECTIONS = frozenset({*_EXPORTED_FROM_APP, *_EXPORTED_FROM_RAG, "memory", "exported_at"})
"""Sections of an export that no table of a feature may use."""


class PostgresUserData:
    """Implements `PersonalData`; `tags` are those of the usage ledger."""

    def __init__(self, databases: Databases, tags: UserTags) -> None:
        self._databases = databases
        self._tags = tags

    async def export(self, user_id: int) -> Mapping[str, Any]:
        values = _names(user_id)
        async with checkout(self._databases.app) as app:
            now = await fetch_one(app, "SELECT clock_timestamp() AS exported_at")
            tables = await read_declarations(app, APP_RECORD)
            parts = await export_rows(app, tables, values)
            parts |= await _read(app, _EXPORTED_FROM_APP, values)
        async with checkout(self._databases.rag) as rag:
            tables = await read_declarations(rag, RAG_RECORD)
            parts |= await export_rows(rag, tables, values)
            parts |= await _read(rag, _EXPORTED_FROM_RAG, values)
        parts["decisions"] = await self._open_to(user_id, parts["decisions"])
        return {
            "schema": SCHEMA,
            **readable(now),
            **parts,
            "profile": parts["profile"][0] if parts["profile"] else None,
            "memory": {item["key"]: item["value"] for item in parts["memory"]},
        }

    async def _open_to(self, user_id: int, decisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The decisions, without the titles of documents that the user may no longer read."""
        guards = {
            guard
            for decision in decisions
            for one in decision["retrieved"]
            for guard in one.get("guards", ())
        }
        if not guards:
            return decisions
        readable = await PostgresSpaces(self._databases.rag).open_of(Reader(user_id), guards)
        visible_decisions = []
        for decision in decisions:
            still = still_open(decision["retrieved"], readable)
            is_whole = len(still) == len(decision["retrieved"])
            visible_decisions.append(
                decision if is_whole else decision | {"retrieved": still, "queries": []}
            )
        return visible_decisions

    async def forget(self, user_id: int) -> tuple[int, ...]:
        # The application's database comes last: while the confirmation exists, the same press
        # can finish what was left undone.
        values = _names(user_id)
        async with one_transaction(self._databases.app) as connection:
            lane = await fetch_one(connection, SEIZE_LANE, values)
        async with one_transaction(self._databases.rag) as connection:
            await _delete(connection, _FIRST_IN_RAG, values)
            tables = await read_declarations(connection, RAG_RECORD)
            await delete_rows_of_user(connection, tables, values)
        values |= {"newest": lane["newest"], "fence": lane["fence"], "tag": self._tags.of(user_id)}
        async with one_transaction(self._databases.app) as connection:
            promises = await fetch_all(connection, _PROMISES, values)
            repeatable = await fetch_all(connection, _REPEATABLE, values)
            await connection.execute(KEEP_FOR_TODAY, values)
            await _delete(connection, _FIRST_IN_APP, values)
            tables = await read_declarations(connection, APP_RECORD)
            await delete_rows_of_user(connection, tables, values)
            await _delete(connection, _LAST_IN_APP, values)
            numbers = [row["update_id"] for row in repeatable]
            await connection.execute(_KEEP_NUMBERS, (numbers,))
            # The next worker to claim the lane finds later updates, or frees it.
            await connection.execute(RETURN_LANE, values)
            await connection.execute("NOTIFY telegram_inbox")
            await connection.execute(TELL_PAGES, values)
        return tuple(row["message_id"] for row in promises)


def _names(user_id: int) -> dict[str, Any]:
    return {"user_id": user_id, "thread_id": thread_of(user_id), "prefix": f"users.{user_id}"}


async def _delete(
    connection: Connection, tables: Mapping[LiteralString, LiteralString], values: Mapping[str, Any]
) -> None:
    for table, theirs in tables.items():
        await connection.execute(f"DELETE FROM {table} WHERE {theirs}", values)


async def _read(
    connection: Connection, parts: Mapping[str, LiteralString], values: Mapping[str, Any]
) -> dict[str, list[dict[str, Any]]]:
    return {
        part: [readable(row) for row in await fetch_all(connection, query, values)]
        for part, query in parts.items()
    }
