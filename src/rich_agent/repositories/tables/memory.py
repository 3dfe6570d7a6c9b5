"""The long-term memory, in the store of LangGraph, and what is still to be learned."""

from pgvector.sqlalchemy import VECTOR
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import MOMENT

metadata = MetaData()

pending_lessons = Table(
    "pending_lessons",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("told_at", MOMENT, nullable=False),
    Column("due_at", MOMENT, nullable=False),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("refusals", Integer, nullable=False, server_default=text("0")),
    UniqueConstraint("user_id", "request_id"),
    Index("pending_lessons_due", "due_at"),
    info=UserData(
        user="user_id",
        request="request_id",
        exported=("request_id", "text", "told_at"),
        section="to_be_learned",
        special=("age",),
    ).info,
)
store = Table(
    "store",
    metadata,
    Column("prefix", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("value", JSONB, nullable=False),
    Column("created_at", MOMENT, server_default=text("CURRENT_TIMESTAMP")),
    Column("updated_at", MOMENT, server_default=text("CURRENT_TIMESTAMP")),
    Column("expires_at", MOMENT),
    Column("ttl_minutes", Integer),
    Index("idx_store_expires_at", "expires_at", postgresql_where=text("expires_at IS NOT NULL")),
    Index("store_prefix_idx", "prefix", postgresql_ops={"prefix": "text_pattern_ops"}),
    info=UserData(
        prefix="prefix", exported=("key", "value", "updated_at"), section="memory", order="key"
    ).info,
)
store_vectors = Table(
    "store_vectors",
    metadata,
    Column("prefix", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("field_name", Text, primary_key=True),
    Column("embedding", VECTOR),
    Column("created_at", MOMENT, server_default=text("CURRENT_TIMESTAMP")),
    Column("updated_at", MOMENT, server_default=text("CURRENT_TIMESTAMP")),
    ForeignKeyConstraint(["prefix", "key"], ["store.prefix", "store.key"], ondelete="CASCADE"),
    info=UserData(prefix="prefix", parent="store").info,
)
