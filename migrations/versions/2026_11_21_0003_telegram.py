"""Telegram: durable inbox, one lane for each user with work, and what was sent in answer."""

from alembic import op

revision = "app_0003"
down_revision = "app_0002"
branch_labels = None
depends_on = None

_INBOX = """
CREATE TABLE telegram_inbox (
    update_id bigint PRIMARY KEY,
    user_id bigint NOT NULL,
    urgent boolean NOT NULL,
    raw bytea NOT NULL,
    media_group_id text,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    done_at timestamptz,
    dead_at timestamptz
)
"""
_LANES = """
CREATE TABLE telegram_lanes (
    user_id bigint NOT NULL,
    urgent boolean NOT NULL,
    ready_at timestamptz NOT NULL,
    fence bigint NOT NULL DEFAULT nextval('telegram_lane_fence'),
    PRIMARY KEY (user_id, urgent),
    UNIQUE (fence)
)
"""
_OUTBOX = """
CREATE TABLE telegram_outbox (
    update_id bigint NOT NULL,
    part integer NOT NULL,
    chat_id bigint NOT NULL,
    state text NOT NULL DEFAULT 'sending' CHECK (state IN ('sending', 'sent', 'failed')),
    message_id bigint,
    text text NOT NULL DEFAULT '',
    reason text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (update_id, part)
)
"""


def upgrade() -> None:
    op.execute(_INBOX)
    op.execute(
        "CREATE INDEX telegram_inbox_pending ON telegram_inbox (user_id, urgent, update_id) "
        "WHERE done_at IS NULL"
    )
    op.execute(
        "CREATE INDEX telegram_inbox_done ON telegram_inbox (done_at) WHERE done_at IS NOT NULL"
    )
    op.execute(
        "CREATE INDEX telegram_inbox_dead ON telegram_inbox (dead_at) WHERE dead_at IS NOT NULL"
    )
    # A sequence, so that a lane that comes back never gets a fence that was given out before.
    op.execute("CREATE SEQUENCE telegram_lane_fence")
    op.execute(_LANES)
    op.execute("CREATE INDEX telegram_lanes_ready ON telegram_lanes (ready_at)")
    op.execute(_OUTBOX)
    op.execute("CREATE INDEX telegram_outbox_chat ON telegram_outbox (chat_id)")
    op.execute("CREATE INDEX telegram_outbox_created ON telegram_outbox (created_at)")


def downgrade() -> None:
    op.execute("DROP TABLE telegram_outbox")
    op.execute("DROP TABLE telegram_lanes")
    op.execute("DROP SEQUENCE telegram_lane_fence")
    op.execute("DROP TABLE telegram_inbox")
