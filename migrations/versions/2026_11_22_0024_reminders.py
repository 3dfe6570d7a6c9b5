"""Reminders: when they are due, each time that they were, and the hours in which none is sent."""

from alembic import op

revision = "app_0024"
down_revision = "app_0023"
branch_labels = None
depends_on = None

_UPGRADE = (
    # The bot's own updates are handed out in the order of their numbers: the oldest first.
    """
    CREATE SEQUENCE internal_update_numbers
        MINVALUE -4503599627370496 START -4503599627370496 MAXVALUE -1000000000000 NO CYCLE
    """,
    """
    ALTER TABLE approval_notices
        ALTER COLUMN update_id SET DEFAULT nextval('internal_update_numbers')
    """,
    "DROP SEQUENCE approval_notice_numbers",
    """
    CREATE TABLE schedules (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        text text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('reminder', 'prompt', 'digest')),
        local_start timestamp NOT NULL,
        tz text NOT NULL,
        rrule text NOT NULL DEFAULT '',
        local_next timestamp,
        snoozed_until timestamptz,
        next_at timestamptz,
        status text NOT NULL DEFAULT 'active' CHECK (status IN
            ('active', 'paused', 'done', 'cancelled', 'failed')),
        fired_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    "COMMENT ON COLUMN schedules.local_next IS 'What clocks in tz show at the next time by rrule'",
    "CREATE INDEX schedules_due_idx ON schedules (next_at) WHERE status = 'active'",
    "CREATE INDEX schedules_user_idx ON schedules (user_id, next_at)",
    """
    CREATE UNIQUE INDEX schedules_digest_idx ON schedules (user_id)
        WHERE kind = 'digest' AND status IN ('active', 'paused')
    """,
    """
    CREATE TABLE schedule_firings (
        schedule_id bigint NOT NULL REFERENCES schedules ON DELETE CASCADE,
        occurrence timestamptz NOT NULL,
        state text NOT NULL CHECK (state IN ('queued', 'sent', 'missed', 'dropped', 'failed')),
        due_at timestamptz NOT NULL,
        update_id bigint UNIQUE DEFAULT nextval('internal_update_numbers'),
        message_id bigint,
        fired_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        sent_at timestamptz,
        error text NOT NULL DEFAULT '',
        PRIMARY KEY (schedule_id, occurrence),
        CHECK (state <> 'sent' OR message_id IS NOT NULL)
    )
    """,
    "CREATE INDEX schedule_firings_fired_idx ON schedule_firings (fired_at)",
    "ALTER TABLE users ADD COLUMN quiet_from time, ADD COLUMN quiet_until time",
)
_DOWNGRADE = (
    "ALTER TABLE users DROP COLUMN quiet_from, DROP COLUMN quiet_until",
    "DROP TABLE schedule_firings",
    "DROP TABLE schedules",
    "CREATE SEQUENCE approval_notice_numbers START 1000000000000",
    """
    ALTER TABLE approval_notices
        ALTER COLUMN update_id SET DEFAULT -nextval('approval_notice_numbers')
    """,
    "DROP SEQUENCE internal_update_numbers",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in _DOWNGRADE:
        op.execute(statement)
