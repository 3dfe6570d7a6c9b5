"""Tokens of programs belong to a feature, which makes their table itself."""

import json
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

revision = "app_0072"
down_revision = "app_0071"
branch_labels = None
depends_on = None

DECLARATIONS = "cc8a456836eb"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""
_RECORD = sa.text("""
INSERT INTO user_tables (name, feature, place, key, declaration)
VALUES ('api_tokens', :feature, :place, '{id}', CAST(:declaration AS jsonb))
ON CONFLICT (name) DO UPDATE SET feature = excluded.feature, place = excluded.place,
    key = excluded.key, declaration = excluded.declaration
""")
_DECLARATION: Mapping[str, object] = {
    "user": "user_id",
    "age": ["revoked_at", "expires_at"],
    "kept": "operations",
    "exported": ["name", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at"],
}


def upgrade() -> None:
    # Programs stay signed in; the table stays, too, where the feature is switched off.
    op.execute("LOCK TABLE api_tokens IN ACCESS EXCLUSIVE MODE")
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT FROM api_tokens)")):
        _record("tokens", 0)
    else:
        op.execute("DROP TABLE api_tokens")
        op.execute("DELETE FROM user_tables WHERE name = 'api_tokens'")


def _record(feature: str, place: int) -> None:
    values = {"feature": feature, "place": place, "declaration": json.dumps(_DECLARATION)}
    op.get_bind().execute(_RECORD, values)


def downgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS api_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        token_hash bytea NOT NULL UNIQUE,
        user_id bigint NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_used_at timestamptz,
        expires_at timestamptz,
        revoked_at timestamptz
    )
    """)
    op.execute("CREATE INDEX IF NOT EXISTS api_tokens_of_user ON api_tokens (user_id)")
    _record("core", 10_000)
    op.execute("DROP TABLE IF EXISTS alembic_version_tokens")
