"""The synchronisation of connected task lists is due work."""

from alembic import op

revision = "app_0057"
down_revision = "app_0056"
branch_labels = None
depends_on = None

# An attempt names the row of the work; before, it named the user.
UPGRADE = (
    """
    INSERT INTO due_work
        (kind, key, user_id, added_at, due_at, tries, last_error, set_aside_at)
    SELECT 'task_list', user_id::text, user_id, made_at, coalesce(next_at, clock_timestamp()),
        failures, problem, CASE WHEN EXISTS (
            SELECT FROM attempts
            WHERE kind = 'task_list' AND key = list.user_id AND letter IS NOT NULL
        ) THEN clock_timestamp() END
    FROM caldav_connections AS list WHERE url <> '' ORDER BY list.user_id
    """,
    """
    UPDATE attempts SET key = -work.id FROM due_work AS work
    WHERE work.kind = 'task_list' AND attempts.kind = 'task_list'
        AND work.key = attempts.key::text
    """,
    "DELETE FROM attempts WHERE kind = 'task_list' AND key > 0",
    "UPDATE attempts SET key = -key WHERE kind = 'task_list'",
    "DROP INDEX caldav_connections_due_idx",
    """
    ALTER TABLE caldav_connections DROP COLUMN changes, DROP COLUMN next_at, DROP COLUMN fence,
        DROP COLUMN leased_until, DROP COLUMN failures
    """,
    "DROP SEQUENCE caldav_fences",
)
DOWNGRADE = (
    "CREATE SEQUENCE caldav_fences",
    """
    ALTER TABLE caldav_connections ADD COLUMN changes bigint NOT NULL DEFAULT 0,
        ADD COLUMN next_at timestamptz, ADD COLUMN fence bigint NOT NULL DEFAULT 0,
        ADD COLUMN leased_until timestamptz, ADD COLUMN failures integer NOT NULL DEFAULT 0
    """,
    "COMMENT ON COLUMN caldav_connections.changes IS 'Grows with each change of the user''s tasks'",
    "CREATE INDEX caldav_connections_due_idx ON caldav_connections (next_at)",
    """
    UPDATE caldav_connections SET next_at = due_at, failures = tries FROM due_work AS work
    WHERE work.kind = 'task_list' AND work.key = caldav_connections.user_id::text
    """,
    "UPDATE attempts SET key = user_id WHERE kind = 'task_list'",
    "DELETE FROM due_work WHERE kind = 'task_list'",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
