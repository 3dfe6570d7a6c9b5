"""Services that sources are read from: what they list, when they are read, and their events."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.repositories.tables.documents import rag_sources
from rich_agent.repositories.tables.moments import MOMENT

metadata = MetaData()

rag_connections = Table(
    "rag_connections",
    metadata,
    Column("source_id", Text, ForeignKey(rag_sources.c.id, ondelete="CASCADE"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("config", JSONB, nullable=False),
    Column("secret", LargeBinary, comment="Sealed with CREDENTIALS_KEY; NULL: none needed"),
    Column(
        "cursor",
        Text,
        nullable=False,
        server_default="",
        comment="Where the next listing goes on; empty: all anew",
    ),
    Column("listing", Integer, nullable=False, server_default=text("0")),
    Column(
        "is_whole",
        Boolean,
        nullable=False,
        server_default=text("false"),
        comment="Whether a listing of everything is under way; entries of earlier ones are "
        "gone at its end",
    ),
    Column("whole_at", MOMENT),
    comment="Services that connected sources are read from",
)
rag_entries = Table(
    "rag_entries",
    metadata,
    Column(
        "source_id",
        Text,
        ForeignKey("rag_connections.source_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("key", Text, primary_key=True),
    Column("url", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("place", Text, nullable=False),
    Column("listing", Integer, nullable=False),
    Column("problem", Text, comment="Why this version could not be read, at tried_at"),
    Column("tried_at", MOMENT),
    Index("rag_entries_url", "source_id", "url"),
    comment="Documents that a service says it has",
)
rag_clocks = Table(
    "rag_clocks",
    metadata,
    Column("source_id", Text, ForeignKey(rag_sources.c.id, ondelete="CASCADE"), primary_key=True),
    Column("job", Text, primary_key=True),
    Column(
        "every", Text, nullable=False, comment="Seconds, or five fields of cron; empty: when asked"
    ),
    Column("problem", Text, nullable=False, server_default=""),
    Column("is_refused", Boolean, nullable=False, server_default=text("false")),
    Column(
        "told",
        Text,
        nullable=False,
        server_default="",
        comment="The problem that the operator was told of",
    ),
    Column("done_at", MOMENT),
    CheckConstraint("job IN ('content', 'rights', 'watch')", name="rag_clocks_job_check"),
    comment="When workers read a source, and who may read it, again",
)
rag_hooks = Table(
    "rag_hooks",
    metadata,
    Column("source_id", Text, ForeignKey(rag_sources.c.id, ondelete="CASCADE"), primary_key=True),
    Column("secret", LargeBinary, nullable=False, comment="Sealed with CREDENTIALS_KEY"),
    Column("last_event_at", MOMENT),
    comment="Sources whose services post events, and their secrets",
)
