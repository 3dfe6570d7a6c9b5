"""One owner for each source being synced, instead of batches shared by several processes."""

from alembic import op

revision = "rag_0021"
down_revision = "rag_0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DROP TABLE rag_sync_batches")
    op.execute("DROP TABLE rag_sync_rounds")
    op.execute(
        """
        ALTER TABLE rag_sync_runs ADD COLUMN source text, ADD COLUMN source_started_at timestamptz,
            ADD COLUMN documents integer, ADD COLUMN done integer
        """
    )
    op.execute(
        "COMMENT ON COLUMN rag_sync_runs.source IS 'The name of the source that is being read now'"
    )


def downgrade() -> None:
    op.execute(
        """
        ALTER TABLE rag_sync_runs DROP COLUMN source, DROP COLUMN source_started_at,
            DROP COLUMN documents, DROP COLUMN done
        """
    )
    op.execute(
        """
        CREATE TABLE rag_sync_rounds (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            source_id text NOT NULL UNIQUE REFERENCES rag_sources ON DELETE CASCADE,
            started_at timestamptz NOT NULL DEFAULT now(),
            documents integer NOT NULL,
            is_complete boolean NOT NULL,
            problem text NOT NULL,
            is_forced boolean NOT NULL
        )
        """
    )
    op.execute(
        "COMMENT ON TABLE rag_sync_rounds IS "
        "'Sources being synced now, by one process or by several'"
    )
    op.execute(
        """
        CREATE TABLE rag_sync_batches (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            round_id integer NOT NULL REFERENCES rag_sync_rounds ON DELETE CASCADE,
            urls text[] NOT NULL,
            gone bigint[] NOT NULL DEFAULT '{}',
            done_at timestamptz
        )
        """
    )
    op.execute(
        "COMMENT ON COLUMN rag_sync_batches.gone IS "
        "'Documents that were read and are not there any more; they are removed with the round'"
    )
    op.execute("CREATE INDEX rag_sync_batches_round ON rag_sync_batches (round_id, id)")
