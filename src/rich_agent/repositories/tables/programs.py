"""Turns that programs of users ask for, and the images that they send."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT

metadata = MetaData()

runs = Table(
    "runs",
    metadata,
    Column(
        "update_id",
        BigInteger,
        primary_key=True,
        server_default=text("nextval('internal_update_numbers'::regclass)"),
    ),
    Column("user_id", BigInteger, nullable=False),
    Column("run_id", Text, nullable=False, comment="Chosen by the client; unique for each user"),
    Column(
        "thread", Text, nullable=False, comment="The name that the client gave the conversation"
    ),
    Column("asked", JSONB, nullable=False),
    Column("state", Text, nullable=False, server_default="queued"),
    Column("asked_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("ended_at", MOMENT),
    UniqueConstraint("user_id", "run_id"),
    CheckConstraint("state IN ('queued', 'running', 'ended')", name="runs_state_check"),
    Index("runs_asked_at_idx", "asked_at"),
    Index("runs_open_idx", "user_id", postgresql_where=text("state <> 'ended'")),
    info=UserData(
        user="user_id", age="asked_at", kept="operations", special=("thing", "conversation")
    ).info,
)
run_events = Table(
    "run_events",
    metadata,
    Column(
        "update_id", BigInteger, ForeignKey("runs.update_id", ondelete="CASCADE"), primary_key=True
    ),
    Column("seq", Integer, primary_key=True),
    Column("event", JSONB, nullable=False),
    Column("stored_at", MOMENT, nullable=False, server_default=CLOCK),
    info=UserData(parent="runs").info,
)
uploads = Table(
    "uploads",
    metadata,
    Column("id", Text, primary_key=True, server_default=text("(gen_random_uuid())::text")),
    Column("user_id", BigInteger, nullable=False),
    Column("mime", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("uploaded_at", MOMENT, nullable=False, server_default=CLOCK),
    Index("uploads_uploaded_at_idx", "uploaded_at"),
    Index("uploads_user_idx", "user_id", "uploaded_at"),
    info=UserData(
        user="user_id", age="uploaded_at", kept="operations", special=("export", "conversation")
    ).info,
)
