"""Tools of servers in the form in which they were first seen, or accepted."""

from sqlalchemy import Boolean, Column, MetaData, Table, Text, text
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.feature.tables import CLOCK, MOMENT

metadata = MetaData()

tool_pins = Table(
    "tool_pins",
    metadata,
    Column("server", Text, primary_key=True),
    Column("tool", Text, primary_key=True),
    Column("pinned", JSONB, comment="NULL for a tool that nobody accepted yet"),
    Column("digest", Text, nullable=False, server_default=""),
    Column("found", JSONB),
    Column("found_digest", Text, nullable=False, server_default=""),
    Column("is_told", Boolean, nullable=False, server_default=text("false")),
    Column("pinned_at", MOMENT, nullable=False, server_default=CLOCK),
)
