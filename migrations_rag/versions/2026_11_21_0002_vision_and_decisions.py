"""The vision cache, and how each turn was answered."""

from alembic import op

revision = "rag_0002"
down_revision = "rag_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE TABLE vision_images (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            telegram_file_id text NOT NULL,
            sha256 text NOT NULL UNIQUE,
            mime text NOT NULL,
            size bigint NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now()
        )
    """)
    op.execute("""
        CREATE TABLE vision_summaries (
            image_id bigint NOT NULL REFERENCES vision_images ON DELETE CASCADE,
            model text NOT NULL,
            summary_json jsonb NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (image_id, model)
        )
    """)
    op.execute("""
        CREATE TABLE retrieval_decisions (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            thread_id text NOT NULL,
            request_id text NOT NULL,
            intent text NOT NULL,
            plan text NOT NULL,
            reason text NOT NULL,
            query text NOT NULL DEFAULT '',
            retrieved_count integer NOT NULL DEFAULT 0,
            citations_count integer NOT NULL DEFAULT 0,
            latency_ms jsonb NOT NULL DEFAULT '{}',
            nodes jsonb NOT NULL DEFAULT '{}',
            created_at timestamptz NOT NULL DEFAULT now(),
            UNIQUE (thread_id, request_id)
        )
    """)
    op.execute("CREATE INDEX retrieval_decisions_latest_idx ON retrieval_decisions (thread_id, id)")


def downgrade() -> None:
    op.execute("DROP TABLE retrieval_decisions, vision_summaries, vision_images")
