"""The documents that the description of all was written from, and the tries to write it.

Which documents have changed since is counted where it is asked.
"""

from alembic import op

revision = "rag_0027"
down_revision = "rag_0026"
branch_labels = None
depends_on = None

_COMMENTS = {
    "sources": "The sources that it was written from; who may not read one does not get it",
    "sample": "The documents that it was written from; who may not read one does not get it",
    "tried_at": "When a model was last asked for it; NULL: never",
    "tries": "How often a model was asked since the last success; each one waits longer",
}


def upgrade() -> None:
    # It is not known what the old one was written from. The next sync writes one again.
    op.execute("DELETE FROM rag_domain")
    op.execute(
        """
        ALTER TABLE rag_domain DROP COLUMN changed,
            ADD COLUMN sources text[] NOT NULL DEFAULT '{}',
            ADD COLUMN sample bigint[] NOT NULL DEFAULT '{}',
            ADD COLUMN tried_at timestamptz,
            ADD COLUMN tries integer NOT NULL DEFAULT 0
        """
    )
    for column, comment in _COMMENTS.items():
        op.execute(f"COMMENT ON COLUMN rag_domain.{column} IS '{comment}'")


def downgrade() -> None:
    op.execute(
        """
        ALTER TABLE rag_domain DROP COLUMN sources, DROP COLUMN sample, DROP COLUMN tried_at,
            DROP COLUMN tries, ADD COLUMN changed integer NOT NULL DEFAULT 0
        """
    )
    op.execute(
        "COMMENT ON COLUMN rag_domain.changed IS "
        "'How many documents came, changed or went since then'"
    )
