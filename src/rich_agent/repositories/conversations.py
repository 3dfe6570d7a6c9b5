"""The titles of conversations, their deletion, and the search in them, in both databases."""

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

from psycopg import sql

from rich_agent.domain.memory.items import SUMMARY_KEY
from rich_agent.domain.message import client_thread_in, client_thread_of, thread_of
from rich_agent.domain.retrieval.search_terms import question_words, terms_of_user
from rich_agent.domain.text import clean_text
from rich_agent.ports.conversations import FoundTurn
from rich_agent.repositories.database.pools import Databases, checkout, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all, fetch_one
from rich_agent.repositories.database.threads import NOT_REPLACED, TITLE
from rich_agent.repositories.database.user_tables import (
    APP_RECORD,
    RAG_RECORD,
    delete_rows_of_conversation,
    read_declarations,
)
from rich_agent.repositories.inbox.wakeups import TELL_PAGES
from rich_agent.repositories.memory_store import lock_memory, prefix_of
from rich_agent.repositories.turns.archive import EMPTY_SUMMARY
from rich_agent.repositories.user_data import RETURN_LANE, SEIZE_LANE

MOST_WORDS = 12
"""Most words of a search that are used; each costs a lookup in the index."""
_RENAME = """
UPDATE conversations SET chosen_title = nullif(%s, '') WHERE user_id = %s AND thread_id = %s
"""
_BEHIND = """
SELECT later.id FROM messages AS later
JOIN (
    SELECT said.conversation_id, max(said.id) AS id FROM messages AS said
    JOIN conversations AS conversation ON conversation.id = said.conversation_id
    WHERE conversation.thread_id = %(conversation)s AND said.request_id = %(request_id)s
    GROUP BY said.conversation_id
) AS wanted ON later.conversation_id = wanted.conversation_id AND later.id > wanted.id
ORDER BY later.id OFFSET %(count)s LIMIT 1
"""
_FOUND = f"""
SELECT conversation.thread_id, {TITLE} AS title, said.request_id, said.content AS question,
    answered.content AS answer, said.created_at AS said_at
FROM messages AS said
JOIN conversations AS conversation ON conversation.id = said.conversation_id
JOIN messages AS answered ON answered.conversation_id = said.conversation_id
    AND answered.request_id = said.request_id AND answered.role = 'assistant'
WHERE said.user_id = %(user_id)s AND {NOT_REPLACED}
"""
_HAS_WORD = "AND said.said_terms && {}::integer[] "
_NEWEST = "ORDER BY said.id DESC LIMIT %(limit)s"


def search_query(words: Iterable[str]) -> sql.Composed:
    """The statement that finds turns with all words; `words` are the names of their parameters."""
    holds = [sql.SQL(_HAS_WORD).format(sql.Placeholder(name)) for name in words]
    return sql.Composed([sql.SQL(_FOUND), *holds, sql.SQL(_NEWEST)])


_KNOWN = """
SELECT EXISTS (SELECT FROM conversations WHERE thread_id = %(conversation)s)
    OR EXISTS (SELECT FROM runs WHERE user_id = %(user_id)s AND thread = %(thread)s) AS is_known,
    EXISTS (
        SELECT FROM turn_archive WHERE thread_id = %(conversation)s AND NOT awaits_fold
    ) AS is_summed_up
"""
_HERE = "thread_id = %(conversation)s"
# A file that the user had remembered belongs to no conversation any more.
_IN_RAG: tuple[LiteralString, ...] = (
    f"DELETE FROM user_files WHERE user_id = %(user_id)s AND NOT is_kept AND {_HERE}",
    f"""
    DELETE FROM vision_images WHERE sha256 IN (
        SELECT sha256 FROM vision_senders WHERE {_HERE}
        EXCEPT SELECT sha256 FROM vision_senders WHERE NOT ({_HERE})
    )
    """,
)
_STAYING_FILES = "SELECT ref FROM user_files WHERE user_id = %(user_id)s"
# A press belongs to the conversation of its block, whatever the client called that.
_RUNS = """user_id = %(user_id)s AND %(thread)s = coalesce((
    SELECT block.thread FROM runs AS block
    WHERE block.user_id = runs.user_id AND block.run_id = runs.asked ->> 'of_run'
), thread)"""
_UPLOADS_OF = """jsonb_array_elements_text(
    asked -> 'images' || jsonb_path_query_array(asked, '$.files[*].file_id')
)"""
_REQUESTS = f"""
SELECT request_id FROM messages JOIN conversations ON conversations.id = conversation_id
WHERE {_HERE}
UNION SELECT request_id FROM turn_archive WHERE {_HERE}
UNION SELECT 'tg:' || update_id FROM runs WHERE {_RUNS}
"""
# Besides what follows from the declarations of the tables. Drafts that admins were sent hold the
# user's words too.
_IN_APP: tuple[LiteralString, ...] = (
    f"""
    UPDATE telegram_outbox SET text = '…' WHERE text <> '' AND update_id IN (
        SELECT update_id FROM approval_notices JOIN approvals ON approvals.id = approval_id
        WHERE {_HERE}
    )
    """,
    f"""
    DELETE FROM uploads WHERE user_id = %(user_id)s
        AND id IN (SELECT {_UPLOADS_OF} FROM runs WHERE {_RUNS})
        AND id NOT IN (
            SELECT {_UPLOADS_OF} FROM runs
            WHERE user_id = %(user_id)s AND thread <> %(thread)s
        )
        AND id <> ALL(%(staying)s)
    """,
    # A run that waits finds itself forgotten; its events go with it.
    f"DELETE FROM runs WHERE {_RUNS}",
)


class PostgresConversations(PostgresRepository):
    """Implements `Conversations`."""

    def __init__(self, databases: Databases) -> None:
        super().__init__(databases.app)
        self._databases = databases

    async def rename(self, user_id: int, thread: str, title: str) -> bool:
        conversation = client_thread_of(user_id, thread)
        count = await self._run(_RENAME, (clean_text(title), user_id, conversation))
        await self._run(TELL_PAGES, {"user_id": user_id})
        return count > 0

    async def search(self, user_id: int, words: str, limit: int) -> Sequence[FoundTurn]:
        word_terms = [terms_of_user(user_id, one) for one in question_words(words, None)][
            :MOST_WORDS
        ]
        if not word_terms:
            return []
        terms_by_name = {f"word{place}": terms for place, terms in enumerate(word_terms)}
        values = {**terms_by_name, "user_id": user_id, "limit": limit}
        rows = await self._rows(search_query(terms_by_name), values)
        return [FoundTurn(_thread_in(user_id, row.pop("thread_id")), **row) for row in rows]

    async def behind(self, user_id: int, thread: str, request_id: str, count: int) -> int | None:
        conversation = client_thread_of(user_id, thread)
        values = {"conversation": conversation, "request_id": request_id, "count": count}
        row = await self._row(_BEHIND, values)
        return row["id"] if row else None

    async def forget(self, user_id: int, thread: str) -> bool:
        conversation = client_thread_of(user_id, thread)
        if conversation == thread_of(user_id):
            raise ValueError("the main conversation is forgotten with everything else")
        values: dict[str, Any] = {
            "user_id": user_id,
            "thread": thread,
            "conversation": conversation,
            "thread_id": thread_of(user_id),
            "prefix": prefix_of(user_id),
        }
        # The application's database comes last: what it still names can be forgotten again.
        row = await self._one(_KNOWN, values)
        if not row["is_known"]:
            return False
        async with one_transaction(self._databases.app) as connection:
            lane = await fetch_one(connection, SEIZE_LANE, values)
        try:
            await self._forget(values, is_summed_up=row["is_summed_up"])
        finally:
            async with one_transaction(self._databases.app) as connection:
                await connection.execute(RETURN_LANE, {"fence": lane["fence"]})
                await connection.execute("NOTIFY telegram_inbox")
                await connection.execute(TELL_PAGES, values)
        return True

    async def _forget(self, names: dict[str, Any], *, is_summed_up: bool) -> None:
        user_id: int = names["user_id"]
        async with one_transaction(self._databases.rag) as connection:
            for step in _IN_RAG:
                await connection.execute(step, names)
            tables = await read_declarations(connection, RAG_RECORD)
            await delete_rows_of_conversation(connection, tables, names | {"requests": []})
        async with checkout(self._databases.rag) as connection:
            staying = await fetch_all(connection, _STAYING_FILES, names)
        async with one_transaction(self._databases.app) as connection:
            await lock_memory(connection, user_id)
            requests = await fetch_all(connection, _REQUESTS, names)
            values = {
                **names,
                "requests": [row["request_id"] for row in requests],
                "staying": list(_uploads_in(row["ref"] for row in staying)),
            }
            for step in _IN_APP:
                await connection.execute(step, values)
            tables = await read_declarations(connection, APP_RECORD)
            await delete_rows_of_conversation(connection, tables, values)
            if is_summed_up:
                await connection.execute(EMPTY_SUMMARY, (prefix_of(user_id), SUMMARY_KEY))


def _thread_in(user_id: int, conversation: str) -> str:
    """The client's name of a conversation, "" for a topic."""
    main = thread_of(user_id)
    is_named = conversation == main or conversation.startswith(f"{main}:web:")
    return client_thread_in(user_id, conversation) if is_named else ""


def _uploads_in(refs: Iterable[str]) -> Iterable[str]:
    """The uploads that hold the bytes of files: see `runs.service.file_id_of`."""
    return (ref.rpartition(":")[2] for ref in refs if ref.startswith("upload:"))
