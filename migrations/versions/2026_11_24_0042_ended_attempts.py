"""Attempts that ended their process, as those who look judged it."""

from alembic import op

revision = "app_0042"
down_revision = "app_0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE attempts ADD COLUMN has_ended boolean NOT NULL DEFAULT false")
    op.execute("UPDATE attempts SET has_ended = true WHERE letter IS NOT NULL")
    op.execute("CREATE INDEX attempts_under_way ON attempts (holder) WHERE NOT has_ended")


def downgrade() -> None:
    op.execute("ALTER TABLE attempts DROP COLUMN has_ended")
