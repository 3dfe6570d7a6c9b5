"""The languages of the chunks' words, in which those of a question are looked for."""

from alembic import op

revision = "rag_0011"
down_revision = "rag_0010"
branch_labels = None
depends_on = None

_UPGRADE = (
    "ALTER TABLE rag_corpus ADD COLUMN languages text[] NOT NULL DEFAULT '{}'",
    # Until the next sync analyses them again, words that are not English stand as they are.
    """
    UPDATE rag_corpus SET languages = '{unstemmed}' WHERE EXISTS (SELECT FROM rag_chunks)
    """,
    """
    COMMENT ON COLUMN rag_corpus.languages IS
        'Languages of the chunks'' words, but for those taken for granted in their script'
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("ALTER TABLE rag_corpus DROP COLUMN languages")
