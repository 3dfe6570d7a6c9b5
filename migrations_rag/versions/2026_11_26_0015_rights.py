"""Rights of documents: their places, the audiences of places, and the principals in these."""

from alembic import op

revision = "rag_0015"
down_revision = "rag_0014"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE rag_principals (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE
    )
    """,
    "COMMENT ON COLUMN rag_principals.name IS 'everybody, user:7, external:wiki:anna, …'",
    """
    CREATE TABLE rag_audiences (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        digest text NOT NULL UNIQUE,
        principals integer[] NOT NULL
    )
    """,
    "CREATE INDEX rag_audiences_principals ON rag_audiences USING gin (principals)",
    "COMMENT ON TABLE rag_audiences IS 'Sets of principals, each stored once'",
    "COMMENT ON COLUMN rag_audiences.digest IS 'What the set is found by: it may be a long one'",
    """
    CREATE TABLE rag_places (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        source_id text NOT NULL REFERENCES rag_sources ON DELETE CASCADE,
        key text NOT NULL,
        audience_id integer REFERENCES rag_audiences ON DELETE SET NULL,
        UNIQUE (source_id, key)
    )
    """,
    "CREATE INDEX rag_places_audience ON rag_places (audience_id)",
    "COMMENT ON TABLE rag_places IS 'What has rights of its own in a source, such as a folder'",
    "COMMENT ON COLUMN rag_places.audience_id IS 'Who may read its documents; NULL: nobody'",
    """
    CREATE TABLE rag_members (
        source_id text NOT NULL REFERENCES rag_sources ON DELETE CASCADE,
        group_id integer NOT NULL REFERENCES rag_principals ON DELETE CASCADE,
        member_id integer NOT NULL REFERENCES rag_principals ON DELETE CASCADE,
        PRIMARY KEY (source_id, group_id, member_id)
    )
    """,
    "CREATE INDEX rag_members_member ON rag_members (member_id)",
    "CREATE INDEX rag_members_group ON rag_members (group_id)",
    "COMMENT ON TABLE rag_members IS 'Who is in the groups of a service, as its source was told'",
    "ALTER TABLE rag_sources ADD COLUMN has_rights boolean NOT NULL DEFAULT false",
    "ALTER TABLE rag_sources ADD COLUMN rights_read_at timestamptz",
    """
    COMMENT ON COLUMN rag_sources.rights_read_at IS
        'When the service last told who may read what, which holds for a day'
    """,
    """
    COMMENT ON COLUMN rag_sources.has_rights IS
        'Whether each of its documents is open only to the audience of its place'
    """,
    """
    ALTER TABLE rag_documents
        ADD COLUMN place_id integer REFERENCES rag_places ON DELETE SET NULL
    """,
    """
    COMMENT ON COLUMN rag_documents.place_id IS
        'The place whose audience may read it; NULL: nobody, if the source has rights'
    """,
    """
    CREATE INDEX rag_documents_place ON rag_documents (place_id) INCLUDE (id, chunk_count)
    WHERE place_id IS NOT NULL
    """,
    "ALTER TABLE rag_embeddings ADD COLUMN document_id bigint",
    """
    COMMENT ON COLUMN rag_embeddings.document_id IS
        'The document of the chunk; NULL in older rows of sources without rights'
    """,
    """
    CREATE INDEX rag_embeddings_document ON rag_embeddings (document_id)
    WHERE document_id IS NOT NULL
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    # Without rights everybody would read what only some may.
    op.execute("UPDATE rag_sources SET status = 'inactive' WHERE has_rights")
    op.execute("ALTER TABLE rag_sources DROP COLUMN has_rights, DROP COLUMN rights_read_at")
    op.execute("ALTER TABLE rag_documents DROP COLUMN place_id")
    op.execute("ALTER TABLE rag_embeddings DROP COLUMN document_id")
    for table in ("rag_members", "rag_places", "rag_audiences", "rag_principals"):
        op.execute(f"DROP TABLE {table}")
