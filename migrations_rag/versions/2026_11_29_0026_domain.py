"""The subject of the documents, as a model described them, and how many changed since."""

from alembic import op

revision = "rag_0026"
down_revision = "rag_0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE rag_domain (
            id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
            description text NOT NULL,
            examples text[] NOT NULL DEFAULT '{}',
            documents integer NOT NULL,
            changed integer NOT NULL DEFAULT 0,
            described_at timestamptz NOT NULL DEFAULT now()
        )
        """
    )
    for name, comment in (
        ("TABLE rag_domain", "What the documents are about, in one row that a model wrote"),
        ("COLUMN rag_domain.documents", "How many documents there were then"),
        ("COLUMN rag_domain.changed", "How many documents came, changed or went since then"),
    ):
        op.execute(f"COMMENT ON {name} IS '{comment}'")


def downgrade() -> None:
    op.execute("DROP TABLE rag_domain")
