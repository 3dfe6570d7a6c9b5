"""Archived turns are found by words and meaning together, as documents are."""

import sqlalchemy as sa
from alembic import op
from pgvector import SparseVector

from rich_agent.domain.retrieval.fusion import impacts
from rich_agent.domain.retrieval.search_terms import TERM_SPACE, term_counts

revision = "app_0047"
down_revision = "app_0046"
branch_labels = None
depends_on = None

BATCH = 500

_UPGRADE = (
    "ALTER TABLE turn_archive ADD COLUMN impacts sparsevec",
    "ALTER TABLE turn_archive ADD COLUMN vector_space text NOT NULL DEFAULT ''",
    "ALTER TABLE turn_archive ADD COLUMN embedding halfvec",
    "ALTER TABLE turn_archive ALTER COLUMN embedding SET STORAGE PLAIN",
    "CREATE INDEX turn_archive_space_idx ON turn_archive (user_id, vector_space)",
    "COMMENT ON COLUMN turn_archive.impacts IS 'The share of each term in the BM25 score'",
    "COMMENT ON COLUMN turn_archive.vector_space IS 'That of the vector, empty without one'",
    """
    CREATE TABLE archive_languages (
        space text PRIMARY KEY,
        learned jsonb NOT NULL,
        learned_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    "COMMENT ON TABLE archive_languages IS 'How well an embedding model knows languages of turns'",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)
    connection = op.get_bind()
    known = sa.text(
        "SELECT id, question, answer FROM turn_archive WHERE id > :last ORDER BY id LIMIT :batch"
    )
    last = 0
    while turns := connection.execute(known, {"last": last, "batch": BATCH}).all():
        connection.execute(
            sa.text("UPDATE turn_archive SET impacts = cast(:impacts AS sparsevec) WHERE id = :id"),
            [{"id": one.id, "impacts": _impacts(one.question, one.answer)} for one in turns],
        )
        last = turns[-1].id


def _impacts(question: str, answer: str) -> str:
    counts = term_counts(f"{question}\n{answer}")
    return SparseVector(impacts(counts), TERM_SPACE).to_text()


def downgrade() -> None:
    op.execute("DROP TABLE archive_languages")
    op.execute("DROP INDEX turn_archive_space_idx")
    for column in ("impacts", "vector_space", "embedding"):
        op.execute(f"ALTER TABLE turn_archive DROP COLUMN {column}")
