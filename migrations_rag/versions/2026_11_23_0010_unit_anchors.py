"""Position of a part in a web page that a user had read."""

from alembic import op

revision = "rag_0010"
down_revision = "rag_0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE user_file_units ADD COLUMN anchor text NOT NULL DEFAULT ''")


def downgrade() -> None:
    op.execute("ALTER TABLE user_file_units DROP COLUMN anchor")
