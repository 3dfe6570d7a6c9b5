"""Feeds of users' calendars, connected task lists, and which entry of a list is which task."""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.feature.tables import CLOCK, MOMENT, UserData
from rich_agent.features.agenda.public import load_tasks_table

metadata = MetaData()
_tasks = load_tasks_table()

calendar_feeds = Table(
    "calendar_feeds",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("nonce", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("made_at", MOMENT, nullable=False, server_default=CLOCK),
    info=UserData(user="user_id", exported=("made_at",), section="calendar_feed").info,
)
caldav_connections = Table(
    "caldav_connections",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column(
        "url",
        Text,
        nullable=False,
        server_default="",
        comment="Of the task list; empty until one is chosen",
    ),
    Column("name", Text, nullable=False, server_default=""),
    Column("username", Text, nullable=False),
    Column(
        "password", LargeBinary, nullable=False, comment="Encrypted with a key of CREDENTIALS_KEY"
    ),
    Column("choices", JSONB, nullable=False, server_default="[]"),
    Column("tag", Text, nullable=False, server_default=""),
    Column("synced_at", MOMENT),
    Column("problem", Text, nullable=False, server_default=""),
    Column("update_id", BigInteger, unique=True),
    Column("made_at", MOMENT, nullable=False, server_default=CLOCK),
    info=UserData(
        user="user_id",
        exported=("url", "name", "username", "made_at", "synced_at"),
        section="task_list",
        goes_with_all=True,
    ).info,
)
caldav_entries = Table(
    "caldav_entries",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("task_id", BigInteger, ForeignKey(_tasks.c.id, ondelete="SET NULL"), unique=True),
    Column("uid", Text, nullable=False),
    Column("href", Text, nullable=False),
    Column("etag", Text, nullable=False, server_default=""),
    Column("ours", JSONB, comment="The task as of the last sync; null: no task here"),
    Column(
        "theirs",
        JSONB,
        nullable=False,
        server_default="{}",
        comment="The entry as of the last sync",
    ),
    Column("conflict", JSONB, comment="The task that the entry replaced, and the entry"),
    Column("update_id", BigInteger, unique=True),
    UniqueConstraint("user_id", "href"),
    Index("caldav_entries_uid_idx", "user_id", "uid"),
    info=UserData(
        user="user_id",
        exported=("task_id", "uid", "href"),
        section="task_list_entries",
        goes_with_all=True,
    ).info,
)
