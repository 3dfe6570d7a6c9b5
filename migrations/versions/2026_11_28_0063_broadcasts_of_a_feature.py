"""Broadcasts belong to a feature; the outbox itself knows the messages that answer nothing."""

import json
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

revision = "app_0063"
down_revision = "app_0062"
branch_labels = None
depends_on = None

DECLARATIONS = "64ba7af2f720"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""
_RECORD = sa.text("""
INSERT INTO user_tables (name, feature, place, key, declaration)
VALUES (:name, :feature, :place, :key, CAST(:declaration AS jsonb))
ON CONFLICT (name) DO UPDATE SET feature = excluded.feature, place = excluded.place,
    key = excluded.key, declaration = excluded.declaration
""")
_DECLARATIONS: Mapping[str, tuple[list[str], Mapping[str, object]]] = {
    "broadcasts": (["id"], {"user": "admin_id", "age": "created_at", "kept": "operations"}),
    "broadcast_recipients": (
        ["broadcast_id", "user_id"],
        {"user": "user_id", "parent": "broadcasts", "kept": "for good"},
    ),
}
# So that no copy counts as a lost part of an answer that is under way.
_CARRY_OVER = """
INSERT INTO telegram_outbox (update_id, part, chat_id, state, message_id, created_at, updated_at)
SELECT nextval('internal_update_numbers'), 1, user_id, 'sent', message_id, changed_at, changed_at
FROM broadcast_recipients
WHERE message_id IS NOT NULL AND changed_at > clock_timestamp() - interval '1 day'
"""


def upgrade() -> None:
    # The feature makes its tables itself; what there is stays, also where it is switched off.
    op.execute("LOCK TABLE broadcasts, broadcast_recipients IN ACCESS EXCLUSIVE MODE")
    op.execute(_CARRY_OVER)
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT FROM broadcasts)")):
        op.execute("ALTER TABLE broadcast_recipients DROP COLUMN message_id")
        _record("broadcast", 0)
    else:
        op.execute("DROP TABLE broadcast_recipients, broadcasts")
        op.execute("DELETE FROM user_tables WHERE name IN ('broadcasts', 'broadcast_recipients')")


def _record(feature: str, first: int) -> None:
    for place, (name, (key, declaration)) in enumerate(_DECLARATIONS.items(), first):
        values = {"name": name, "feature": feature, "place": place, "key": key}
        op.get_bind().execute(_RECORD, {**values, "declaration": json.dumps(declaration)})


def downgrade() -> None:
    op.execute("""
    CREATE TABLE IF NOT EXISTS broadcasts (
        id text PRIMARY KEY,
        admin_id bigint NOT NULL,
        message_id bigint NOT NULL,
        locale text NOT NULL,
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        cancelled_at timestamptz,
        reported_at timestamptz
    )
    """)
    op.execute("""
    CREATE TABLE IF NOT EXISTS broadcast_recipients (
        broadcast_id text NOT NULL REFERENCES broadcasts (id) ON DELETE CASCADE,
        user_id bigint NOT NULL,
        state text NOT NULL DEFAULT 'pending' CONSTRAINT broadcast_recipients_state_check
            CHECK (state IN ('pending', 'sending', 'sent', 'blocked', 'failed', 'unknown')),
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (broadcast_id, user_id)
    )
    """)
    op.execute("ALTER TABLE broadcast_recipients ADD COLUMN message_id bigint")
    op.execute("""
    CREATE INDEX IF NOT EXISTS broadcast_recipients_open_idx
        ON broadcast_recipients (broadcast_id, user_id) WHERE state IN ('pending', 'sending')
    """)
    op.execute(
        "CREATE INDEX IF NOT EXISTS broadcast_recipients_user_idx ON broadcast_recipients (user_id)"
    )
    _record("core", 10_000)
    op.execute("DROP TABLE IF EXISTS alembic_version_broadcast")
