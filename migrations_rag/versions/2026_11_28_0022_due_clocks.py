"""Clocks of sources without the time at which they are due, which the table of due work has.

That table may lie in another database, so workers add its rows for the clocks that have none. The
interval and the last reading tell when the next one is due. An event that no reading has followed
yet would be lost, so its job counts as never done.
"""

from alembic import op

revision = "rag_0022"
down_revision = "rag_0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        UPDATE rag_clocks SET done_at = NULL
        WHERE next_at <= clock_timestamp() OR leased_until IS NOT NULL
        """
    )
    op.execute(
        """
        ALTER TABLE rag_clocks DROP COLUMN next_at, DROP COLUMN leased_until, DROP COLUMN fence,
            DROP COLUMN failures
        """
    )


def downgrade() -> None:
    op.execute(
        """
        ALTER TABLE rag_clocks ADD COLUMN next_at timestamptz DEFAULT now(),
            ADD COLUMN leased_until timestamptz, ADD COLUMN fence integer NOT NULL DEFAULT 0,
            ADD COLUMN failures integer NOT NULL DEFAULT 0
        """
    )
    op.execute(
        "COMMENT ON COLUMN rag_clocks.next_at IS "
        "'NULL: when asked; a worker that begins empties it'"
    )
