"""Memory: words of turns that could not be learned from yet."""

from alembic import op

revision = "app_0019"
down_revision = "app_0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE TABLE pending_lessons (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id bigint NOT NULL,
            request_id text NOT NULL,
            revision bigint NOT NULL,
            text text NOT NULL,
            told_at timestamptz NOT NULL,
            due_at timestamptz NOT NULL,
            tries integer NOT NULL DEFAULT 0,
            refusals integer NOT NULL DEFAULT 0,
            UNIQUE (user_id, request_id)
        )
    """)
    op.execute("CREATE INDEX pending_lessons_due ON pending_lessons (due_at)")


def downgrade() -> None:
    op.execute("DROP TABLE pending_lessons")
