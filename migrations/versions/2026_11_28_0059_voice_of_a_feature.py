"""Words of recordings, and the choice of answers that are spoken, belong to a feature."""

import json
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

revision = "app_0059"
down_revision = "app_0058"
branch_labels = None
depends_on = None

DECLARATIONS = "19657be2f5a1"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""
_RECORD = sa.text("""
INSERT INTO user_tables (name, feature, place, key, declaration)
VALUES (:name, :feature, :place, :key, CAST(:declaration AS jsonb))
ON CONFLICT (name) DO UPDATE SET feature = excluded.feature, place = excluded.place,
    key = excluded.key, declaration = excluded.declaration
""")
_KEY_OF_HEARD = ["user_id", "sha256", "model"]
_HEARD = {
    "user": "user_id",
    "age": "heard_at",
    "kept": "operations",
    "exported": ["sha256", "model", "words", "heard_at"],
    "section": "recordings",
    "order": "heard_at",
    "is_cache": True,
}
_HEARD_OF_THE_CORE = {**_HEARD, "is_cache": False, "special": ["conversation", "thing"]}
_CHOICES = {"user": "user_id", "kept": "for good", "exported": ["speech"]}


def upgrade() -> None:
    # The feature makes its tables itself; what users have stays, also where it is switched off.
    op.execute("LOCK TABLE heard_recordings IN ACCESS EXCLUSIVE MODE")
    op.execute("LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE")
    if _has_rows("SELECT FROM heard_recordings"):
        _record("heard_recordings", _KEY_OF_HEARD, _HEARD)
    else:
        op.execute("DROP TABLE heard_recordings")
        op.execute("DELETE FROM user_tables WHERE name = 'heard_recordings'")
    if _has_rows("SELECT FROM users WHERE speech IS NOT NULL"):
        op.execute("""
        CREATE TABLE voice_choices (
            user_id bigint PRIMARY KEY,
            speech text NOT NULL CONSTRAINT voice_choices_speech_check
                CHECK (speech IN ('off', 'in_kind', 'always'))
        )
        """)
        op.execute("""
        INSERT INTO voice_choices (user_id, speech)
        SELECT telegram_user_id, speech FROM users WHERE speech IS NOT NULL
        """)
        op.execute("UPDATE users SET speech = NULL WHERE speech IS NOT NULL")
        _record("voice_choices", ["user_id"], _CHOICES)


def _has_rows(query: str) -> bool:
    return bool(op.get_bind().scalar(sa.text(f"SELECT EXISTS ({query})")))


def _record(
    name: str, key: list[str], declaration: Mapping[str, object], *, is_core: bool = False
) -> None:
    values = {
        "name": name,
        "feature": "core" if is_core else "voice",
        "place": 10_000 if is_core else 0,
        "key": key,
        "declaration": json.dumps(declaration),
    }
    op.get_bind().execute(_RECORD, values)


def downgrade() -> None:
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
    _record("heard_recordings", _KEY_OF_HEARD, _HEARD_OF_THE_CORE, is_core=True)
    if op.get_bind().scalar(sa.text("SELECT to_regclass('voice_choices')")):
        op.execute("""
        INSERT INTO users (telegram_user_id, speech) SELECT user_id, speech FROM voice_choices
        ON CONFLICT (telegram_user_id) DO UPDATE SET speech = excluded.speech
        """)
    op.execute("DELETE FROM user_tables WHERE name = 'voice_choices'")
    op.execute("DROP TABLE IF EXISTS voice_choices, alembic_version_voice")
