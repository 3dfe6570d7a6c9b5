"""Images that programs send over HTTP, kept so that a later question can look at them again."""

from alembic import op

revision = "app_0028"
down_revision = "app_0027"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE uploads (
        id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
        user_id bigint NOT NULL,
        mime text NOT NULL,
        data bytea NOT NULL,
        uploaded_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    # Images are compressed already.
    "ALTER TABLE uploads ALTER COLUMN data SET STORAGE EXTERNAL",
    "CREATE INDEX uploads_user_idx ON uploads (user_id, uploaded_at)",
    "CREATE INDEX uploads_uploaded_at_idx ON uploads (uploaded_at)",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE uploads")
