"""A decision is found by its request alone, as `rich-agent trace` looks for it."""

from alembic import op

revision = "rag_0007"
down_revision = "rag_0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE INDEX retrieval_decisions_request_idx ON retrieval_decisions (request_id)")


def downgrade() -> None:
    op.execute("DROP INDEX retrieval_decisions_request_idx")
