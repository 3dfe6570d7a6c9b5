"""Questions about users' images, so that the same question costs one look."""

from alembic import op

revision = "rag_0006"
down_revision = "rag_0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE TABLE vision_answers (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            thread_id text NOT NULL,
            sha256 text NOT NULL,
            model text NOT NULL,
            question_hash text NOT NULL,
            answer text NOT NULL,
            answered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            UNIQUE (thread_id, sha256, model, question_hash)
        )
    """)


def downgrade() -> None:
    op.execute("DROP TABLE vision_answers")
