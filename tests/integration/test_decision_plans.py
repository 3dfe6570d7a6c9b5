"""Plans of PostgreSQL for /why and `rich-agent trace` when many turns are kept."""

from collections.abc import Iterator, Mapping
from typing import LiteralString

import psycopg
import pytest

from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.outbox import ANSWERED_BY
from rich_agent.repositories.turns import past_turns as statements
from rich_agent.repositories.turns.past_turns import FIND, LATEST
from tests.database import PostgresServer
from tests.integration.query_plans import rows_read

TURNS, USERS = 20_000, 1_000
FILL = f"""
INSERT INTO retrieval_decisions (thread_id, request_id, intent, plan, reason)
SELECT 'tg:' || n % {USERS}, 'tg:' || n, 'general_question', 'rag', 'r'
FROM generate_series(1, {TURNS}) AS n;
INSERT INTO users (telegram_user_id, first_name)
SELECT n, 'Ann' FROM generate_series(0, {USERS - 1}) AS n;
INSERT INTO conversations (thread_id, user_id)
SELECT 'tg:' || n, n FROM generate_series(0, {USERS - 1}) AS n;
INSERT INTO messages (conversation_id, user_id, request_id, role, content, meta_json)
SELECT c.id, c.user_id, 'tg:' || c.user_id + n * {USERS}, role, 'Why?', '{{}}'
FROM conversations AS c, generate_series(0, {TURNS // USERS - 1}) AS n,
    (VALUES ('user'), ('assistant')) AS of (role);
INSERT INTO telegram_outbox (update_id, part, chat_id, message_id)
SELECT n, 1, n % 20, n FROM generate_series(1, {TURNS}) AS n;
VACUUM ANALYZE retrieval_decisions; VACUUM ANALYZE conversations; VACUUM ANALYZE messages;
VACUUM ANALYZE telegram_outbox;
"""
OLD = {"thread_id": "tg:7", "request_id": "tg:7"}


@pytest.fixture(scope="module")
def filled_url(database_server: PostgresServer, database_template: str) -> Iterator[str]:
    """A database with 20,000 turns of 1,000 users, and as many answers in 20 chats."""
    with database_server.database(database_template) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in FILL.split(";")[:-1]:
                connection.execute(statement.encode())
        yield url


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [
        (statements._DECISION, OLD | {"thread_id": None}),
        (statements._DECISION, OLD),
        (statements._DECISION, {"request_id": "tg:0", "thread_id": None}),
        (statements._LATEST, {"thread_id": None, "limit": 5}),
        (statements._LATEST, {"thread_id": "tg:7", "limit": 5}),
        (statements._SAID, OLD),
        (LATEST, ("tg:7",)),
        (FIND, OLD),
        (ANSWERED_BY, (7, 7)),
    ],
    ids=[
        "trace_by_id",
        "trace_by_id_and_user",
        "trace_unknown",
        "trace_latest",
        "trace_latest_of_user",
        "trace_said",
        "why_latest",
        "why_of_an_answer",
        "why_reply",
    ],
)
async def test_statements_about_one_turn_read_few_rows(
    filled_url: str,
    statement: LiteralString,
    parameters: Mapping[str, object] | tuple[object, ...],
) -> None:
    """However many turns are kept, and however long ago this one was."""
    async with open_pool(filled_url, max_size=1) as pool, pool.connection() as connection:
        plan, most = await rows_read(connection, statement, parameters)
    assert "Seq Scan" not in plan, plan
    assert most <= 5, plan
