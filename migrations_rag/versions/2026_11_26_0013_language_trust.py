"""The languages of the documents that the model of a space knows, as a sync has learned it."""

from alembic import op

revision = "rag_0013"
down_revision = "rag_0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        ALTER TABLE rag_vector_spaces ADD COLUMN trust jsonb, ADD COLUMN trusted_at timestamptz
    """)
    op.execute("""
        COMMENT ON COLUMN rag_vector_spaces.trust IS
            'How well the model knows each language of the documents; NULL: not measured yet'
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE rag_vector_spaces DROP COLUMN trust, DROP COLUMN trusted_at")
