"""Questions that were not answered well, and the subjects that they are about."""

from alembic import op

revision = "operator_pages_0003"
down_revision = "operator_pages_0002"

# A question leaves with its turn or its user, by statements that know of no subject. What names a
# subject are words of one of its questions, so the name goes with any of them.
_RECOUNT = """
CREATE OR REPLACE FUNCTION operator_pages_recount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE quality_subjects AS subject
    SET question_count = counted.questions, name = '', asked_at = coalesce(newest, asked_at)
    FROM (
        SELECT left_out.subject_id, count(kept.id) AS questions, max(kept.asked_at) AS newest
        FROM (SELECT DISTINCT subject_id FROM gone WHERE subject_id IS NOT NULL) AS left_out
        LEFT JOIN quality_questions AS kept ON kept.subject_id = left_out.subject_id
        GROUP BY 1
    ) AS counted
    WHERE subject.id = counted.subject_id;
    DELETE FROM quality_subjects USING gone
    WHERE quality_subjects.id = gone.subject_id AND question_count = 0
        AND assignee_id IS NULL AND note = '';
    RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.execute("""
    CREATE TABLE quality_subjects (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL DEFAULT '',
        state text NOT NULL DEFAULT 'open',
        assignee_id bigint,
        note text NOT NULL DEFAULT '',
        question_count integer NOT NULL DEFAULT 0,
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        done_at timestamptz,
        reopened_at timestamptz,
        CONSTRAINT quality_subjects_state_check CHECK (state IN ('open', 'done'))
    )
    """)
    op.execute("CREATE INDEX quality_subjects_idx ON quality_subjects (state, asked_at, id)")
    op.execute("""
    CREATE INDEX quality_subjects_assignee_idx
        ON quality_subjects (assignee_id, state, asked_at, id) WHERE assignee_id IS NOT NULL
    """)
    _add_questions()


def _add_questions() -> None:
    op.execute("""
    CREATE TABLE quality_questions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        subject_id bigint REFERENCES quality_subjects (id) ON DELETE SET NULL,
        thread_id text NOT NULL,
        request_id text NOT NULL,
        query text NOT NULL,
        is_unanswered boolean NOT NULL DEFAULT false,
        is_rated_down boolean NOT NULL DEFAULT false,
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        terms integer[] NOT NULL DEFAULT '{}',
        vector_space text NOT NULL DEFAULT '',
        embedding halfvec,
        again text NOT NULL DEFAULT '',
        again_at timestamptz,
        again_answer text NOT NULL DEFAULT '',
        again_sources text[] NOT NULL DEFAULT '{}',
        UNIQUE (thread_id, request_id),
        CONSTRAINT quality_questions_again_check
            CHECK (again IN ('', 'asked', 'answered', 'unanswered', 'failed'))
    )
    """)
    op.execute("CREATE INDEX quality_questions_subject_idx ON quality_questions (subject_id, id)")
    op.execute("CREATE INDEX quality_questions_asked_idx ON quality_questions (asked_at)")
    op.execute("CREATE INDEX quality_questions_request_idx ON quality_questions (request_id)")
    op.execute(_RECOUNT)
    op.execute("""
    CREATE TRIGGER quality_questions_gone AFTER DELETE ON quality_questions
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION operator_pages_recount()
    """)
