"""Spaces of sources, the principals who may read them, and what is known of memberships."""

from alembic import op

revision = "rag_0014"
down_revision = "rag_0013"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE rag_spaces (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        readers text[] NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
    )
    """,
    "CREATE UNIQUE INDEX rag_spaces_name_key ON rag_spaces (lower(name))",
    "COMMENT ON TABLE rag_spaces IS 'Collections of sources, and who may read each of them'",
    "COMMENT ON COLUMN rag_spaces.readers IS 'Principals: everybody, user:7, list:legal, …'",
    "ALTER TABLE rag_sources ADD COLUMN space_id integer REFERENCES rag_spaces ON DELETE RESTRICT",
    """
    COMMENT ON COLUMN rag_sources.space_id IS
        'The space whose readers may read it; NULL: everybody who may use the bot'
    """,
    "CREATE INDEX rag_sources_space_id_idx ON rag_sources (space_id)",
    """
    CREATE TABLE rag_memberships (
        user_id bigint NOT NULL,
        principal text NOT NULL,
        checked_at timestamptz,
        is_member boolean NOT NULL DEFAULT true,
        PRIMARY KEY (user_id, principal)
    )
    """,
    "CREATE INDEX rag_memberships_principal_idx ON rag_memberships (principal)",
    """
    COMMENT ON COLUMN rag_memberships.checked_at IS
        'When Telegram was asked, which holds for some minutes; NULL: as the operator set it'
    """,
    """
    CREATE TABLE rag_unchosen_spaces (
        user_id bigint NOT NULL,
        space_id integer NOT NULL REFERENCES rag_spaces ON DELETE CASCADE,
        PRIMARY KEY (user_id, space_id)
    )
    """,
    "CREATE INDEX rag_unchosen_spaces_space_id_idx ON rag_unchosen_spaces (space_id)",
    """
    COMMENT ON TABLE rag_unchosen_spaces IS
        'Spaces in which nothing is looked up for a user unless a question names them'
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE rag_unchosen_spaces")
    op.execute("DROP TABLE rag_memberships")
    # Without spaces everybody would read what only some may.
    op.execute("UPDATE rag_sources SET status = 'inactive' WHERE space_id IS NOT NULL")
    op.execute("ALTER TABLE rag_sources DROP COLUMN space_id")
    op.execute("DROP TABLE rag_spaces")
