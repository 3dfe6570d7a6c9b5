"""Reminders belong to a feature, which makes their tables and triggers itself."""

import json
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

revision = "app_0073"
down_revision = "app_0072"
branch_labels = None
depends_on = None

DECLARATIONS = "60b5837118fc"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""
_RECORD = sa.text("""
INSERT INTO user_tables (name, feature, place, key, declaration)
VALUES (:name, :feature, :place, :key, CAST(:declaration AS jsonb))
ON CONFLICT (name) DO UPDATE SET feature = excluded.feature, place = excluded.place,
    key = excluded.key, declaration = excluded.declaration
""")
_EXPORTED = (
    *("id AS schedule_id", "text", "kind", "local_start AS start", "tz AS time_zone"),
    *("rrule", "next_at", "status", "fired_at", "created_at", "origin"),
)
_DECLARATIONS: Mapping[str, tuple[list[str], Mapping[str, object]]] = {
    "schedules": (
        ["id"],
        {
            "user": "user_id",
            "text": ["text"],
            "age": "changed_at",
            "ended": {"status": ["done", "cancelled", "failed"]},
            "kept": "operations",
            "exported": _EXPORTED,
            "formats": {"start": 'YYYY-MM-DD"T"HH24:MI'},
            "section": "reminders",
        },
    ),
    "schedule_firings": (
        ["schedule_id", "occurrence"],
        {"parent": "schedules", "age": "fired_at", "kept": "operations"},
    ),
}
_DROP = (
    "DROP TRIGGER pause_reminders ON users",
    "DROP FUNCTION pause_reminders",
    "DROP TABLE schedule_firings, schedules",
    "DROP FUNCTION keep_reminder_due",
    "DELETE FROM user_tables WHERE name IN ('schedules', 'schedule_firings')",
)
_DOWNGRADE = (
    """
    CREATE TABLE IF NOT EXISTS schedules (
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
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        topic_id bigint,
        origin text NOT NULL DEFAULT 'user'
    )
    """,
    "COMMENT ON COLUMN schedules.local_next IS 'What clocks in tz show at the next time by rrule'",
    "COMMENT ON COLUMN schedules.origin IS 'Who wrote the words, as in domain/words'",
    "CREATE INDEX IF NOT EXISTS schedules_due_idx ON schedules (next_at) WHERE status = 'active'",
    "CREATE INDEX IF NOT EXISTS schedules_user_idx ON schedules (user_id, next_at)",
    """
    CREATE UNIQUE INDEX IF NOT EXISTS schedules_digest_idx ON schedules (user_id)
        WHERE kind = 'digest' AND status IN ('active', 'paused')
    """,
    """
    CREATE TABLE IF NOT EXISTS schedule_firings (
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
    "CREATE INDEX IF NOT EXISTS schedule_firings_fired_idx ON schedule_firings (fired_at)",
    """
    CREATE OR REPLACE FUNCTION keep_reminder_due() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.status = 'active' AND NEW.next_at IS NOT NULL THEN
            INSERT INTO due_work AS known (kind, key, user_id, due_at)
            VALUES ('reminders', NEW.id::text, NEW.user_id, NEW.next_at)
            ON CONFLICT (kind, key) DO UPDATE SET due_at = excluded.due_at,
                version = known.version + 1, tries = 0, last_error = '', set_aside_at = NULL;
            PERFORM pg_notify('due_work', '');
        ELSE
            DELETE FROM due_work
            WHERE kind = 'reminders' AND key = coalesce(NEW.id, OLD.id)::text;
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE OR REPLACE TRIGGER keep_reminder_due
    AFTER INSERT OR DELETE OR UPDATE OF next_at, status
    ON schedules FOR EACH ROW EXECUTE FUNCTION keep_reminder_due()
    """,
    """
    CREATE OR REPLACE FUNCTION pause_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.blocked_at IS NULL THEN
            UPDATE schedules SET status = 'active'
            WHERE user_id = NEW.telegram_user_id AND status = 'paused';
        ELSE
            UPDATE schedules SET status = 'paused'
            WHERE user_id = NEW.telegram_user_id AND status = 'active';
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE OR REPLACE TRIGGER pause_reminders AFTER UPDATE OF blocked_at ON users FOR EACH ROW
    WHEN (OLD.blocked_at IS NOT NULL OR NEW.blocked_at IS NOT NULL)
    EXECUTE FUNCTION pause_reminders()
    """,
    "DROP TABLE IF EXISTS alembic_version_reminder",
)


def upgrade() -> None:
    # What there is stays, also where the feature is switched off.
    op.execute("LOCK TABLE schedules, schedule_firings IN ACCESS EXCLUSIVE MODE")
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT FROM schedules)")):
        _record("reminder", 0)
        return
    for statement in _DROP:
        op.execute(statement)


def _record(feature: str, first: int) -> None:
    for place, (name, (key, declaration)) in enumerate(_DECLARATIONS.items(), first):
        values = {"name": name, "feature": feature, "place": place, "key": key}
        op.get_bind().execute(_RECORD, {**values, "declaration": json.dumps(declaration)})


def downgrade() -> None:
    for statement in _DOWNGRADE:
        op.execute(statement)
    _record("core", 10_000)
