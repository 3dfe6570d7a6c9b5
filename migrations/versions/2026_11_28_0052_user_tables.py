"""A record of the tables with things of users, from which these are exported and forgotten."""

from alembic import op

revision = "app_0052"
down_revision = "app_0051"
branch_labels = None
depends_on = None

DECLARATIONS = "e9507f1eda53"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE user_tables (
            name text PRIMARY KEY,
            feature text NOT NULL,
            place integer NOT NULL,
            key text[] NOT NULL,
            declaration jsonb NOT NULL
        )
        """
    )
    op.execute(
        "COMMENT ON TABLE user_tables IS "
        "'Tables with things of users, as a migration found them declared'"
    )


def downgrade() -> None:
    op.execute("DROP TABLE user_tables")
