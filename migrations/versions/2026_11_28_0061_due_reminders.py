"""Reminders are due work. A trigger keeps both alike, whichever statement changes a reminder.

A program of an earlier version does not run on these tables: it would fire reminders by itself.
"""

from alembic import op

revision = "app_0061"
down_revision = "app_0060"
branch_labels = None
depends_on = None

UPGRADE = (
    """
    CREATE FUNCTION keep_reminder_due() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER keep_reminder_due AFTER INSERT OR DELETE OR UPDATE OF next_at, status
    ON schedules FOR EACH ROW EXECUTE FUNCTION keep_reminder_due()
    """,
    """
    INSERT INTO due_work (kind, key, user_id, due_at)
    SELECT 'reminders', id::text, user_id, next_at FROM schedules
    WHERE status = 'active' AND next_at IS NOT NULL
    """,
)
DOWNGRADE = (
    "DROP TRIGGER keep_reminder_due ON schedules",
    "DROP FUNCTION keep_reminder_due",
    "DELETE FROM due_work WHERE kind = 'reminders'",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
