"""Sessions of browsers and login codes belong to a feature, which makes their tables itself."""

import json
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

revision = "app_0067"
down_revision = "app_0066"
branch_labels = None
depends_on = None

DECLARATIONS = "792a7325d7cb"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""
_RECORD = sa.text("""
INSERT INTO user_tables (name, feature, place, key, declaration)
VALUES (:name, :feature, :place, :key, CAST(:declaration AS jsonb))
ON CONFLICT (name) DO UPDATE SET feature = excluded.feature, place = excluded.place,
    key = excluded.key, declaration = excluded.declaration
""")
_SESSIONS = {
    "user": "user_id",
    "age": "expires_at",
    "kept": "operations",
    "exported": ["created_at", "last_used_at", "expires_at"],
}
_CODES = {"user": "user_id", "age": "expires_at", "kept": "operations"}
_TABLES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "web_sessions": ("id", _SESSIONS),
    "web_login_codes": ("user_id", _CODES),
}


def upgrade() -> None:
    # Browsers stay signed in; the tables stay, too, where the feature is switched off.
    for place, (name, (key, declaration)) in enumerate(_TABLES.items()):
        op.execute(f"LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE")
        if op.get_bind().scalar(sa.text(f"SELECT EXISTS (SELECT FROM {name})")):
            _record(name, "web_chat", place, key, declaration)
        else:
            op.execute(f"DROP TABLE {name}")
            op.execute(f"DELETE FROM user_tables WHERE name = '{name}'")


def _record(
    name: str, feature: str, place: int, key: str, declaration: Mapping[str, object]
) -> None:
    values = {
        "name": name,
        "feature": feature,
        "place": place,
        "key": [key],
        "declaration": json.dumps(declaration),
    }
    op.get_bind().execute(_RECORD, values)


def downgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS web_sessions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        secret_hash bytea NOT NULL UNIQUE,
        user_id bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL
    )
    """)
    op.execute("CREATE INDEX IF NOT EXISTS web_sessions_of_user ON web_sessions (user_id)")
    op.execute("""
    CREATE TABLE IF NOT EXISTS web_login_codes (
        user_id bigint PRIMARY KEY,
        code_hash bytea NOT NULL UNIQUE,
        expires_at timestamptz NOT NULL
    )
    """)
    for place, (name, (key, declaration)) in enumerate(_TABLES.items()):
        _record(name, "core", 10_000 + place, key, declaration)
    op.execute("DROP TABLE IF EXISTS alembic_version_web_chat")
