"""Hooks: services that say when something of a source has changed."""

from alembic import op

revision = "rag_0017"
down_revision = "rag_0016"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE rag_hooks (
        source_id text PRIMARY KEY REFERENCES rag_sources ON DELETE CASCADE,
        secret bytea NOT NULL,
        last_event_at timestamptz
    )
    """,
    "COMMENT ON TABLE rag_hooks IS 'Sources whose services post events, and their secrets'",
    "COMMENT ON COLUMN rag_hooks.secret IS 'Sealed with CREDENTIALS_KEY'",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE rag_hooks")
