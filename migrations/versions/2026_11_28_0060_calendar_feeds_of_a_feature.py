"""Feeds of calendars belong to a feature, which makes their table itself."""

import json

import sqlalchemy as sa
from alembic import op

revision = "app_0060"
down_revision = "app_0059"
branch_labels = None
depends_on = None

DECLARATIONS = "af8a05574688"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""
_RECORD = sa.text("""
INSERT INTO user_tables (name, feature, place, key, declaration)
VALUES ('calendar_feeds', :feature, :place, '{user_id}', CAST(:declaration AS jsonb))
ON CONFLICT (name) DO UPDATE SET feature = excluded.feature, place = excluded.place,
    key = excluded.key, declaration = excluded.declaration
""")
_FEEDS = {
    "user": "user_id",
    "kept": "for good",
    "exported": ["made_at"],
    "section": "calendar_feed",
}


def upgrade() -> None:
    # What users have stays, also where the feature is switched off.
    op.execute("LOCK TABLE calendar_feeds IN ACCESS EXCLUSIVE MODE")
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT FROM calendar_feeds)")):
        _record("calendars", 0)
    else:
        op.execute("DROP TABLE calendar_feeds")
        op.execute("DELETE FROM user_tables WHERE name = 'calendar_feeds'")


def _record(feature: str, place: int) -> None:
    values = {"feature": feature, "place": place, "declaration": json.dumps(_FEEDS)}
    op.get_bind().execute(_RECORD, values)


def downgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS calendar_feeds (
        user_id bigint PRIMARY KEY,
        nonce text NOT NULL,
        token_hash bytea NOT NULL UNIQUE,
        made_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """)
    _record("core", 10_000)
    op.execute("DROP TABLE IF EXISTS alembic_version_calendars")
