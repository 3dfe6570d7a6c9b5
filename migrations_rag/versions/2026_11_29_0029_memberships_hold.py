"""Until when a membership counts, where it counts for less than ten minutes after it was told."""

from alembic import op

revision = "rag_0029"
down_revision = "rag_0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE rag_memberships ADD COLUMN holds_until timestamptz")
    op.execute(
        "COMMENT ON COLUMN rag_memberships.holds_until IS "
        "'Until when it counts at most; NULL: as long as checked_at says'"
    )


def downgrade() -> None:
    op.execute("ALTER TABLE rag_memberships DROP COLUMN holds_until")
