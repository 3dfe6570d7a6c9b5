"""Questions that users ask in groups, counted for their limits."""

from alembic import op

revision = "app_0033"
down_revision = "app_0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE guest_questions (
        update_id bigint PRIMARY KEY,
        user_tag text NOT NULL,
        group_tag text NOT NULL,
        outcome text NOT NULL
            CHECK (outcome IN ('answered', 'user_limit', 'group_limit', 'silent')),
        is_closed boolean NOT NULL DEFAULT false,
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """)
    op.execute("CREATE INDEX guest_questions_asked_at ON guest_questions (asked_at)")


def downgrade() -> None:
    op.execute("DROP TABLE guest_questions")
