"""User settings, who is let in, and questions that wait for a yes."""

from alembic import op

revision = "app_0007"
down_revision = "app_0006"
branch_labels = None
depends_on = None

_UPGRADE = (
    "ALTER TABLE users ADD COLUMN locale text, ADD COLUMN fresh_from bigint NOT NULL DEFAULT 0",
    "COMMENT ON COLUMN users.locale IS 'Chosen with /language; null: as Telegram says'",
    """
    COMMENT ON COLUMN users.fresh_from IS
        'The update of the last /new: later turns know nothing of what was said before'
    """,
    """
    CREATE TABLE access_list (
        telegram_user_id bigint PRIMARY KEY,
        is_allowed boolean NOT NULL,
        changed_by bigint,
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    CREATE TABLE confirmations (
        token text PRIMARY KEY,
        user_id bigint NOT NULL,
        subject text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    "CREATE INDEX confirmations_user_id_idx ON confirmations (user_id)",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE confirmations, access_list")
    op.execute("ALTER TABLE users DROP COLUMN locale, DROP COLUMN fresh_from")
