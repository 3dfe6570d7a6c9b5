"""Attempts in a process of their own, and those that ended it while its parent lived."""

from alembic import op

revision = "app_0050"
down_revision = "app_0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE attempts ADD COLUMN launch bigint, "
        "ADD COLUMN ended_alone boolean NOT NULL DEFAULT false"
    )


def downgrade() -> None:
    op.execute("ALTER TABLE attempts DROP COLUMN launch, DROP COLUMN ended_alone")
