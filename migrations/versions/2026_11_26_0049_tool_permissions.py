"""Calls of tools that users permitted for good."""

from alembic import op

revision = "app_0049"
down_revision = "app_0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE tool_permissions (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id bigint NOT NULL,
            server text NOT NULL,
            tool text NOT NULL,
            digest text NOT NULL,
            title text NOT NULL,
            arguments jsonb NOT NULL,
            fixed text[],
            given_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            used integer NOT NULL DEFAULT 0,
            used_at timestamptz
        )
        """
    )
    op.execute(
        """
        CREATE UNIQUE INDEX tool_permissions_once
        ON tool_permissions (user_id, digest, md5(arguments::text))
        """
    )
    op.execute("COMMENT ON COLUMN tool_permissions.fixed IS 'NULL for all arguments'")
    op.execute("COMMENT ON COLUMN tool_permissions.digest IS 'Of the tool, as in tool_pins'")


def downgrade() -> None:
    op.execute("DROP TABLE tool_permissions")
