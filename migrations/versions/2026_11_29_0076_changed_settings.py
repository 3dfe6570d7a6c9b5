"""Settings that operators change while the bot runs."""

from alembic import op

revision = "app_0076"
down_revision = "app_0075"
branch_labels = None
depends_on = None

DECLARATIONS = "9b341387b8c7"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE setting_changes (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL,
            value text,
            changed_by bigint,
            changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
        )
        """
    )
    op.execute("CREATE INDEX setting_changes_name_idx ON setting_changes (name, id DESC)")
    op.execute("COMMENT ON COLUMN setting_changes.value IS 'Null: that of the environment again'")
    op.execute("COMMENT ON COLUMN setting_changes.changed_by IS 'Null: at the shell'")


def downgrade() -> None:
    op.execute("DROP TABLE setting_changes")
