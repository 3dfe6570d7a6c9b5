"""Figures of evaluations, and stored test questions."""

from alembic import op

revision = "evaluation_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE evaluation_runs (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        started_at timestamptz NOT NULL,
        version text NOT NULL,
        model text NOT NULL,
        changes text NOT NULL,
        question_set text NOT NULL,
        question_count integer NOT NULL,
        measures jsonb NOT NULL
    )
    """)
    op.execute("""
    CREATE TABLE evaluation_questions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        ask text NOT NULL,
        facts jsonb NOT NULL DEFAULT '[]',
        sources jsonb NOT NULL DEFAULT '[]',
        refuse boolean NOT NULL DEFAULT false,
        thread_id text,
        request_id text,
        asked_at timestamptz,
        stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT evaluation_questions_origin_check CHECK (
            (thread_id IS NULL) = (asked_at IS NULL) AND (thread_id IS NULL) = (request_id IS NULL)
        )
    )
    """)
    op.execute("CREATE INDEX evaluation_questions_thread_idx ON evaluation_questions (thread_id)")


def downgrade() -> None:
    op.execute("DROP TABLE evaluation_questions")
    op.execute("DROP TABLE evaluation_runs")
