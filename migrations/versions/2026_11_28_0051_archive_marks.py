"""Archived turns in Vietnamese are analysed again, with the marks of their words."""

import sqlalchemy as sa
from alembic import op
from pgvector import SparseVector

from rich_agent.domain.retrieval.fusion import impacts
from rich_agent.domain.retrieval.search_terms import TERM_SPACE, analyse

revision = "app_0051"
down_revision = "app_0050"
branch_labels = None
depends_on = None

ANALYSIS_VERSION = 3
"""That of the rules; a change of them needs another migration like this one."""
BATCH = 500

# Letters that Vietnamese has, and marks: other turns need not be read.
_LETTERS = "\u00c0-\u00fd\u0102\u0103\u0110\u0111\u01a0\u01a1\u01af\u01b0\u0300-\u0323\u1ea0-\u1ef9"
_TURNS = f"""
    SELECT id, question, answer FROM turn_archive
    WHERE id > :last AND question || answer ~ '[{_LETTERS}]' ORDER BY id LIMIT :batch
"""
_UPDATE = """
    UPDATE turn_archive SET terms = :terms, impacts = cast(:impacts AS sparsevec) WHERE id = :id
"""


def upgrade() -> None:
    connection = op.get_bind()
    last = 0
    while turns := connection.execute(sa.text(_TURNS), {"last": last, "batch": BATCH}).all():
        for turn in turns:
            counts, languages = analyse(f"{turn.question}\n{turn.answer}")
            if "vietnamese" in languages:
                shares = SparseVector(impacts(counts), TERM_SPACE).to_text()
                values = {"id": turn.id, "terms": sorted(counts), "impacts": shares}
                connection.execute(sa.text(_UPDATE), values)
        last = turns[-1].id


def downgrade() -> None:
    """Leave the terms: an older program finds words without their marks by them."""
