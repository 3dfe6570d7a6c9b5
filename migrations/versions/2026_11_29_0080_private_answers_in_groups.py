"""Questions of groups that are answered to their user alone, and commands in groups."""

from alembic import op

revision = "app_0080"
down_revision = "app_0079"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE guest_questions ADD COLUMN is_private boolean NOT NULL DEFAULT false, "
        "DROP CONSTRAINT guest_questions_outcome_check"
    )
    op.execute(
        "ALTER TABLE guest_questions ADD CONSTRAINT guest_questions_outcome_check "
        "CHECK (outcome IN ('answered', 'command', 'user_limit', 'group_limit', 'silent'))"
    )
    op.execute(
        "COMMENT ON COLUMN guest_questions.is_private IS "
        "'Whether it is answered to its user alone, by every attempt'"
    )


def downgrade() -> None:
    op.execute("DELETE FROM guest_questions WHERE outcome = 'command'")
    op.execute(
        "ALTER TABLE guest_questions DROP COLUMN is_private, "
        "DROP CONSTRAINT guest_questions_outcome_check"
    )
    op.execute(
        "ALTER TABLE guest_questions ADD CONSTRAINT guest_questions_outcome_check "
        "CHECK (outcome IN ('answered', 'user_limit', 'group_limit', 'silent'))"
    )
