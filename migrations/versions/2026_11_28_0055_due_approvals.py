"""The notices of approvals are due work."""

from alembic import op

revision = "app_0055"
down_revision = "app_0054"
branch_labels = None
depends_on = None

DECLARATIONS = "55e306341c7f"


def upgrade() -> None:
    op.execute("""
    INSERT INTO due_work (kind, key, user_id, added_at)
    SELECT 'approval', id::text, user_id, requested_at FROM approvals
    WHERE settled_at IS NULL OR EXISTS (
        SELECT FROM approval_notices WHERE approval_id = approvals.id AND handed_out_at IS NULL
    )
    """)
    op.execute("DROP INDEX approval_notices_due_idx")


def downgrade() -> None:
    op.execute(
        "CREATE INDEX approval_notices_due_idx ON approval_notices (update_id) "
        "WHERE handed_out_at IS NULL"
    )
    op.execute("DELETE FROM due_work WHERE kind = 'approval'")
