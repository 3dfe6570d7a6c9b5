"""Conversations get titles and are searched, and a turn is found by the one that it replaced.

The version before writes messages without `said_terms`; a search does not find these.
"""

import sqlalchemy as sa
from alembic import op

from rich_agent.domain.retrieval.search_terms import term_counts, terms_of_user

revision = "app_0045"
down_revision = "app_0044"
branch_labels = None
depends_on = None

BATCH = 500
_KNOWN = """
SELECT asked.id, asked.user_id, asked.content AS question, answered.content AS answer
FROM messages AS asked JOIN messages AS answered
    ON answered.conversation_id = asked.conversation_id
    AND answered.request_id = asked.request_id AND answered.role = 'assistant'
WHERE asked.role = 'user' AND asked.id > :last ORDER BY asked.id LIMIT :batch
"""
_UPGRADE = (
    "ALTER TABLE conversations ADD COLUMN chosen_title text",
    "COMMENT ON COLUMN conversations.chosen_title IS 'What the user calls it'",
    "ALTER TABLE messages ADD COLUMN said_terms integer[]",
    """
    COMMENT ON COLUMN messages.said_terms IS
        'With a question: the search terms of its turn, numbered apart for each user'
    """,
)
_INDEXES = (
    "CREATE INDEX messages_conversation_idx ON messages (conversation_id, id)",
    """
    CREATE INDEX messages_said_terms_idx ON messages USING gin (said_terms)
    WHERE said_terms IS NOT NULL
    """,
    """
    CREATE INDEX messages_replaces_idx
    ON messages (conversation_id, (meta_json #>> '{request,replaces}'))
    WHERE role = 'user' AND meta_json #>> '{request,replaces}' IS NOT NULL
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)
    _analyse()
    for statement in _INDEXES:
        op.execute(statement)


def _analyse() -> None:
    connection, last = op.get_bind(), 0
    known = sa.text(_KNOWN)
    while turns := connection.execute(known, {"last": last, "batch": BATCH}).all():
        connection.execute(
            sa.text("UPDATE messages SET said_terms = :terms WHERE id = :id"),
            [
                {
                    "id": turn.id,
                    "terms": terms_of_user(
                        turn.user_id, term_counts(f"{turn.question}\n{turn.answer}")
                    ),
                }
                for turn in turns
            ],
        )
        last = turns[-1].id


def downgrade() -> None:
    op.execute(
        "DROP INDEX messages_replaces_idx, messages_said_terms_idx, messages_conversation_idx"
    )
    op.execute("ALTER TABLE messages DROP COLUMN said_terms")
    op.execute("ALTER TABLE conversations DROP COLUMN chosen_title")
