"""The operator: whom a bot without named users belongs to."""

from alembic import op

revision = "app_0041"
down_revision = "app_0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE operator (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        code text NOT NULL,
        telegram_user_id bigint,
        bound_at timestamptz
    )
    """)


def downgrade() -> None:
    op.execute("DROP TABLE operator")
