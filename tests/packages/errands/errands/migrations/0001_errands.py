"""The errands of users."""

from alembic import op

revision = "errands_0001"
down_revision = None


def upgrade() -> None:
    """Create the table."""
    op.execute("""
        CREATE TABLE errands (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id bigint NOT NULL, thread_id text NOT NULL, words text NOT NULL,
            at timestamptz NOT NULL DEFAULT clock_timestamp(), done_at timestamptz
        )
    """)
