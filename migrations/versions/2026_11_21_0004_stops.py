"""Stopping an answer: which ones their users want no more of, for whichever process writes them."""

from alembic import op

revision = "app_0004"
down_revision = "app_0003"
branch_labels = None
depends_on = None

_STOPS = """
CREATE TABLE telegram_stops (
    update_id bigint PRIMARY KEY,
    user_id bigint NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp()
)
"""


def upgrade() -> None:
    op.execute(_STOPS)
    op.execute("CREATE INDEX telegram_stops_asked ON telegram_stops (asked_at)")


def downgrade() -> None:
    op.execute("DROP TABLE telegram_stops")
