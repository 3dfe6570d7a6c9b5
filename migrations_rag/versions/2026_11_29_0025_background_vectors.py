"""Vectors that one process makes in the background, and chunks that have none for good."""

from alembic import op

revision = "rag_0025"
down_revision = "rag_0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE rag_vector_spaces ADD COLUMN filler text, ADD filled_until timestamptz")
    op.execute(
        """
        CREATE TABLE rag_refused_chunks (
            chunk_id text NOT NULL REFERENCES rag_chunks (id) ON DELETE CASCADE,
            model text NOT NULL,
            dimensions integer NOT NULL,
            reason text NOT NULL,
            refused_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (chunk_id, model, dimensions)
        )
        """
    )
    for name, comment in (
        (
            "COLUMN rag_vector_spaces.filler",
            "The process that makes missing vectors in the background",
        ),
        (
            "COLUMN rag_vector_spaces.filled_until",
            "When another process may take this over unless it is renewed",
        ),
        ("TABLE rag_refused_chunks", "Chunks that a model cannot embed, so that words find them"),
    ):
        op.execute(f"COMMENT ON {name} IS '{comment}'")


def downgrade() -> None:
    op.execute("DROP TABLE rag_refused_chunks")
    op.execute("ALTER TABLE rag_vector_spaces DROP COLUMN filler, DROP COLUMN filled_until")
