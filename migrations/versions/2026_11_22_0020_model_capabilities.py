"""Capabilities of each model on its server, as learned, for all processes."""

from alembic import op

revision = "app_0020"
down_revision = "app_0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE TABLE model_capabilities (
            server text NOT NULL,
            model text NOT NULL,
            step text CHECK (step IN ('json_schema', 'tool_call', 'json_mode', 'words')),
            refused text[] NOT NULL DEFAULT '{}',
            learned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            PRIMARY KEY (server, model)
        )
    """)


def downgrade() -> None:
    op.execute("DROP TABLE model_capabilities")
