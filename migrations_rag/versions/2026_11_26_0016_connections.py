"""Services that sources are read from, their entries, and the clocks of all sources."""

from alembic import op

revision = "rag_0016"
down_revision = "rag_0015"
branch_labels = None
depends_on = None

_TYPES = "'page', 'url-list', 'sitemap', 'file', 'folder', 'user-file'"
_UPGRADE = (
    f"""
    ALTER TABLE rag_sources DROP CONSTRAINT rag_sources_type_check,
        ADD CONSTRAINT rag_sources_type_check CHECK (type IN ({_TYPES}, 'connected'))
    """,
    """
    CREATE TABLE rag_connections (
        source_id text PRIMARY KEY REFERENCES rag_sources ON DELETE CASCADE,
        kind text NOT NULL,
        config jsonb NOT NULL,
        secret bytea,
        cursor text NOT NULL DEFAULT '',
        listing integer NOT NULL DEFAULT 0,
        is_whole boolean NOT NULL DEFAULT false,
        whole_at timestamptz
    )
    """,
    "COMMENT ON TABLE rag_connections IS 'Services that connected sources are read from'",
    "COMMENT ON COLUMN rag_connections.secret IS 'Sealed with CREDENTIALS_KEY; NULL: none needed'",
    "COMMENT ON COLUMN rag_connections.cursor IS 'Where the next listing goes on; empty: all anew'",
    """
    COMMENT ON COLUMN rag_connections.is_whole IS
        'Whether a listing of everything is under way; entries of earlier ones are gone at its end'
    """,
    """
    CREATE TABLE rag_entries (
        source_id text NOT NULL REFERENCES rag_connections ON DELETE CASCADE,
        key text NOT NULL,
        url text NOT NULL,
        version text NOT NULL,
        place text NOT NULL,
        listing integer NOT NULL,
        problem text,
        tried_at timestamptz,
        PRIMARY KEY (source_id, key)
    )
    """,
    "CREATE INDEX rag_entries_url ON rag_entries (source_id, url)",
    "COMMENT ON TABLE rag_entries IS 'Documents that a service says it has'",
    "COMMENT ON COLUMN rag_entries.problem IS 'Why this version could not be read, at tried_at'",
    """
    CREATE TABLE rag_clocks (
        source_id text NOT NULL REFERENCES rag_sources ON DELETE CASCADE,
        job text NOT NULL CHECK (job IN ('content', 'rights', 'watch')),
        every text NOT NULL,
        next_at timestamptz DEFAULT now(),
        leased_until timestamptz,
        fence integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        problem text NOT NULL DEFAULT '',
        is_refused boolean NOT NULL DEFAULT false,
        told text NOT NULL DEFAULT '',
        done_at timestamptz,
        PRIMARY KEY (source_id, job)
    )
    """,
    "COMMENT ON TABLE rag_clocks IS 'When workers read a source, and who may read it, again'",
    "COMMENT ON COLUMN rag_clocks.every IS 'Seconds, or five fields of cron; empty: when asked'",
    "COMMENT ON COLUMN rag_clocks.next_at IS 'NULL: when asked; a worker that begins empties it'",
    "COMMENT ON COLUMN rag_clocks.told IS 'The problem that the operator was told of'",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DELETE FROM rag_sources WHERE type = 'connected'")
    for table in ("rag_clocks", "rag_entries", "rag_connections"):
        op.execute(f"DROP TABLE {table}")
    op.execute(f"""
        ALTER TABLE rag_sources DROP CONSTRAINT rag_sources_type_check,
            ADD CONSTRAINT rag_sources_type_check CHECK (type IN ({_TYPES}))
    """)
