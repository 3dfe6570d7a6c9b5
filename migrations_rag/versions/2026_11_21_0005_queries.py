"""The parts of a compound question, each of which was searched for."""

from alembic import op

revision = "rag_0005"
down_revision = "rag_0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE retrieval_decisions ADD COLUMN queries text[] NOT NULL DEFAULT '{}'")
    op.execute(
        """
        COMMENT ON COLUMN retrieval_decisions.queries IS
            'Of a compound question, the query for each part; empty otherwise'
        """
    )


def downgrade() -> None:
    op.execute("ALTER TABLE retrieval_decisions DROP COLUMN queries")
