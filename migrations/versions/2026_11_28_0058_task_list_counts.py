"""Of two changes of a task, that of the list counts; open questions are settled so."""

from alembic import op

revision = "app_0058"
down_revision = "app_0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Their entries are read again; what was changed here is kept for Undo then, and told.
    op.execute("""
    UPDATE caldav_connections SET tag = ''
    WHERE user_id IN (SELECT user_id FROM caldav_entries WHERE conflict IS NOT NULL)
    """)
    op.execute("""
    UPDATE caldav_entries SET conflict = NULL, update_id = NULL, etag = '"unread"'
    WHERE conflict IS NOT NULL
    """)
    op.execute(
        "COMMENT ON COLUMN caldav_entries.conflict IS "
        "'The task that the entry replaced, and the entry'"
    )


def downgrade() -> None:
    op.execute("UPDATE caldav_entries SET conflict = NULL, update_id = NULL")
    op.execute(
        "COMMENT ON COLUMN caldav_entries.conflict IS 'The entry, while the user is asked about it'"
    )
