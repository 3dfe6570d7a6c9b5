"""Due work is searched for by kind, and what is held by its lease, however much is to come."""

from alembic import op

revision = "app_0070"
down_revision = "app_0069"
branch_labels = None
depends_on = None

UPGRADE = (
    "DROP INDEX due_work_due_idx",
    "CREATE INDEX due_work_kind_idx ON due_work (kind, due_at) WHERE set_aside_at IS NULL",
    "CREATE INDEX due_work_lease_idx ON due_work (lease_until) WHERE lease_until IS NOT NULL",
)
DOWNGRADE = (
    "DROP INDEX due_work_lease_idx",
    "DROP INDEX due_work_kind_idx",
    "CREATE INDEX due_work_due_idx ON due_work (due_at) WHERE set_aside_at IS NULL",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
