"""Share of each process in the messages to Telegram in a second."""

from alembic import op

revision = "app_0014"
down_revision = "app_0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE telegram_senders (
        process uuid PRIMARY KEY,
        wanted_per_s double precision NOT NULL,
        share_per_s double precision NOT NULL,
        renewed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """)
    op.execute(
        "COMMENT ON COLUMN telegram_senders.share_per_s IS "
        "'Of all processes together: what Telegram takes from one bot'"
    )


def downgrade() -> None:
    op.execute("DROP TABLE telegram_senders")
