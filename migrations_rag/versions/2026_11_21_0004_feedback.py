"""Grounds of each answer, what users thought of it, and who sent an image."""

from alembic import op

revision = "rag_0004"
down_revision = "rag_0003"
branch_labels = None
depends_on = None

_UPGRADE = (
    "ALTER TABLE retrieval_decisions ADD COLUMN retrieved jsonb NOT NULL DEFAULT '[]'",
    """
    COMMENT ON COLUMN retrieval_decisions.retrieved IS
        'The passages that were read, best first: label, kind, score'
    """,
    "CREATE INDEX retrieval_decisions_created_idx ON retrieval_decisions (created_at)",
    """
    CREATE TABLE answer_feedback (
        decision_id bigint PRIMARY KEY REFERENCES retrieval_decisions ON DELETE CASCADE,
        rating text NOT NULL CHECK (rating IN ('up', 'down')),
        rated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    CREATE TABLE vision_senders (
        sha256 text NOT NULL,
        thread_id text NOT NULL,
        sent_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (sha256, thread_id)
    )
    """,
    "CREATE INDEX vision_senders_thread_idx ON vision_senders (thread_id)",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE vision_senders, answer_feedback")
    op.execute("DROP INDEX retrieval_decisions_created_idx")
    op.execute("ALTER TABLE retrieval_decisions DROP COLUMN retrieved")
