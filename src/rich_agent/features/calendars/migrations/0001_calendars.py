"""The table of feeds as the core had it: rows of before stay."""

from alembic import op

revision = "calendars_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS calendar_feeds (
        user_id bigint PRIMARY KEY,
        nonce text NOT NULL,
        token_hash bytea NOT NULL UNIQUE,
        made_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """)
