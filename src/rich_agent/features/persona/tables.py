"""Versions of personas, and which of them is in effect where."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.feature import NobodysData
from rich_agent.feature.tables import CLOCK, MOMENT

_REASON = "how the bot speaks and who decided it, which stays when an operator leaves"
metadata = MetaData()

persona_versions = Table(
    "persona_versions",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("space", Text, nullable=False, comment="Its name in small letters; '' for the bot"),
    Column("content", JSONB, nullable=False),
    Column("picture_type", Text, nullable=False, server_default=""),
    Column("picture", LargeBinary),
    Column("made_by", BigInteger),
    Column("made_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("questions", JSONB, nullable=False, server_default=text("'[]'")),
    Column("preview", JSONB, nullable=False, server_default=text("'[]'")),
    Column("previewed_at", MOMENT),
    CheckConstraint(
        "(picture_type = '') = (picture IS NULL)", name="persona_versions_picture_check"
    ),
    Index("persona_versions_space_idx", "space", "id"),
    info=NobodysData(_REASON).info,
)
persona_changes = Table(
    "persona_changes",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("space", Text, nullable=False),
    Column("version_id", BigInteger, ForeignKey("persona_versions.id")),
    Column("changed_by", BigInteger),
    Column("changed_at", MOMENT, nullable=False, server_default=CLOCK),
    Index("persona_changes_space_idx", "space", "id"),
    info=NobodysData(_REASON).info,
)
