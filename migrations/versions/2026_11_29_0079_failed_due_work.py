"""Due work that failed is found without reading all of it."""

from alembic import op

revision = "app_0079"
down_revision = "app_0078"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "CREATE INDEX due_work_failed_idx ON due_work ((set_aside_at IS NULL), due_at, id) "
        "WHERE set_aside_at IS NOT NULL OR last_error <> ''"
    )


def downgrade() -> None:
    op.execute("DROP INDEX due_work_failed_idx")
