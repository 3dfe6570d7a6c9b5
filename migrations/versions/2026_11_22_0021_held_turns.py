"""Inbox: turns that wait for a busy model server; and when admins were last told of a trouble."""

from alembic import op

revision = "app_0021"
down_revision = "app_0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE telegram_inbox ADD holds integer NOT NULL DEFAULT 0, "
        "ADD held_since timestamptz, ADD held_until timestamptz"
    )
    op.execute("""
        CREATE TABLE admin_alerts (
            cause text PRIMARY KEY,
            told_at timestamptz NOT NULL
        )
    """)


def downgrade() -> None:
    op.execute("DROP TABLE admin_alerts")
    op.execute("ALTER TABLE telegram_inbox DROP holds, DROP held_since, DROP held_until")
