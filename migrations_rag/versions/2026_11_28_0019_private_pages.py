"""Pages of users that not everybody can read."""

from alembic import op

revision = "rag_0019"
down_revision = "rag_0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Where pages were read from was not written down, and older programs do not: any may be one.
    # Of what is no page it says nothing.
    op.execute("ALTER TABLE user_files ADD COLUMN is_private boolean NOT NULL DEFAULT true")
    op.execute("COMMENT ON COLUMN user_files.is_private IS 'A page that not everybody can read'")


def downgrade() -> None:
    op.execute("ALTER TABLE user_files DROP COLUMN is_private")
