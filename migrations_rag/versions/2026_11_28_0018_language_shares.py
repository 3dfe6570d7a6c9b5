"""The number of chunks in each language, by which a language counts for questions."""

from alembic import op

revision = "rag_0018"
down_revision = "rag_0017"
branch_labels = None
depends_on = None

_UPGRADE = (
    "ALTER TABLE rag_corpus ADD COLUMN language_chunks jsonb NOT NULL DEFAULT '{}'",
    # Until the next sync counts, each language is as common as the others.
    """
    UPDATE rag_corpus SET language_chunks = coalesce(
        (SELECT jsonb_object_agg(language, 1) FROM unnest(languages) AS language), '{}'
    )
    """,
    """
    COMMENT ON COLUMN rag_corpus.language_chunks IS
        'About how many chunks are in each language; chunks that are removed count until the next'
        ' measurement'
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("ALTER TABLE rag_corpus DROP COLUMN language_chunks")
