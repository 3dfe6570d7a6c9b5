"""Identities at the provider, sign-ins that are under way, and tokens that were used once."""

from sqlalchemy import ARRAY, BigInteger, Column, LargeBinary, MetaData, Table, Text, text

from rich_agent.feature.tables import CLOCK, MOMENT, UserData

metadata = MetaData()

oidc_identities = Table(
    "oidc_identities",
    metadata,
    Column("issuer", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("user_id", BigInteger, nullable=False, unique=True),
    Column("name", Text, nullable=False, server_default=text("''")),
    Column("email", Text, nullable=False, server_default=text("''")),
    Column("groups", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("tokens", LargeBinary, comment="Sealed: with them the provider is asked again"),
    Column("session", Text, nullable=False, server_default=text("''")),
    Column("checked_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("checking_at", MOMENT, comment="When a process began to ask the provider again"),
    Column("made_at", MOMENT, nullable=False, server_default=CLOCK),
    info=UserData(
        user="user_id",
        exported=("issuer", "subject", "name", "email", "groups", "checked_at", "made_at"),
    ).info,
)
oidc_sign_ins = Table(
    "oidc_sign_ins",
    metadata,
    Column("secret_hash", LargeBinary, primary_key=True),
    Column("page", Text, nullable=False),
    Column("begun_at", MOMENT, nullable=False, server_default=CLOCK),
    info=UserData(age="begun_at", kept=1).info,
)
oidc_logouts = Table(
    "oidc_logouts",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("used_at", MOMENT, nullable=False, server_default=CLOCK),
    info=UserData(age="used_at", kept=1).info,
)
oidc_link_codes = Table(
    "oidc_link_codes",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("code_hash", LargeBinary, nullable=False, unique=True),
    Column("expires_at", MOMENT, nullable=False),
    info=UserData(user="user_id", age="expires_at", kept="operations").info,
)
