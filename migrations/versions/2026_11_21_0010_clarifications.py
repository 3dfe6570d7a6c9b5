"""Questions that the bot asked back: whose answer is awaited, and who gave it."""

from alembic import op

revision = "app_0010"
down_revision = "app_0009"
branch_labels = None
depends_on = None

_CLARIFICATIONS = """
CREATE TABLE clarifications (
    thread_id text PRIMARY KEY,
    request_id text NOT NULL,
    revision bigint NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    answered_by text,
    cancelled_at timestamptz
)
"""


def upgrade() -> None:
    op.execute(_CLARIFICATIONS)


def downgrade() -> None:
    op.execute("DROP TABLE clarifications")
