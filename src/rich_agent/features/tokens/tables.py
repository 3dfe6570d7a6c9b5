"""Tokens of programs, as hashes."""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    Identity,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

from rich_agent.feature.tables import CLOCK, MOMENT, UserData

metadata = MetaData()

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("user_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("scopes", ARRAY(Text), nullable=False),
    Column("created_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("last_used_at", MOMENT),
    Column("expires_at", MOMENT),
    Column("revoked_at", MOMENT),
    Index("api_tokens_of_user", "user_id"),
    info=UserData(
        user="user_id",
        age=("revoked_at", "expires_at"),
        kept="operations",
        exported=("name", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at"),
    ).info,
)
