"""Answers that wait for a person, and who has to be told what of them."""

from alembic import op

revision = "app_0013"
down_revision = "app_0012"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE approvals (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        thread_id text NOT NULL,
        request_id text NOT NULL,
        revision bigint NOT NULL,
        locale text NOT NULL,
        intent text NOT NULL,
        question text NOT NULL,
        answer text NOT NULL,
        citations jsonb NOT NULL,
        message_id bigint NOT NULL,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN
            ('pending', 'approved', 'corrected', 'rejected', 'expired', 'withdrawn')),
        words text NOT NULL DEFAULT '',
        requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        decided_at timestamptz,
        decided_by bigint,
        settled_at timestamptz,
        UNIQUE (thread_id, request_id, revision)
    )
    """,
    "COMMENT ON COLUMN approvals.settled_at IS 'When it was noted who has to hear the verdict'",
    "CREATE INDEX approvals_open_idx ON approvals (id) WHERE settled_at IS NULL",
    "CREATE INDEX approvals_user_idx ON approvals (user_id)",
    "CREATE SEQUENCE approval_notice_numbers",
    """
    CREATE TABLE approval_notices (
        update_id bigint PRIMARY KEY DEFAULT -nextval('approval_notice_numbers'),
        approval_id bigint NOT NULL REFERENCES approvals ON DELETE CASCADE,
        user_id bigint NOT NULL,
        kind text NOT NULL CHECK (kind IN ('review', 'correction', 'reason', 'verdict', 'closed')),
        handed_out_at timestamptz,
        UNIQUE (approval_id, user_id, kind)
    )
    """,
    "COMMENT ON COLUMN approval_notices.update_id IS 'In the inbox; Telegram''s are positive'",
    "CREATE INDEX approval_notices_user_idx ON approval_notices (user_id)",
    """
    CREATE INDEX approval_notices_due_idx ON approval_notices (update_id)
    WHERE handed_out_at IS NULL
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE approval_notices, approvals")
    op.execute("DROP SEQUENCE approval_notice_numbers")
