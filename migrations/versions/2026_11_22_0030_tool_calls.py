"""Tool calls of MCP servers count like searches."""

from alembic import op

revision = "app_0030"
down_revision = "app_0029"
branch_labels = None
depends_on = None

_KINDS = "ALTER TABLE usage_days DROP CONSTRAINT usage_days_kind_check, ADD CHECK (kind IN ({}))"


def upgrade() -> None:
    for table in ("usage_days", "usage_reservations"):
        op.execute(f"ALTER TABLE {table} ADD tool_calls integer NOT NULL DEFAULT 0")
    op.execute("ALTER TABLE usage_forgotten ADD tool_calls bigint NOT NULL DEFAULT 0")
    op.execute(_KINDS.format("'text', 'vision', 'embedding', 'search', 'tool'"))


def downgrade() -> None:
    op.execute("DELETE FROM usage_days WHERE kind = 'tool'")
    op.execute(_KINDS.format("'text', 'vision', 'embedding', 'search'"))
    for table in ("usage_days", "usage_reservations", "usage_forgotten"):
        op.execute(f"ALTER TABLE {table} DROP tool_calls")
