"""Use of a user in a day, and what is known of the models that serve them."""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT

metadata = MetaData()

usage_reservations = Table(
    "usage_reservations",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("request_id", Text, nullable=False),
    Column(
        "kind", Text, comment="Null: what the turn may still use; else what one call is going to"
    ),
    Column("model", Text),
    Column("tokens", BigInteger, nullable=False),
    Column("images", Integer, nullable=False, server_default=text("0")),
    Column("searches", Integer, nullable=False, server_default=text("0")),
    Column("reserved_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("tool_calls", Integer, nullable=False, server_default=text("0")),
    Column("audio_seconds", Integer, nullable=False, server_default=text("0")),
    Index(
        "usage_reservations_turn_idx",
        "user_id",
        "request_id",
        unique=True,
        postgresql_where=text("kind IS NULL"),
    ),
    Index("usage_reservations_user_idx", "user_id", "request_id"),
    info=UserData(user="user_id", special=("age",)).info,
)
usage_days = Table(
    "usage_days",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("day", Date, primary_key=True, comment="Of UTC"),
    Column("kind", Text, primary_key=True),
    Column("model", Text, primary_key=True),
    Column("calls", Integer, nullable=False),
    Column(
        "estimated", Integer, nullable=False, comment="Calls whose tokens the server did not tell"
    ),
    Column("input_tokens", BigInteger, nullable=False),
    Column("cached_tokens", BigInteger, nullable=False, comment="Part of input_tokens"),
    Column(
        "cache_write_tokens",
        BigInteger,
        nullable=False,
        server_default=text("0"),
        comment="Part of input_tokens",
    ),
    Column("output_tokens", BigInteger, nullable=False),
    Column("images", Integer, nullable=False),
    Column("searches", Integer, nullable=False),
    Column("tool_calls", Integer, nullable=False, server_default=text("0")),
    Column("audio_seconds", Integer, nullable=False, server_default=text("0")),
    CheckConstraint(
        "kind IN ('text', 'vision', 'embedding', 'search', 'tool', 'hearing', "
        "'speech', 'reranking')",
        name="usage_days_kind_check",
    ),
    Index("usage_days_day_idx", "day"),
    info=UserData(
        user="user_id",
        exported=(
            "day",
            "kind",
            "model",
            "calls",
            "estimated",
            "input_tokens",
            "cached_tokens",
            "cache_write_tokens",
            "output_tokens",
            "images",
            "searches",
            "tool_calls",
            "audio_seconds",
        ),
        section="usage",
        special=("age",),
    ).info,
)
usage_forgotten = Table(
    "usage_forgotten",
    metadata,
    Column("day", Date, primary_key=True),
    Column(
        "tag",
        Text,
        primary_key=True,
        comment="A hash of the day and the user: it names nobody, and the row is gone the "
        "day after",
    ),
    Column("tokens", BigInteger, nullable=False),
    Column("images", BigInteger, nullable=False),
    Column("searches", BigInteger, nullable=False),
    Column("tool_calls", BigInteger, nullable=False, server_default=text("0")),
    Column("audio_seconds", BigInteger, nullable=False, server_default=text("0")),
    info=UserData(special=("age",)).info,
)
model_capabilities = Table(
    "model_capabilities",
    metadata,
    Column("server", Text, primary_key=True),
    Column("model", Text, primary_key=True),
    Column("step", Text),
    Column("refused", ARRAY(Text), nullable=False, server_default="{}"),
    Column("learned_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("demanded", JSONB, nullable=False, server_default="{}"),
    Column("most_tokens", Integer),
    Column("marks_ends", Boolean),
    Column("answers_whole", Boolean, nullable=False, server_default=text("false")),
    Column("thinks", Boolean, nullable=False, server_default=text("false")),
    CheckConstraint(
        "step IN ('json_schema', 'tool_call', 'json_mode', 'words')",
        name="model_capabilities_step_check",
    ),
)
