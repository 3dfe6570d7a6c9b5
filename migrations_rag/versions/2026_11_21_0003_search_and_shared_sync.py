"""BM25 weights beside each chunk, vector spaces that are built and switched, shared syncs."""

from alembic import op

revision = "rag_0003"
down_revision = "rag_0002"
branch_labels = None
depends_on = None

_SEARCH = (
    "DROP INDEX rag_chunks_search",
    "ALTER TABLE rag_chunks DROP COLUMN search",
    """
    ALTER TABLE rag_chunks
        ADD COLUMN source_id text,
        ADD COLUMN analysis smallint NOT NULL DEFAULT 0,
        ADD COLUMN length integer NOT NULL DEFAULT 0,
        ADD COLUMN terms integer[] NOT NULL DEFAULT '{}',
        ADD COLUMN impacts sparsevec(1000000000) NOT NULL DEFAULT '{}/1000000000'
    """,
    """
    UPDATE rag_chunks SET source_id = document.source_id
    FROM rag_documents AS document WHERE document.id = document_id
    """,
    "ALTER TABLE rag_chunks ALTER COLUMN source_id SET NOT NULL",
    # What is ranked by is read in line, not through TOAST; it does not compress anyway.
    "ALTER TABLE rag_chunks SET (toast_tuple_target = 8160)",
    "ALTER TABLE rag_chunks ALTER COLUMN terms SET STORAGE MAIN",
    "ALTER TABLE rag_chunks ALTER COLUMN impacts SET STORAGE MAIN",
    "CREATE INDEX rag_chunks_terms ON rag_chunks USING gin (terms)",
    "CREATE INDEX rag_chunks_source ON rag_chunks (source_id)",
    "CREATE INDEX rag_chunks_analysis ON rag_chunks (analysis)",
    """
    COMMENT ON COLUMN rag_chunks.analysis IS
        'The version of the rules that made length, terms and impacts; 0: not made yet'
    """,
    """
    COMMENT ON COLUMN rag_chunks.impacts IS
        'The BM25 weight of each term without its inverse document frequency'
    """,
    "CREATE TABLE rag_terms (term integer PRIMARY KEY, chunks integer NOT NULL)",
    "COMMENT ON TABLE rag_terms IS 'In how many chunks a term stands, as last measured'",
    """
    CREATE TABLE rag_corpus (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        chunks integer NOT NULL DEFAULT 0,
        average_length real NOT NULL DEFAULT 0,
        changes integer NOT NULL DEFAULT 0,
        measured_at timestamptz,
        weighed_to text
    )
    """,
    """
    COMMENT ON COLUMN rag_corpus.average_length IS
        'What the impacts of all chunks are made with; 0: nothing was stored yet'
    """,
    """
    COMMENT ON COLUMN rag_corpus.weighed_to IS
        'While impacts are made again for another average length: the last chunk that has its own'
    """,
    "COMMENT ON COLUMN rag_corpus.changes IS 'Chunks written or removed since it was measured'",
    "INSERT INTO rag_corpus DEFAULT VALUES",
)

_SPACES = (
    """
    CREATE TABLE rag_vector_spaces (
        id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
        model text NOT NULL,
        dimensions integer NOT NULL,
        status text NOT NULL DEFAULT 'building' CHECK (status IN ('building', 'active', 'retired')),
        created_at timestamptz NOT NULL DEFAULT now(),
        switched_at timestamptz,
        PRIMARY KEY (model, dimensions)
    )
    """,
    # Queries are embedded as the one active space says: a new one is built beside it.
    """
    CREATE UNIQUE INDEX rag_vector_spaces_active ON rag_vector_spaces (status)
    WHERE status = 'active'
    """,
    """
    ALTER TABLE rag_embeddings
        ADD COLUMN source_id text,
        ADD COLUMN dimensions integer
    """,
    # Vectors of length 1 are compared by their inner product, which is faster than the cosine.
    """
    UPDATE rag_embeddings SET source_id = chunk.source_id, dimensions = vector_dims(embedding),
        embedding = l2_normalize(embedding)
    FROM rag_chunks AS chunk WHERE chunk.id = chunk_id
    """,
    """
    ALTER TABLE rag_embeddings
        ALTER COLUMN source_id SET NOT NULL,
        ALTER COLUMN dimensions SET NOT NULL,
        DROP CONSTRAINT rag_embeddings_pkey,
        ADD PRIMARY KEY (chunk_id, model, dimensions)
    """,
    "DROP INDEX rag_embeddings_content_hash",
    """
    CREATE INDEX rag_embeddings_content_hash ON rag_embeddings (content_hash, model, dimensions)
    """,
    "CREATE INDEX rag_embeddings_source ON rag_embeddings (source_id)",
    """
    INSERT INTO rag_vector_spaces (model, dimensions, status, switched_at)
    SELECT model, dimensions, 'active', now() FROM rag_embeddings
    GROUP BY model, dimensions ORDER BY count(*) DESC LIMIT 1
    """,
)

_SYNC = (
    """
    ALTER TABLE rag_documents
        ADD COLUMN canonical_url text,
        ADD COLUMN chunk_count integer NOT NULL DEFAULT 0,
        ADD COLUMN space_id integer
    """,
    """
    UPDATE rag_documents AS document SET chunk_count = found.chunks
    FROM (SELECT document_id, count(*) AS chunks FROM rag_chunks GROUP BY 1) AS found
    WHERE found.document_id = document.id
    """,
    """
    COMMENT ON COLUMN rag_documents.space_id IS
        'The vector space that all chunks of the document were last given vectors in'
    """,
    """
    CREATE TABLE rag_sync_rounds (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        source_id text NOT NULL UNIQUE REFERENCES rag_sources ON DELETE CASCADE,
        started_at timestamptz NOT NULL DEFAULT now(),
        documents integer NOT NULL,
        is_complete boolean NOT NULL,
        problem text NOT NULL,
        is_forced boolean NOT NULL
    )
    """,
    "COMMENT ON TABLE rag_sync_rounds IS 'Sources being synced now, by one process or by several'",
    """
    CREATE TABLE rag_sync_batches (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        round_id integer NOT NULL REFERENCES rag_sync_rounds ON DELETE CASCADE,
        urls text[] NOT NULL,
        gone bigint[] NOT NULL DEFAULT '{}',
        done_at timestamptz
    )
    """,
    """
    COMMENT ON COLUMN rag_sync_batches.gone IS
        'Documents that were read and are not there any more; they are removed with the round'
    """,
    "CREATE INDEX rag_sync_batches_round ON rag_sync_batches (round_id, id)",
    """
    CREATE TABLE rag_embedded_texts (
        model text NOT NULL,
        dimensions integer NOT NULL,
        content_hash text NOT NULL,
        embedding halfvec,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (model, dimensions, content_hash)
    )
    """,
    """
    COMMENT ON TABLE rag_embedded_texts IS
        'Texts being embedded (no vector yet), and vectors whose document is not stored yet'
    """,
)


def upgrade() -> None:
    for statement in (*_SEARCH, *_SPACES, *_SYNC):
        op.execute(statement)


def downgrade() -> None:
    for table in (
        "rag_embedded_texts",
        "rag_sync_batches",
        "rag_sync_rounds",
        "rag_vector_spaces",
        "rag_corpus",
        "rag_terms",
    ):
        op.execute(f"DROP TABLE {table}")
    op.execute("""
        ALTER TABLE rag_documents DROP COLUMN canonical_url, DROP COLUMN chunk_count,
            DROP COLUMN space_id
    """)
    # One vector of each chunk and model can stay.
    op.execute("""
        DELETE FROM rag_embeddings AS vector USING rag_embeddings AS other
        WHERE vector.chunk_id = other.chunk_id AND vector.model = other.model
            AND vector.dimensions < other.dimensions
    """)
    op.execute("DROP INDEX rag_embeddings_content_hash")
    op.execute("ALTER TABLE rag_embeddings DROP CONSTRAINT rag_embeddings_pkey")
    op.execute("ALTER TABLE rag_embeddings DROP COLUMN source_id, DROP COLUMN dimensions")
    op.execute("ALTER TABLE rag_embeddings ADD PRIMARY KEY (chunk_id, model)")
    op.execute("CREATE INDEX rag_embeddings_content_hash ON rag_embeddings (model, content_hash)")
    op.execute("""
        ALTER TABLE rag_chunks DROP COLUMN source_id, DROP COLUMN analysis, DROP COLUMN length,
            DROP COLUMN terms, DROP COLUMN impacts
    """)
    op.execute("ALTER TABLE rag_chunks RESET (toast_tuple_target)")
    op.execute("ALTER TABLE rag_chunks ADD COLUMN search tsvector NOT NULL DEFAULT ''")
    op.execute("ALTER TABLE rag_chunks ALTER COLUMN search DROP DEFAULT")
    op.execute("UPDATE rag_chunks SET search = to_tsvector('english', content)")
    op.execute("CREATE INDEX rag_chunks_search ON rag_chunks USING gin (search)")
