"""Words heard in recordings, seconds of sound that count, and whether a user is spoken to."""

from alembic import op

revision = "app_0034"
down_revision = "app_0033"
branch_labels = None
depends_on = None

_KINDS = "ALTER TABLE usage_days DROP CONSTRAINT usage_days_kind_check, ADD CHECK (kind IN ({}))"
_BEFORE = "'text', 'vision', 'embedding', 'search', 'tool'"


def upgrade() -> None:
    op.execute("""
    CREATE TABLE heard_recordings (
        user_id bigint NOT NULL,
        sha256 text NOT NULL,
        model text NOT NULL,
        unique_id text NOT NULL,
        words text NOT NULL,
        heard_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (user_id, sha256, model)
    )
    """)
    op.execute("CREATE INDEX heard_recordings_user_idx ON heard_recordings (user_id, unique_id)")
    op.execute("CREATE INDEX heard_recordings_heard_at_idx ON heard_recordings (heard_at)")
    for table in ("usage_days", "usage_reservations"):
        op.execute(f"ALTER TABLE {table} ADD audio_seconds integer NOT NULL DEFAULT 0")
    op.execute("ALTER TABLE usage_forgotten ADD audio_seconds bigint NOT NULL DEFAULT 0")
    op.execute(_KINDS.format(f"{_BEFORE}, 'hearing', 'speech'"))
    op.execute("ALTER TABLE users ADD speech text CHECK (speech IN ('off', 'in_kind', 'always'))")


def downgrade() -> None:
    op.execute("ALTER TABLE users DROP speech")
    op.execute("DELETE FROM usage_days WHERE kind IN ('hearing', 'speech')")
    op.execute(_KINDS.format(_BEFORE))
    for table in ("usage_days", "usage_reservations", "usage_forgotten"):
        op.execute(f"ALTER TABLE {table} DROP audio_seconds")
    op.execute("DROP TABLE heard_recordings")
