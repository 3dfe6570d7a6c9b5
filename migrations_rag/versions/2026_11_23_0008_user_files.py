"""Private files that users sent or had read, their text, and private sources to search them."""

from alembic import op

revision = "rag_0008"
down_revision = "rag_0007"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE user_files (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        thread_id text NOT NULL,
        name text NOT NULL,
        media_type text NOT NULL,
        size_bytes bigint NOT NULL,
        sha256 text NOT NULL,
        ref text NOT NULL,
        tokens integer NOT NULL,
        unread_pages integer NOT NULL DEFAULT 0,
        is_kept boolean NOT NULL DEFAULT false,
        sent_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (user_id, sha256, thread_id)
    )
    """,
    "COMMENT ON COLUMN user_files.ref IS 'Where the bytes can be had again, as ImageFiles has it'",
    """
    COMMENT ON COLUMN user_files.is_kept IS
        'Whether the user wants it remembered; else it goes with the conversation'
    """,
    """
    CREATE TABLE user_file_units (
        file_id bigint NOT NULL REFERENCES user_files ON DELETE CASCADE,
        position integer NOT NULL,
        kind text NOT NULL CHECK (kind IN ('page', 'sheet', 'slide', 'section')),
        number integer NOT NULL,
        heading text NOT NULL,
        content text NOT NULL,
        tokens integer NOT NULL,
        PRIMARY KEY (file_id, position)
    )
    """,
    "ALTER TABLE rag_sources DROP CONSTRAINT rag_sources_type_check",
    """
    ALTER TABLE rag_sources ADD CONSTRAINT rag_sources_type_check
        CHECK (type IN ('page', 'url-list', 'sitemap', 'file', 'folder', 'user-file'))
    """,
    "ALTER TABLE rag_sources DROP CONSTRAINT rag_sources_status_check",
    """
    ALTER TABLE rag_sources
        ADD COLUMN owner_user_id bigint,
        ADD COLUMN user_file_id bigint UNIQUE REFERENCES user_files ON DELETE CASCADE,
        ADD CONSTRAINT rag_sources_status_check
            CHECK (status IN ('active', 'inactive', 'private')),
        ADD CONSTRAINT rag_sources_private_check CHECK (
            (status = 'private') = (owner_user_id IS NOT NULL)
            AND (status = 'private') = (user_file_id IS NOT NULL)
        )
    """,
    """
    COMMENT ON COLUMN rag_sources.owner_user_id IS
        'Whose private source it is: only that user''s questions are answered from it'
    """,
    "CREATE INDEX rag_sources_owner ON rag_sources (owner_user_id) WHERE status = 'private'",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DELETE FROM rag_sources WHERE status = 'private'")
    op.execute("""
        ALTER TABLE rag_sources DROP CONSTRAINT rag_sources_private_check,
            DROP CONSTRAINT rag_sources_status_check, DROP CONSTRAINT rag_sources_type_check,
            DROP COLUMN owner_user_id, DROP COLUMN user_file_id,
            ADD CONSTRAINT rag_sources_status_check CHECK (status IN ('active', 'inactive')),
            ADD CONSTRAINT rag_sources_type_check
                CHECK (type IN ('page', 'url-list', 'sitemap', 'file', 'folder'))
    """)
    op.execute("DROP TABLE user_file_units")
    op.execute("DROP TABLE user_files")
