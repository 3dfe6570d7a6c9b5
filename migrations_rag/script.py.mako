"""${message}."""

from alembic import op

revision = "${up_revision}"
down_revision = ${'"%s"' % down_revision if down_revision else None}
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("")


def downgrade() -> None:
    op.execute("")
