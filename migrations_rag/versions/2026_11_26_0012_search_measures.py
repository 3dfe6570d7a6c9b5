"""The sizes of sources, and how widely the index of vectors is searched, as last measured."""

from alembic import op

revision = "rag_0012"
down_revision = "rag_0011"
branch_labels = None
depends_on = None

_UPGRADE = (
    "ALTER TABLE rag_sources ADD COLUMN chunks integer NOT NULL DEFAULT 0",
    "COMMENT ON COLUMN rag_sources.chunks IS 'The number of its chunks, as last measured'",
    """
    UPDATE rag_sources AS source SET chunks = counted.chunks
    FROM (SELECT source_id, count(*) AS chunks FROM rag_chunks GROUP BY source_id) AS counted
    WHERE counted.source_id = source.id
    """,
    """
    ALTER TABLE rag_vector_spaces
        ADD COLUMN ef_search integer,
        ADD COLUMN measured_vectors integer NOT NULL DEFAULT 0
    """,
    """
    COMMENT ON COLUMN rag_vector_spaces.ef_search IS
        'How many vectors a search of its HNSW index keeps in view; NULL: there is no index'
    """,
    """
    COMMENT ON COLUMN rag_vector_spaces.measured_vectors IS
        'About how many vectors the space had when ef_search was measured; 0: it was not'
    """,
    # As every search did before; the next sync measures it.
    """
    UPDATE rag_vector_spaces SET ef_search = 300 WHERE to_regclass('rag_embeddings_hnsw_' || left(
        encode(sha256(convert_to(model || E'\\n' || dimensions, 'UTF8')), 'hex'), 8)) IS NOT NULL
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("ALTER TABLE rag_sources DROP COLUMN chunks")
    op.execute("""
        ALTER TABLE rag_vector_spaces DROP COLUMN ef_search, DROP COLUMN measured_vectors
    """)
