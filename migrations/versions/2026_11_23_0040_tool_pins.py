"""Pins of servers' tools, as they were first seen; tasks that a task list wrote."""

from alembic import op

revision = "app_0040"
down_revision = "app_0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE tool_pins (
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
        """
    )
    op.execute("COMMENT ON COLUMN tool_pins.pinned IS 'NULL for a tool that nobody accepted yet'")
    # Who wrote the tasks of a list so far is not known.
    op.execute(
        """
        UPDATE tasks SET memory = memory || '{"origin": "other"}'
        WHERE id IN (SELECT task_id FROM caldav_entries)
        """
    )


def downgrade() -> None:
    op.execute("UPDATE tasks SET memory = memory - 'origin' WHERE memory ? 'origin'")
    op.execute("DROP TABLE tool_pins")
