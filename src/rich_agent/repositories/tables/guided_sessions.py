"""Guided sessions of users."""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Column,
    Identity,
    Index,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT

metadata = MetaData()

guided_sessions = Table(
    "guided_sessions",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("template", Text, nullable=False),
    Column("status", Text, nullable=False, server_default="active"),
    Column(
        "requests",
        ARRAY(Text),
        nullable=False,
        server_default="{}",
        comment="The messages that belong to it, each once",
    ),
    Column("outputs", JSONB, nullable=False, server_default="[]"),
    Column("started_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("ended_at", MOMENT),
    CheckConstraint(
        "status IN ('active', 'completed', 'cancelled')", name="guided_sessions_status_check"
    ),
    Index(
        "guided_sessions_active_idx",
        "user_id",
        unique=True,
        postgresql_where=text("status = 'active'"),
    ),
    info=UserData(
        user="user_id",
        request="requests",
        text=("outputs",),
        age="ended_at",
        kept="conversation",
        exported=("template", "status", "outputs", "started_at", "ended_at"),
        section="sessions",
    ).info,
)
