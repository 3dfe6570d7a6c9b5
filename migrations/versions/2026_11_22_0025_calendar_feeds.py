"""Secret addresses under which users subscribe to their calendars."""

from alembic import op

revision = "app_0025"
down_revision = "app_0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE TABLE calendar_feeds (
            user_id bigint PRIMARY KEY,
            nonce text NOT NULL,
            token_hash bytea NOT NULL UNIQUE,
            made_at timestamptz NOT NULL DEFAULT clock_timestamp()
        )
    """)


def downgrade() -> None:
    op.execute("DROP TABLE calendar_feeds")
