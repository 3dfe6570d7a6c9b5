"""Inventories of documents and files, of which the pages without text are a part.

Programs of before read the column of these pages, so a later migration takes it away.
"""

from alembic import op

revision = "rag_0023"
down_revision = "rag_0022"
branch_labels = None
depends_on = None

_COMMENT = "What it holds besides its text, by kind: how many parts, and how many were read"
_OF_BEFORE = "Read by the programs of before; the inventory has the pages without text"


def upgrade() -> None:
    for table in ("rag_documents", "user_files"):
        op.execute(f"ALTER TABLE {table} ADD COLUMN inventory jsonb NOT NULL DEFAULT '{{}}'")
        op.execute(f"COMMENT ON COLUMN {table}.inventory IS '{_COMMENT}'")
    op.execute(
        """
        UPDATE user_files SET inventory = jsonb_build_object('page', jsonb_build_array(
            unread_pages, 0
        )) WHERE unread_pages > 0
        """
    )
    op.execute(f"COMMENT ON COLUMN user_files.unread_pages IS '{_OF_BEFORE}'")


def downgrade() -> None:
    op.execute("COMMENT ON COLUMN user_files.unread_pages IS NULL")
    op.execute(
        """
        UPDATE user_files SET unread_pages =
            (inventory->'page'->>0)::integer - (inventory->'page'->>1)::integer
        WHERE inventory ? 'page'
        """
    )
    for table in ("user_files", "rag_documents"):
        op.execute(f"ALTER TABLE {table} DROP COLUMN inventory")
