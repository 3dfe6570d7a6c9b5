"""Telegram: a cap on what waits, long texts in pieces, claims by urgency, dead letters apart."""

from alembic import op

revision = "app_0006"
down_revision = "app_0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE telegram_inbox ADD text_units integer, ADD bundle_id bigint, "
        "ADD over_cap boolean NOT NULL DEFAULT false"
    )
    op.execute(
        "ALTER TABLE telegram_lanes ADD told_at timestamptz, "
        "ADD awaits_more boolean NOT NULL DEFAULT false"
    )
    # A dead letter is neither looked for nor counted when a user's next update is.
    op.execute("DROP INDEX telegram_inbox_pending")
    op.execute(
        "CREATE INDEX telegram_inbox_pending ON telegram_inbox (user_id, urgent, update_id) "
        "INCLUDE (received_at) WHERE done_at IS NULL AND dead_at IS NULL"
    )
    op.execute("DROP INDEX telegram_lanes_ready")
    op.execute("CREATE INDEX telegram_lanes_ready ON telegram_lanes (urgent, ready_at)")
    # Both change with every update; what they leave behind must not be read again and again.
    op.execute(
        "ALTER TABLE telegram_lanes SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, "
        "autovacuum_vacuum_threshold = 1000)"
    )
    op.execute(
        "ALTER TABLE telegram_inbox SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02)"
    )


def downgrade() -> None:
    op.execute("ALTER TABLE telegram_inbox RESET (fillfactor, autovacuum_vacuum_scale_factor)")
    op.execute(
        "ALTER TABLE telegram_lanes RESET (fillfactor, autovacuum_vacuum_scale_factor, "
        "autovacuum_vacuum_threshold)"
    )
    op.execute("DROP INDEX telegram_lanes_ready")
    op.execute("CREATE INDEX telegram_lanes_ready ON telegram_lanes (ready_at)")
    op.execute("DROP INDEX telegram_inbox_pending")
    op.execute(
        "CREATE INDEX telegram_inbox_pending ON telegram_inbox (user_id, urgent, update_id) "
        "WHERE done_at IS NULL"
    )
    op.execute("ALTER TABLE telegram_lanes DROP awaits_more, DROP told_at")
    op.execute("ALTER TABLE telegram_inbox DROP over_cap, DROP bundle_id, DROP text_units")
