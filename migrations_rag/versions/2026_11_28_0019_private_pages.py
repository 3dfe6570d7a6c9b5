"""Pages of users that not everybody can read."""

from alembic import op

revision = "rag_0019"
down_revision = "rag_0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE user_files ADD COLUMN is_private boolean NOT NULL DEFAULT false")
    # Where pages were read from was not written down: any of them may be one.
    op.execute("UPDATE user_files SET is_private = true WHERE ref LIKE 'http%'")
    op.execute("COMMENT ON COLUMN user_files.is_private IS 'A page that not everybody can read'")


def downgrade() -> None:
    op.execute("ALTER TABLE user_files DROP COLUMN is_private")
