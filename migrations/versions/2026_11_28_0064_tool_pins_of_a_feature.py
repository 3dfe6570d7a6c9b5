"""Pins of servers' tools belong to a feature, which makes their table itself."""

import sqlalchemy as sa
from alembic import op

revision = "app_0064"
down_revision = "app_0063"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # What was accepted stays, also where the feature is switched off.
    op.execute("LOCK TABLE tool_pins IN ACCESS EXCLUSIVE MODE")
    if not op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT FROM tool_pins)")):
        op.execute("DROP TABLE tool_pins")
    op.execute("COMMENT ON COLUMN tool_permissions.digest IS 'Of the tool as it was accepted'")


def downgrade() -> None:
    op.execute("COMMENT ON COLUMN tool_permissions.digest IS 'Of the tool, as in tool_pins'")
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
    op.execute("DROP TABLE IF EXISTS alembic_version_mcp")
