"""Columns of the tables in a user's file, so that a query over them can be written."""

from alembic import op

revision = "rag_0009"
down_revision = "rag_0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE user_files ADD COLUMN tables jsonb NOT NULL DEFAULT '[]'")
    op.execute("""
        COMMENT ON COLUMN user_files.tables IS
            'Columns, size, first and last rows of each table in the file'
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE user_files DROP COLUMN tables")
