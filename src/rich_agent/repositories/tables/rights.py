"""Readers of spaces and places: people, and the groups that they are in."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.documents import rag_sources, rag_spaces
from rich_agent.repositories.tables.moments import MOMENT

metadata = MetaData()

rag_principals = Table(
    "rag_principals",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column(
        "name",
        Text,
        nullable=False,
        unique=True,
        comment="everybody, user:7, external:wiki:anna, …",
    ),
)
rag_members = Table(
    "rag_members",
    metadata,
    Column("source_id", Text, ForeignKey(rag_sources.c.id, ondelete="CASCADE"), primary_key=True),
    Column(
        "group_id", Integer, ForeignKey("rag_principals.id", ondelete="CASCADE"), primary_key=True
    ),
    Column(
        "member_id", Integer, ForeignKey("rag_principals.id", ondelete="CASCADE"), primary_key=True
    ),
    Index("rag_members_group", "group_id"),
    Index("rag_members_member", "member_id"),
    comment="Who is in the groups of a service, as its source was told",
)
rag_memberships = Table(
    "rag_memberships",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("principal", Text, primary_key=True),
    Column(
        "checked_at",
        MOMENT,
        comment="When Telegram was asked, which holds for some minutes; NULL: as the "
        "operator set it",
    ),
    Column("is_member", Boolean, nullable=False, server_default=text("true")),
    Column(
        "holds_until",
        MOMENT,
        comment="Until when it counts at most; NULL: as long as checked_at says",
    ),
    Index("rag_memberships_principal_idx", "principal"),
    info=UserData(
        user="user_id",
        age="checked_at",
        kept="operations",
        exported=("principal", "is_member", "checked_at"),
        section="memberships",
        order="principal",
        special=("everything",),
    ).info,
)
rag_unchosen_spaces = Table(
    "rag_unchosen_spaces",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("space_id", Integer, ForeignKey(rag_spaces.c.id, ondelete="CASCADE"), primary_key=True),
    Index("rag_unchosen_spaces_space_id_idx", "space_id"),
    comment="Spaces in which nothing is looked up for a user unless a question names them",
    info=UserData(user="user_id", section="unchosen_spaces", special=("export",)).info,
)
