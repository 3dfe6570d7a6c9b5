"""Files that users send, in the parts that can be cited."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import MOMENT, NOW

metadata = MetaData()

user_files = Table(
    "user_files",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("media_type", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("sha256", Text, nullable=False),
    Column(
        "ref",
        Text,
        nullable=False,
        comment="Where the bytes can be had again, as ImageFiles has it",
    ),
    Column("tokens", Integer, nullable=False),
    Column(
        "unread_pages",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="Read by the programs of before; the inventory has the pages without text",
    ),
    Column(
        "is_kept",
        Boolean,
        nullable=False,
        server_default=text("false"),
        comment="Whether the user wants it remembered; else it goes with the conversation",
    ),
    Column("sent_at", MOMENT, nullable=False, server_default=NOW),
    Column(
        "tables",
        JSONB,
        nullable=False,
        server_default="[]",
        comment="Columns, size, first and last rows of each table in the file",
    ),
    Column(
        "is_private",
        Boolean,
        nullable=False,
        server_default=text("true"),
        comment="A page that not everybody can read",
    ),
    Column(
        "inventory",
        JSONB,
        nullable=False,
        server_default="{}",
        comment="What it holds besides its text, by kind: how many parts, and how many were read",
    ),
    UniqueConstraint("user_id", "sha256", "thread_id"),
    info=UserData(
        user="user_id",
        thread="thread_id",
        age="sent_at",
        ended={"is_kept": (False,)},
        kept=90,
        section="files",
        special=("conversation", "thing", "export"),
    ).info,
)
user_file_units = Table(
    "user_file_units",
    metadata,
    Column(
        "file_id", BigInteger, ForeignKey("user_files.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("position", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("heading", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("anchor", Text, nullable=False, server_default=""),
    CheckConstraint(
        "kind IN ('page', 'sheet', 'slide', 'section')", name="user_file_units_kind_check"
    ),
    info=UserData(parent="user_files").info,
)
