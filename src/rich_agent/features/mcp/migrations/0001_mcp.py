"""The table of pins as the core had it: rows of before stay."""

from alembic import op

revision = "mcp_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS tool_pins (
        server text NOT NULL,
        tool text NOT NULL,
        pinned jsonb,
        digest text NOT NULL DEFAULT '',
        found jsonb,
        found_digest text NOT NULL DEFAULT '',
        is_told boolean NOT NULL DEFAULT false,
        pinned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (server, tool)
    )
    """)
    op.execute("COMMENT ON COLUMN tool_pins.pinned IS 'NULL for a tool that nobody accepted yet'")
