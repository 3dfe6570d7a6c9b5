"""LangGraph's own tables: states of conversations, and the library's migrations."""

from sqlalchemy import Column, Index, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData

metadata = MetaData()

checkpoint_writes = Table(
    "checkpoint_writes",
    metadata,
    Column("thread_id", Text, primary_key=True),
    Column("checkpoint_ns", Text, primary_key=True, server_default=""),
    Column("checkpoint_id", Text, primary_key=True),
    Column("task_id", Text, primary_key=True),
    Column("idx", Integer, primary_key=True),
    Column("channel", Text, nullable=False),
    Column("type", Text),
    Column("blob", LargeBinary, nullable=False),
    Column("task_path", Text, nullable=False, server_default=""),
    Index("checkpoint_writes_thread_id_idx", "thread_id"),
    info=UserData(thread="thread_id").info,
)
checkpoint_blobs = Table(
    "checkpoint_blobs",
    metadata,
    Column("thread_id", Text, primary_key=True),
    Column("checkpoint_ns", Text, primary_key=True, server_default=""),
    Column("channel", Text, primary_key=True),
    Column("version", Text, primary_key=True),
    Column("type", Text, nullable=False),
    Column("blob", LargeBinary),
    Index("checkpoint_blobs_thread_id_idx", "thread_id"),
    info=UserData(thread="thread_id").info,
)
checkpoints = Table(
    "checkpoints",
    metadata,
    Column("thread_id", Text, primary_key=True),
    Column("checkpoint_ns", Text, primary_key=True, server_default=""),
    Column("checkpoint_id", Text, primary_key=True),
    Column("parent_checkpoint_id", Text),
    Column("type", Text),
    Column("checkpoint", JSONB, nullable=False),
    Column("metadata", JSONB, nullable=False, server_default="{}"),
    Index("checkpoints_thread_id_idx", "thread_id"),
    info=UserData(thread="thread_id").info,
)
checkpoint_migrations = Table(
    "checkpoint_migrations",
    metadata,
    Column("v", Integer, primary_key=True, autoincrement=False),
)
store_migrations = Table(
    "store_migrations",
    metadata,
    Column("v", Integer, primary_key=True, autoincrement=False),
)
vector_migrations = Table(
    "vector_migrations",
    metadata,
    Column("v", Integer, primary_key=True, autoincrement=False),
)
