"""The archive is found by terms in every language and by date, and knows what awaits its fold."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from rich_agent.domain.retrieval.search_terms import term_counts

revision = "app_0011"
down_revision = "app_0010"
branch_labels = None
depends_on = None

BATCH = 500

_UPGRADE = (
    "DROP INDEX turn_archive_words_idx",
    "DROP INDEX turn_archive_user_id_idx",
    "ALTER TABLE turn_archive DROP COLUMN words",
    "ALTER TABLE turn_archive ADD COLUMN terms integer[] NOT NULL DEFAULT '{}'",
    "ALTER TABLE turn_archive ADD COLUMN awaits_fold boolean NOT NULL DEFAULT false",
    "ALTER TABLE turn_archive ADD COLUMN asked_at timestamptz",
    """
    UPDATE turn_archive AS turn SET asked_at = coalesce((
        SELECT min(message.created_at)
        FROM messages AS message
        JOIN conversations AS conversation ON conversation.id = message.conversation_id
        WHERE conversation.thread_id = turn.thread_id AND message.request_id = turn.request_id
    ), turn.created_at)
    """,
    "ALTER TABLE turn_archive ALTER COLUMN asked_at SET NOT NULL",
    "ALTER TABLE turn_archive DROP COLUMN created_at",
    "CREATE INDEX turn_archive_asked_idx ON turn_archive (user_id, asked_at, id)",
    "CREATE INDEX turn_archive_terms_idx ON turn_archive USING gin (terms)",
    "CREATE INDEX turn_archive_awaiting_idx ON turn_archive (user_id, id) WHERE awaits_fold",
    "COMMENT ON COLUMN turn_archive.asked_at IS 'When the turn was, not when it was archived'",
    "COMMENT ON COLUMN turn_archive.terms IS 'Numbers of the search terms, each once'",
    "COMMENT ON COLUMN turn_archive.awaits_fold IS 'Not yet part of the running summary'",
)
_DOWNGRADE = (
    "DROP INDEX turn_archive_awaiting_idx",
    "DROP INDEX turn_archive_terms_idx",
    "DROP INDEX turn_archive_asked_idx",
    "ALTER TABLE turn_archive RENAME COLUMN asked_at TO created_at",
    "ALTER TABLE turn_archive ALTER COLUMN created_at SET DEFAULT now()",
    "ALTER TABLE turn_archive DROP COLUMN awaits_fold",
    "ALTER TABLE turn_archive DROP COLUMN terms",
    """
    ALTER TABLE turn_archive ADD COLUMN words tsvector NOT NULL
        GENERATED ALWAYS AS (to_tsvector('simple', question || ' ' || answer)) STORED
    """,
    "CREATE INDEX turn_archive_words_idx ON turn_archive USING gin (words)",
    "CREATE INDEX turn_archive_user_id_idx ON turn_archive (user_id, id)",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)
    connection = op.get_bind()
    known = sa.text("SELECT id, question, answer FROM turn_archive WHERE id > :last ORDER BY id")
    last = 0
    while turns := connection.execute(known, {"last": last}).fetchmany(BATCH):
        _analyse(connection, turns)
        last = turns[-1].id


def _analyse(connection: sa.Connection, turns: Sequence[sa.Row[Any]]) -> None:
    connection.execute(
        sa.text("UPDATE turn_archive SET terms = :terms WHERE id = :id"),
        [
            {"id": turn.id, "terms": sorted(term_counts(f"{turn.question}\n{turn.answer}"))}
            for turn in turns
        ],
    )


def downgrade() -> None:
    for statement in _DOWNGRADE:
        op.execute(statement)
