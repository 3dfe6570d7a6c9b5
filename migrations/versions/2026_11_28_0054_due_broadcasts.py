"""Broadcasts that are under way are due work, whose time paces their copies."""

from alembic import op

revision = "app_0054"
down_revision = "app_0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    INSERT INTO due_work (kind, key, added_at, due_at)
    SELECT 'broadcast', id, created_at, next_at FROM broadcasts WHERE reported_at IS NULL
    """)
    op.execute("DROP INDEX broadcasts_open_idx")
    op.execute("ALTER TABLE broadcasts DROP COLUMN next_at")


def downgrade() -> None:
    op.execute(
        "ALTER TABLE broadcasts ADD COLUMN next_at timestamptz NOT NULL DEFAULT clock_timestamp()"
    )
    op.execute("COMMENT ON COLUMN broadcasts.next_at IS 'When any process may send the next copy'")
    op.execute("CREATE INDEX broadcasts_open_idx ON broadcasts (next_at) WHERE reported_at IS NULL")
    op.execute("DELETE FROM due_work WHERE kind = 'broadcast'")
