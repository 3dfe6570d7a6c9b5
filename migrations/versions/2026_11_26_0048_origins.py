"""The author of the words of what is kept, where it was not the user."""

from alembic import op

revision = "app_0048"
down_revision = "app_0047"
branch_labels = None
depends_on = None

TABLES = ("tasks", "projects", "goals", "notes", "schedule_blocks", "schedules")


def upgrade() -> None:
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN origin text NOT NULL DEFAULT 'user'")
        op.execute(f"COMMENT ON COLUMN {table}.origin IS 'Who wrote the words, as in domain/words'")
    op.execute("UPDATE tasks SET origin = memory ->> 'origin' WHERE memory ? 'origin'")
    op.execute("UPDATE tasks SET memory = memory - 'origin' WHERE memory ? 'origin'")


def downgrade() -> None:
    op.execute(
        """
        UPDATE tasks SET memory = memory || jsonb_build_object('origin', origin)
        WHERE origin <> 'user'
        """
    )
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN origin")
