"""Lessons that wait to be learned are due work; what was set aside of them stays so."""

from alembic import op

revision = "app_0056"
down_revision = "app_0055"
branch_labels = None
depends_on = None

DECLARATIONS = "0aa4d77b04fb"


# An attempt names the row, whose number is another one now.
UPGRADE = (
    """
    INSERT INTO due_work
        (kind, key, user_id, request_id, payload, added_at, due_at, tries, set_aside_at)
    SELECT 'lesson', user_id || ':' || request_id, user_id, request_id,
        jsonb_build_object('request_id', request_id, 'text', text, 'revision', revision,
            'refusals', refusals, 'told_at',
            to_char(told_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')),
        told_at, due_at, tries, CASE WHEN EXISTS (
            SELECT FROM attempts WHERE kind = 'lesson' AND key = lesson.id AND letter IS NOT NULL
        ) THEN told_at END
    FROM pending_lessons AS lesson ORDER BY id
    """,
    """
    UPDATE attempts SET key = -work.id
    FROM due_work AS work JOIN pending_lessons AS lesson
        ON work.key = lesson.user_id || ':' || lesson.request_id
    WHERE work.kind = 'lesson' AND attempts.kind = 'lesson' AND attempts.key = lesson.id
    """,
    "DELETE FROM attempts WHERE kind = 'lesson' AND key > 0",
    "UPDATE attempts SET key = -key WHERE kind = 'lesson'",
    "DROP TABLE pending_lessons",
)
DOWNGRADE = (
    """
    CREATE TABLE pending_lessons (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        request_id text NOT NULL,
        revision bigint NOT NULL,
        text text NOT NULL,
        told_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        refusals integer NOT NULL DEFAULT 0,
        UNIQUE (user_id, request_id)
    )
    """,
    "CREATE INDEX pending_lessons_due ON pending_lessons (due_at)",
    """
    INSERT INTO pending_lessons
        (id, user_id, request_id, revision, text, told_at, due_at, tries, refusals)
    OVERRIDING SYSTEM VALUE
    SELECT id, user_id, payload ->> 'request_id', (payload ->> 'revision')::bigint,
        payload ->> 'text', (payload ->> 'told_at')::timestamptz, due_at, tries,
        (payload ->> 'refusals')::integer
    FROM due_work WHERE kind = 'lesson'
    """,
    """
    SELECT setval(pg_get_serial_sequence('pending_lessons', 'id'), max(id)) FROM pending_lessons
    """,
    "DELETE FROM due_work WHERE kind = 'lesson'",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
