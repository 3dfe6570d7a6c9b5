"""Usage by day and model, and what is reserved for calls under way."""

from alembic import op

revision = "app_0009"
down_revision = "app_0008"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE usage_days (
        user_id bigint NOT NULL,
        day date NOT NULL,
        kind text NOT NULL CHECK (kind IN ('text', 'vision', 'embedding', 'search')),
        model text NOT NULL,
        calls integer NOT NULL,
        estimated integer NOT NULL,
        input_tokens bigint NOT NULL,
        cached_tokens bigint NOT NULL,
        output_tokens bigint NOT NULL,
        images integer NOT NULL,
        searches integer NOT NULL,
        PRIMARY KEY (user_id, day, kind, model)
    )
    """,
    "COMMENT ON COLUMN usage_days.day IS 'Of UTC'",
    "COMMENT ON COLUMN usage_days.estimated IS 'Calls whose tokens the server did not tell'",
    "COMMENT ON COLUMN usage_days.cached_tokens IS 'Part of input_tokens'",
    "CREATE INDEX usage_days_day_idx ON usage_days (day)",
    """
    CREATE TABLE usage_reservations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        request_id text NOT NULL,
        kind text,
        model text,
        tokens bigint NOT NULL,
        images integer NOT NULL DEFAULT 0,
        searches integer NOT NULL DEFAULT 0,
        reserved_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    COMMENT ON COLUMN usage_reservations.kind IS
        'Null: what the turn may still use; else what one call is going to'
    """,
    """
    CREATE UNIQUE INDEX usage_reservations_turn_idx ON usage_reservations (user_id, request_id)
    WHERE kind IS NULL
    """,
    "CREATE INDEX usage_reservations_user_idx ON usage_reservations (user_id, request_id)",
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE usage_reservations, usage_days")
