"""A record of the tables with things of users, from which these are exported and forgotten."""

from alembic import op

revision = "rag_0020"
down_revision = "rag_0019"
branch_labels = None
depends_on = None

DECLARATIONS = "068b9b5a72b4"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE rag_user_tables (
            name text PRIMARY KEY,
            feature text NOT NULL,
            place integer NOT NULL,
            key text[] NOT NULL,
            declaration jsonb NOT NULL
        )
        """
    )
    op.execute(
        "COMMENT ON TABLE rag_user_tables IS "
        "'Tables with things of users, as a migration found them declared'"
    )


def downgrade() -> None:
    op.execute("DROP TABLE rag_user_tables")
