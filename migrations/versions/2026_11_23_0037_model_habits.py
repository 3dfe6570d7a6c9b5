"""Habits of a model's server: what else it wants in a request, and how its streams end."""

from alembic import op

revision = "app_0037"
down_revision = "app_0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        ALTER TABLE model_capabilities
            ADD COLUMN demanded jsonb NOT NULL DEFAULT '{}',
            ADD COLUMN most_tokens integer,
            ADD COLUMN marks_ends boolean,
            ADD COLUMN answers_whole boolean NOT NULL DEFAULT false,
            ADD COLUMN thinks boolean NOT NULL DEFAULT false
    """)


def downgrade() -> None:
    op.execute("""
        ALTER TABLE model_capabilities
            DROP COLUMN demanded,
            DROP COLUMN most_tokens,
            DROP COLUMN marks_ends,
            DROP COLUMN answers_whole,
            DROP COLUMN thinks
    """)
