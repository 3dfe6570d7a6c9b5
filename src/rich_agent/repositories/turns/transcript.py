"""Both messages of every turn."""

from psycopg.types.json import Jsonb

from rich_agent.domain.text import clean_text
from rich_agent.ports.turns import TurnRecord
from rich_agent.repositories.database.json_values import storable
from rich_agent.repositories.database.repository import PostgresRepository

# The conversation's update changes nothing; it makes a known row come back. The user's row comes
# first, so that a turn at the terminal needs no other.
_RECORD = """
WITH person AS (
    INSERT INTO users (telegram_user_id) VALUES (%(user_id)s) ON CONFLICT DO NOTHING
), conversation AS (
    INSERT INTO conversations AS known (user_id, thread_id)
    VALUES (%(user_id)s, %(thread_id)s)
    ON CONFLICT (thread_id) DO UPDATE SET thread_id = known.thread_id
    RETURNING id
)
INSERT INTO messages AS known
    (conversation_id, user_id, request_id, role, content, meta_json, revision)
SELECT conversation.id, %(user_id)s, %(request_id)s, said.role, said.content, said.meta,
    %(revision)s
FROM conversation, (
    VALUES (1, 'user', %(question)s, %(asked)s::jsonb), (2, 'assistant', %(answer)s, %(meta)s)
) AS said (place, role, content, meta)
ORDER BY said.place
ON CONFLICT (conversation_id, request_id, role) DO UPDATE
SET content = excluded.content, meta_json = excluded.meta_json, revision = excluded.revision
WHERE known.revision < excluded.revision
"""


class PostgresTranscript(PostgresRepository):
    """Implements `Transcript`."""

    async def record(self, turn: TurnRecord) -> None:
        await self._run_held(_RECORD, _values(turn))


def _values(turn: TurnRecord) -> dict[str, object]:
    return {
        "user_id": turn.user_id,
        "thread_id": turn.thread_id,
        "request_id": turn.request_id,
        "question": clean_text(turn.question),
        "answer": clean_text(turn.answer),
        "meta": Jsonb(storable(turn.meta)),
        "asked": Jsonb(storable({**turn.meta, "request": turn.request})),
        "revision": turn.revision,
    }
