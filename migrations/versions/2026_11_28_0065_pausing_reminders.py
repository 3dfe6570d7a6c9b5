"""Reminders of users who block the bot are paused by a trigger, and not by the code of accounts."""

from alembic import op

revision = "app_0065"
down_revision = "app_0064"
branch_labels = None
depends_on = None

DECLARATIONS = "d6833a5e4faa"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""


def upgrade() -> None:
    op.execute("""
    CREATE FUNCTION pause_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
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
    """)
    op.execute("""
    CREATE TRIGGER pause_reminders AFTER UPDATE OF blocked_at ON users FOR EACH ROW
    WHEN (OLD.blocked_at IS NOT NULL OR NEW.blocked_at IS NOT NULL)
    EXECUTE FUNCTION pause_reminders()
    """)


def downgrade() -> None:
    op.execute("DROP TRIGGER pause_reminders ON users")
    op.execute("DROP FUNCTION pause_reminders")
