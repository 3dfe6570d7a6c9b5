"""Sessions of browsers, and the codes of links that sign in."""

from sqlalchemy import (
    BigInteger,
    Column,
    Identity,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

from rich_agent.feature.tables import CLOCK, MOMENT, UserData

metadata = MetaData()

web_sessions = Table(
    "web_sessions",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("secret_hash", LargeBinary, nullable=False, unique=True),
    Column("user_id", BigInteger, nullable=False),
    Column("created_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("last_used_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("expires_at", MOMENT, nullable=False),
    Column("provider", Text, nullable=False, server_default=text("''")),
    Column("provider_subject", Text, nullable=False, server_default=text("''")),
    Column("provider_session", Text, nullable=False, server_default=text("''")),
    Index("web_sessions_of_user", "user_id"),
    Index(
        "web_sessions_of_provider",
        "provider_subject",
        "provider_session",
        postgresql_where=text("provider <> ''"),
    ),
    info=UserData(
        user="user_id",
        age="expires_at",
        kept="operations",
        exported=("created_at", "last_used_at", "expires_at", "provider"),
    ).info,
)
web_login_codes = Table(
    "web_login_codes",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("code_hash", LargeBinary, nullable=False, unique=True),
    Column("expires_at", MOMENT, nullable=False),
    info=UserData(user="user_id", age="expires_at", kept="operations").info,
)
