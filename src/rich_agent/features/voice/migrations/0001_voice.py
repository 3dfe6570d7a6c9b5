"""Tables as the core had them: rows of before stay."""

from alembic import op

revision = "voice_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS heard_recordings (
        user_id bigint NOT NULL,
        sha256 text NOT NULL,
        model text NOT NULL,
        unique_id text NOT NULL,
        words text NOT NULL,
        heard_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (user_id, sha256, model)
    )
    """)
    op.execute(
        "CREATE INDEX IF NOT EXISTS heard_recordings_user_idx "
        "ON heard_recordings (user_id, unique_id)"
    )
    op.execute(
        "CREATE INDEX IF NOT EXISTS heard_recordings_heard_at_idx ON heard_recordings (heard_at)"
    )
    op.execute("""
    CREATE TABLE IF NOT EXISTS voice_choices (
        user_id bigint PRIMARY KEY,
        speech text NOT NULL CONSTRAINT voice_choices_speech_check
            CHECK (speech IN ('off', 'in_kind', 'always'))
    )
    """)
