"""Pages without text of documents, with what a vision model or OCR read on them."""

from alembic import op

revision = "rag_0024"
down_revision = "rag_0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE rag_scanned_pages (
            source_id text NOT NULL REFERENCES rag_sources (id) ON DELETE CASCADE,
            url text NOT NULL,
            page integer NOT NULL,
            file_hash text NOT NULL,
            reader text NOT NULL DEFAULT '',
            content text NOT NULL DEFAULT '',
            noted_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (source_id, url, page)
        )
        """
    )
    op.execute("CREATE INDEX rag_scanned_pages_file ON rag_scanned_pages (file_hash, page)")
    for name, comment in (
        ("TABLE rag_scanned_pages", "Pages without text of documents, and what was read on them"),
        ("COLUMN rag_scanned_pages.file_hash", "SHA-256 of the bytes of the file"),
        (
            "COLUMN rag_scanned_pages.reader",
            "vision:MODEL or ocr:LANGUAGES, which read the page; empty: nothing has yet",
        ),
    ):
        op.execute(f"COMMENT ON {name} IS '{comment}'")


def downgrade() -> None:
    op.execute("DROP TABLE rag_scanned_pages")
