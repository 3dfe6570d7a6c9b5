"""The outcome of each source's last sync, the process that syncs, and files that were uploaded."""

from alembic import op

revision = "rag_0028"
down_revision = "rag_0027"
branch_labels = None
depends_on = None

_TYPES = "'page', 'url-list', 'sitemap', 'file', 'folder', 'user-file', 'connected'"
_COMMENTS = {
    "COLUMN rag_sources.last_sync": "What its last sync changed, and what failed or was not read",
    "COLUMN rag_sync_runs.source_id": "The source that is being read now",
    "COLUMN rag_sync_runs.runner": "The machine and the process that sync",
    "COLUMN rag_sync_runs.failed": "How many documents of the source have failed so far",
    "COLUMN rag_sync_runs.last_failure": "The address and the reason of the latest failure",
    "TABLE rag_uploads": "Files that operators uploaded, which sources of the type upload have",
    "COLUMN rag_uploads.sha256": "SHA-256 of the bytes, in hexadecimal digits",
}


# What a person sees in a document and was not read.
_UNREAD = """'$.keyvalue() ?(!(@."key" starts with "hidden_") && @."value"[0] > @."value"[1])'"""
_HAS_UNREAD = f"jsonb_path_exists(inventory, {_UNREAD})"
_INDEXES = (
    "rag_sources_named ON rag_sources (lower(name), id) WHERE status <> 'private'",
    "rag_documents_failed ON rag_documents (source_id, url) WHERE last_error IS NOT NULL",
    "rag_documents_empty ON rag_documents (source_id, url) WHERE chunk_count = 0",
    f"rag_documents_unread ON rag_documents (source_id, url) WHERE {_HAS_UNREAD}",
)


def _set_types(types: str) -> None:
    op.execute("ALTER TABLE rag_sources DROP CONSTRAINT rag_sources_type_check")
    op.execute(
        f"ALTER TABLE rag_sources ADD CONSTRAINT rag_sources_type_check CHECK (type IN ({types}))"
    )


def upgrade() -> None:
    op.execute("ALTER TABLE rag_sources ADD COLUMN last_sync jsonb NOT NULL DEFAULT '{}'")
    op.execute(
        """
        ALTER TABLE rag_sync_runs ADD COLUMN source_id text,
            ADD COLUMN runner text NOT NULL DEFAULT '',
            ADD COLUMN failed integer NOT NULL DEFAULT 0,
            ADD COLUMN last_failure text NOT NULL DEFAULT ''
        """
    )
    op.execute(
        """
        CREATE TABLE rag_uploads (
            source_id text NOT NULL REFERENCES rag_sources (id) ON DELETE CASCADE,
            name text NOT NULL,
            data bytea NOT NULL,
            size_bytes integer NOT NULL,
            sha256 text NOT NULL,
            uploaded_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (source_id, name)
        )
        """
    )
    # Most files are compressed already.
    op.execute("ALTER TABLE rag_uploads ALTER COLUMN data SET STORAGE EXTERNAL")
    _set_types(f"{_TYPES}, 'upload'")
    for index in _INDEXES:
        op.execute(f"CREATE INDEX {index}")
    for name, comment in _COMMENTS.items():
        op.execute(f"COMMENT ON {name} IS '{comment}'")


def downgrade() -> None:
    for index in _INDEXES:
        op.execute(f"DROP INDEX {index.partition(' ')[0]}")
    op.execute("DELETE FROM rag_sources WHERE type = 'upload'")
    _set_types(_TYPES)
    op.execute("DROP TABLE rag_uploads")
    op.execute(
        """
        ALTER TABLE rag_sync_runs DROP COLUMN source_id, DROP COLUMN runner, DROP COLUMN failed,
            DROP COLUMN last_failure
        """
    )
    op.execute("ALTER TABLE rag_sources DROP COLUMN last_sync")
