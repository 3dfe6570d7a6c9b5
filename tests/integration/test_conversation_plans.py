"""Plans of PostgreSQL for the history and the search when many turns of many users are kept."""

from collections.abc import Iterator

import psycopg
import pytest

from rich_agent.domain.retrieval.search_terms import question_words, terms_of_user
from rich_agent.repositories import runs as statements
from rich_agent.repositories.conversations import search_query
from rich_agent.repositories.database.pools import open_pool
from tests.database import PostgresServer
from tests.integration.query_plans import rows_read

TURNS, USERS, MINE = 30_000, 300, 7
FILL = f"""
INSERT INTO users (telegram_user_id, first_name)
SELECT n, 'Ann' FROM generate_series(0, {USERS - 1}) AS n;
INSERT INTO conversations (thread_id, user_id)
SELECT 'tg:' || n, n FROM generate_series(0, {USERS - 1}) AS n;
INSERT INTO messages (conversation_id, user_id, request_id, role, content, meta_json)
SELECT c.id, c.user_id, 'tg:' || c.user_id + n * {USERS}, role, 'What of the lease?',
    CASE WHEN n % 10 = 1 THEN jsonb_build_object('request', jsonb_build_object(
        'replaces', 'tg:' || c.user_id + (n - 1) * {USERS})) ELSE '{{}}' END
FROM generate_series(0, {TURNS // USERS - 1}) AS n, conversations AS c,
    (VALUES ('user'), ('assistant')) AS of (role);
"""


@pytest.fixture(scope="module")
def filled_url(database_server: PostgresServer, database_template: str) -> Iterator[str]:
    """A database with 30,000 turns of 300 users, all of which say the same."""
    with database_server.database(database_template) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in FILL.split(";")[:-1]:
                connection.execute(statement.encode())
            for user in range(USERS):
                connection.execute(
                    "UPDATE messages SET said_terms = %s WHERE user_id = %s AND role = 'user'",
                    (sorted({*terms(user, "lease"), *terms(user, "rent")}), user),
                )
            connection.execute("VACUUM ANALYZE messages")
        yield url


def terms(user: int, word: str) -> list[int]:
    """The numbers of a word in the index of a user."""
    (forms,) = question_words(word, None)
    return terms_of_user(user, forms)


async def test_search_reads_what_it_finds(filled_url: str) -> None:
    """However many others said the same words; the rows of the user are all that is read."""
    async with open_pool(filled_url, max_size=1) as pool, pool.connection() as connection:
        query = search_query(["a", "b"]).as_string(connection)
        values = {"a": terms(MINE, "lease"), "b": terms(MINE, "rent")}
        plan, most = await rows_read(connection, query, {**values, "user_id": MINE, "limit": 30})
    assert "messages_said_terms_idx" in plan, plan
    assert most <= TURNS // USERS, plan


async def test_page_of_the_history_looks_replaced_turns_up(filled_url: str) -> None:
    """Also the oldest page; a turn that was replaced is not in it."""
    async with open_pool(filled_url, max_size=1) as pool, pool.connection() as connection:
        oldest = await (
            await connection.execute(
                "SELECT id FROM messages WHERE user_id = %s ORDER BY id OFFSET 40 LIMIT 1", (MINE,)
            )
        ).fetchone()
        assert oldest is not None
        values = {"user_id": MINE, "limit": 100, "before": oldest["id"], "undo_minutes": 10}
        named = {**values, "conversation": f"tg:{MINE}"}
        plan, most = await rows_read(connection, statements._SAID, named)
        found = await (await connection.execute(statements._SAID, named)).fetchall()
    # The table of conversations is small enough to be read whole.
    assert most <= max(USERS, 2 * TURNS // USERS), plan
    requests = {row["request_id"] for row in found}
    assert f"tg:{MINE}" not in requests
    assert len(requests) == 18
