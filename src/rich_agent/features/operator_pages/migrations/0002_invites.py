"""Invitations to use the bot: links that work once."""

from alembic import op

revision = "operator_pages_0002"
down_revision = "operator_pages_0001"


def upgrade() -> None:
    op.execute("""
    CREATE TABLE operator_invites (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        code_hash bytea NOT NULL UNIQUE,
        role text,
        made_by bigint NOT NULL,
        made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        used_by bigint,
        used_at timestamptz,
        CONSTRAINT operator_invites_role_check
            CHECK (role IN ('owner', 'operator', 'viewer', 'author'))
    )
    """)
