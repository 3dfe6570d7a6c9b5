"""The work that is due at its times, of all kinds."""

from sqlalchemy import (
    BigInteger,
    Column,
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
from rich_agent.repositories.tables.moments import CLOCK, MOMENT

metadata = MetaData()

due_work = Table(
    "due_work",
    metadata,
    Column("id", BigInteger, Identity(always=False), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("user_id", BigInteger, comment="Whose it is: it is forgotten with them"),
    Column("request_id", Text),
    Column("payload", JSONB, nullable=False, server_default="{}"),
    Column("added_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("due_at", MOMENT, nullable=False, server_default=CLOCK),
    Column(
        "version",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="Grows when it is added again, also while it is held",
    ),
    Column("lease_until", MOMENT),
    Column("holder", Integer),
    Column(
        "fence",
        BigInteger,
        nullable=False,
        server_default=text("0"),
        comment="Grows with each claim",
    ),
    Column(
        "tries",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="Those in a row that failed, and the one under way",
    ),
    Column("last_error", Text, nullable=False, server_default=""),
    Column("set_aside_at", MOMENT),
    UniqueConstraint("kind", "key"),
    Index("due_work_kind_idx", "kind", "due_at", postgresql_where=text("set_aside_at IS NULL")),
    Index("due_work_lease_idx", "lease_until", postgresql_where=text("lease_until IS NOT NULL")),
    Index(
        "due_work_failed_idx",
        text("(set_aside_at IS NULL)"),
        "due_at",
        "id",
        postgresql_where=text("set_aside_at IS NOT NULL OR last_error <> ''"),
    ),
    Index("due_work_user_idx", "user_id"),
    Index("due_work_holder_idx", "holder", postgresql_where=text("holder IS NOT NULL")),
    info=UserData(
        user="user_id",
        request="request_id",
        text=("payload",),
        exported=("kind", "key", "request_id", "payload", "due_at"),
        age="set_aside_at",
        kept=90,
    ).info,
)
