"""Archived turns are analysed again, with the punctuation and the stems of each language."""

import sqlalchemy as sa
from alembic import op

from rich_agent.domain.retrieval.search_terms import term_counts

revision = "app_0038"
down_revision = "app_0037"
branch_labels = None
depends_on = None

ANALYSIS_VERSION = 2
"""That of the rules; a change of them needs another migration like this one."""
BATCH = 500


def upgrade() -> None:
    connection = op.get_bind()
    known = sa.text(
        "SELECT id, question, answer FROM turn_archive WHERE id > :last ORDER BY id LIMIT :batch"
    )
    last = 0
    while turns := connection.execute(known, {"last": last, "batch": BATCH}).all():
        connection.execute(
            sa.text("UPDATE turn_archive SET terms = :terms WHERE id = :id"),
            [
                {"id": turn.id, "terms": sorted(term_counts(f"{turn.question}\n{turn.answer}"))}
                for turn in turns
            ],
        )
        last = turns[-1].id


def downgrade() -> None:
    """Leave the terms: an older program finds most words by them."""
