"""Deletes single turns and things of a user from all tables, in both databases."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, LiteralString

from rich_agent.domain.json_values import read_json
from rich_agent.domain.message import thread_of, update_of
from rich_agent.domain.vision import ImageSummary
from rich_agent.ports.memories import Erased, KeptThing, KeptTurn
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import Connection, Databases, checkout
from rich_agent.repositories.database.repository import fetch_all
from rich_agent.repositories.database.threads import THREADS_OF_USER
from rich_agent.repositories.database.user_tables import (
    APP_RECORD,
    delete_records_of_turns,
    delete_things,
    read_declarations,
    things_in,
)
from rich_agent.repositories.inbox.wakeups import TELL_PAGES
from rich_agent.repositories.memory_store import (
    ROW_OF_ITEM,
    MemoryRows,
    RowsByKind,
    in_savepoint,
    lock_memory,
    prefix_of,
)

_DROP_COPIES = f"""
WITH changed AS (
    UPDATE store SET updated_at = CURRENT_TIMESTAMP, value = jsonb_set(value, '{{items}}', (
        SELECT coalesce(jsonb_agg(item ORDER BY place), '[]')
        FROM jsonb_array_elements(value -> 'items') WITH ORDINALITY AS one (item, place)
        WHERE {ROW_OF_ITEM} <> ALL(%(things)s)
    ))
    WHERE prefix = %(prefix)s AND EXISTS (
        SELECT FROM jsonb_array_elements(value -> 'items') AS item
        WHERE {ROW_OF_ITEM} = ANY(%(things)s)
    )
    RETURNING prefix, key
)
DELETE FROM store_vectors USING changed
WHERE store_vectors.prefix = changed.prefix AND store_vectors.key = changed.key
"""


async def read_things(
    connection: Connection, values: Mapping[str, Any], rows: Collection[MemoryRows] = ()
) -> Sequence[KeptThing]:
    """All things that the user planned or noted, except `rows`, whose words the memory shows."""
    tables = await read_declarations(connection, APP_RECORD)
    things = await things_in(connection, tables, values)
    keys_in_memory: set[str] = set()
    for one in rows:
        async with in_savepoint(connection):
            keys_in_memory.update(await one.keys(connection, values["user_id"]))
    return [thing for thing in things if thing.key not in keys_in_memory]


async def erase_things(
    connection: Connection, erasure: Erased, rows: Collection[MemoryRows] = ()
) -> None:
    """Delete the chosen things, or all, in the caller's transaction.

    `rows` are the tables whose rows the memory shows, too. Copies of deleted rows in the memory are
    deleted with their vectors, also where the feature of the rows is absent or fails.
    """
    await lock_memory(connection, erasure.user_id)
    values = {"user_id": erasure.user_id, "everything": erasure.everything}
    tables = await read_declarations(connection, APP_RECORD)
    await delete_things(connection, tables, erasure, values)
    copies = {"prefix": prefix_of(erasure.user_id), "things": list(erasure.things)}
    await connection.execute(_DROP_COPIES, copies)
    for one in rows:
        async with in_savepoint(connection):
            await one.project(connection, erasure.user_id)


_TURNS = """
SELECT request_id, question, answer, '{}'::jsonb AS meta, id AS place
FROM turn_archive AS kept
WHERE user_id = %(user_id)s AND NOT EXISTS (
    SELECT FROM messages WHERE user_id = kept.user_id AND request_id = kept.request_id
)
UNION ALL
SELECT request_id, string_agg(content, E'\\n' ORDER BY id) FILTER (WHERE role = 'user'),
    string_agg(content, E'\\n' ORDER BY id) FILTER (WHERE role = 'assistant'),
    (jsonb_agg(meta_json ORDER BY role DESC)) -> 0, min(id)
FROM messages WHERE user_id = %(user_id)s GROUP BY request_id
ORDER BY place
"""
_SHOWN = f"""
SELECT sender.sha256, summary_json AS summary
FROM vision_senders AS sender
JOIN vision_images AS image USING (sha256)
JOIN vision_summaries AS summary ON summary.image_id = image.id
WHERE {THREADS_OF_USER}
"""

_GONE = "(%(everything)s OR request_id = ANY(%(requests)s))"
_GONE_HERE = f"user_id = %(user_id)s AND {_GONE}"
_APPROVALS = f"SELECT id FROM approvals WHERE {_GONE_HERE}"
_LEFT_OUT = "…"
# Drafts that admins were sent for approval contain the user's words too. The text is not emptied,
# because an empty text marks a message whose answer never came.
_IN_APP: tuple[LiteralString, ...] = (
    f"""
    UPDATE telegram_outbox SET text = '{_LEFT_OUT}' WHERE text <> '' AND (
        (chat_id = %(user_id)s AND update_id <> ALL(%(in_hand)s)) OR update_id IN (
            SELECT update_id FROM approval_notices WHERE approval_id IN ({_APPROVALS})
        )
    )
    """,
    """
    DELETE FROM runs WHERE user_id = %(user_id)s AND state = 'ended' AND (
        %(everything)s OR coalesce(nullif(asked ->> 'answers', ''), 'tg:' || update_id)
            = ANY(%(requests)s)
    )
    """,
    # What stands in no transcript, such as the answers to commands, may repeat what goes.
    """
    DELETE FROM runs WHERE user_id = %(user_id)s AND state = 'ended' AND NOT EXISTS (
        SELECT FROM conversations JOIN messages ON conversation_id = conversations.id
        WHERE conversations.user_id = %(user_id)s AND request_id
            = coalesce(nullif(asked ->> 'answers', ''), 'tg:' || update_id)
    ) AND EXISTS (
        SELECT FROM run_events
        WHERE run_events.update_id = runs.update_id AND event ->> 'kind' = 'answer'
    )
    """,
)
_WITH_WORDS = """
SELECT update_id, raw FROM telegram_inbox
WHERE user_id = %(user_id)s AND (dead_at IS NOT NULL OR update_id = ANY(%(in_hand)s))
"""
_LATEST = "SELECT updates FROM telegram_questions WHERE user_id = %(user_id)s"
_STAYING = "SELECT DISTINCT request_id FROM messages WHERE user_id = %(user_id)s"
# Rows without words go last, or by a trigger of what they belong to: work that is under way locks
# first what it belongs to, and then its row.
_DUE_WORK = "SELECT id, payload FROM due_work WHERE user_id = %(user_id)s AND payload <> '{}'"
_IMAGES_OF = f"""
SELECT DISTINCT jsonb_array_elements_text(meta_json -> 'images') AS sha256
FROM messages WHERE {_GONE_HERE} AND jsonb_typeof(meta_json -> 'images') = 'array'
"""

_DECISIONS = f"""
SELECT id, request_id, reason, query, queries, retrieved FROM retrieval_decisions
WHERE {THREADS_OF_USER}
"""
_EMPTY_DECISIONS = """
UPDATE retrieval_decisions SET reason = '', query = '', queries = '{}', retrieved = '[]'
WHERE id = ANY(%s)
"""
_SENT = f"SELECT sha256 FROM vision_senders WHERE {THREADS_OF_USER}"
_ANSWERS = f"SELECT id, answer FROM vision_answers WHERE {THREADS_OF_USER}"
# A summary stays if another user sent the same image.
_IN_RAG: tuple[LiteralString, ...] = (
    f"""
    DELETE FROM vision_images WHERE sha256 = ANY(%(images)s) AND NOT EXISTS (
        SELECT FROM vision_senders AS other
        WHERE other.sha256 = vision_images.sha256 AND NOT {THREADS_OF_USER}
    )
    """,
    f"DELETE FROM vision_senders WHERE {THREADS_OF_USER} AND sha256 = ANY(%(images)s)",
    "DELETE FROM vision_answers WHERE id = ANY(%(answers)s)",
)


class PostgresErasure:
    """Implements `Erasure`."""

    def __init__(self, databases: Databases, rows: RowsByKind | None = None) -> None:
        self._databases = databases
        self._rows = (rows or {}).values()

    async def turns(self, user_id: int) -> Sequence[KeptTurn]:
        values = {"user_id": user_id, "thread_id": thread_of(user_id)}
        async with checkout(self._databases.rag) as connection:
            summaries = {
                row["sha256"]: row["summary"] for row in await fetch_all(connection, _SHOWN, values)
            }
        async with checkout(self._databases.app) as connection:
            rows = await fetch_all(connection, _TURNS, values)
        return [
            KeptTurn(
                row["request_id"],
                row["question"] or "",
                row["answer"] or "",
                _around(row["meta"], summaries),
            )
            for row in rows
        ]

    async def things(self, user_id: int) -> Sequence[KeptThing]:
        values = {"user_id": user_id, "prefix": prefix_of(user_id)}
        async with checkout(self._databases.app) as connection:
            return await read_things(connection, values, self._rows)

    async def erase(self, erasure: Erased) -> None:
        # The transcript comes last: while it names the turns, everything can be repeated.
        app, rag = self._databases.app, self._databases.rag
        values: dict[str, Any] = {
            "user_id": erasure.user_id,
            "thread_id": thread_of(erasure.user_id),
            "requests": list(erasure.requests),
            "everything": erasure.everything,
            "in_hand": [
                update_id for request_id in erasure.in_hand if (update_id := update_of(request_id))
            ],
        }
        async with checkout(app) as connection:
            image_hashes = [
                row["sha256"] for row in await fetch_all(connection, _IMAGES_OF, values)
            ]
            staying_ids = {
                row["request_id"] for row in await fetch_all(connection, _STAYING, values)
            }
        async with checkout_held(rag, app) as connection:
            await _erase_in_rag(
                connection, erasure, values, image_hashes, staying_ids - erasure.requests
            )
        async with checkout_held(app) as connection:
            # First: what changes rows of the memory takes this lock before it takes due work.
            await lock_memory(connection, erasure.user_id)
            await _leave_words_out(connection, erasure, values)
            await erase_things(connection, erasure, self._rows)
            for statement in _IN_APP:
                await connection.execute(statement, values)
            await _erase_records(connection, erasure, values, staying_ids)
            await connection.execute(TELL_PAGES, values)


async def _erase_in_rag(
    connection: Connection,
    erasure: Erased,
    values: Mapping[str, Any],
    images: Sequence[str],
    staying: set[str],
) -> None:
    def goes(row: Mapping[str, Any]) -> bool:
        if erasure.everything or row["request_id"] in erasure.requests:
            return True
        texts = [row[name] for name in ("reason", "query", "queries", "retrieved")]
        return row["request_id"] not in staying and _tells(erasure, texts)

    decisions = [row["id"] for row in await fetch_all(connection, _DECISIONS, values) if goes(row)]
    await connection.execute(_EMPTY_DECISIONS, (decisions,))
    if erasure.everything:
        images = [row["sha256"] for row in await fetch_all(connection, _SENT, values)]
    answers = [
        row["id"]
        for row in await fetch_all(connection, _ANSWERS, values)
        if _tells(erasure, row["answer"])
    ]
    for statement in _IN_RAG:
        await connection.execute(statement, {**values, "images": list(images), "answers": answers})


async def _leave_words_out(
    connection: Connection, erasure: Erased, values: Mapping[str, Any]
) -> None:
    """Remove the words from updates that are still needed, and from the question kept for edits.

    Due work that repeats erased words, such as a lesson, is deleted.
    """
    for row in await fetch_all(connection, _WITH_WORDS, values):
        is_in_hand = row["update_id"] in values["in_hand"]
        if is_in_hand or _tells(erasure, read_json(row["raw"])):
            await connection.execute(
                "UPDATE telegram_inbox SET raw = %s WHERE update_id = %s",
                (_wordless(row["raw"]), row["update_id"]),
            )
    works = await fetch_all(connection, _DUE_WORK, values)
    ids = [row["id"] for row in works if _tells(erasure, row["payload"])]
    await connection.execute("DELETE FROM due_work WHERE id = ANY(%s)", (ids,))
    for row in await fetch_all(connection, _LATEST, values):
        await connection.execute(
            "UPDATE telegram_questions SET updates = %s WHERE user_id = %s",
            ([_wordless(raw) for raw in row["updates"]], erasure.user_id),
        )


async def _erase_records(
    connection: Connection, erasure: Erased, values: Mapping[str, Any], staying: set[str]
) -> None:
    """Delete rows of erased turns, and rows that repeat erased words and belong to no kept turn."""

    def tells(row: Mapping[str, Any]) -> bool:
        return staying.isdisjoint(row["requests"]) and _tells(erasure, row["texts"])

    tables = await read_declarations(connection, APP_RECORD)
    await delete_records_of_turns(connection, tables, values, tells)


def _tells(erasure: Erased, value: object) -> bool:
    text = "\n".join(_texts_in(value))
    return erasure.everything or erasure.traces.occur_in(text) or erasure.traces.count_in(text) > 0


def _around(meta: Mapping[str, Any] | None, summaries: Mapping[str, Any]) -> str:
    request = (meta or {}).get("request") or {}
    images = [summaries[sha] for sha in (meta or {}).get("images") or () if sha in summaries]
    request_parts = [request.get("text"), request.get("reply"), request.get("forwarded")]
    image_texts = [ImageSummary.from_json(summary).to_text() for summary in images]
    return "\n".join([*_texts_in(request_parts), *image_texts])


def _texts_in(value: object) -> list[str]:
    """All strings in a JSON value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return _texts_in(list(value.values()))
    items = value if isinstance(value, list) else []
    return [text for item in items for text in _texts_in(item)]


def _wordless(raw: bytes) -> bytes:
    """A raw update without its texts and captions."""
    return json.dumps(_without_words(read_json(raw) or {})).encode()


def _without_words(value: object) -> object:
    if isinstance(value, list):
        return [_without_words(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    text_fields = {"text", "caption"}
    fields = {name: field for name, field in value.items() if not name.endswith("entities")}
    return {
        name: _LEFT_OUT if name in text_fields else _without_words(field)
        for name, field in fields.items()
    }
