"""The language in which a user wrote last."""

from alembic import op

revision = "app_0036"
down_revision = "app_0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE users ADD spoken_locale text")


def downgrade() -> None:
    op.execute("ALTER TABLE users DROP spoken_locale")
