"""Rate that Telegram takes from all processes together, counted message by message."""

from alembic import op

revision = "app_0032"
down_revision = "app_0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DROP TABLE telegram_senders")
    op.execute("""
    CREATE UNLOGGED TABLE telegram_rate (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        whole_at timestamptz NOT NULL
    ) WITH (fillfactor = 10)
    """)


def downgrade() -> None:
    op.execute("DROP TABLE telegram_rate")
    op.execute("""
    CREATE TABLE telegram_senders (
        process uuid PRIMARY KEY,
        wanted_per_s double precision NOT NULL,
        share_per_s double precision NOT NULL,
        renewed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """)
