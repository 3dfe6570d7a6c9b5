"""The long-term memory, in the store of LangGraph, and what is still to be learned."""

from pgvector.sqlalchemy import VECTOR
from sqlalchemy import (
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import MOMENT

metadata = MetaData()

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
