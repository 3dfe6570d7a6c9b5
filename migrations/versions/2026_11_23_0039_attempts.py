"""Attempts at work, each counted before it begins."""

from alembic import op

revision = "app_0039"
down_revision = "app_0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE attempts (
        kind text NOT NULL,
        key bigint NOT NULL,
        holder integer NOT NULL,
        user_id bigint NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        letter bigint,
        PRIMARY KEY (kind, key, holder)
    )
    """)
    op.execute("CREATE INDEX attempts_user_id ON attempts (user_id)")
    op.execute("CREATE INDEX attempts_letter ON attempts (letter) WHERE letter IS NOT NULL")


def downgrade() -> None:
    op.execute("DROP TABLE attempts")
