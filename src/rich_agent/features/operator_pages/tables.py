"""OperatorRoles of those who look after the bot besides its admins."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Identity,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

from rich_agent.feature import NobodysData
from rich_agent.feature.tables import CLOCK, MOMENT

metadata = MetaData()

operator_roles = Table(
    "operator_roles",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("role", Text, nullable=False),
    Column("given_by", BigInteger, nullable=False),
    Column("given_at", MOMENT, nullable=False, server_default=CLOCK),
    CheckConstraint(
        "role IN ('owner', 'operator', 'viewer', 'author')", name="operator_roles_role_check"
    ),
    info=NobodysData("whom the owner lets see the operator's pages, which is theirs to say").info,
)
operator_invites = Table(
    "operator_invites",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("code_hash", LargeBinary, nullable=False, unique=True),
    Column("role", Text),
    Column("made_by", BigInteger, nullable=False),
    Column("made_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("expires_at", MOMENT, nullable=False),
    Column("used_by", BigInteger),
    Column("used_at", MOMENT),
    CheckConstraint(
        "role IN ('owner', 'operator', 'viewer', 'author')", name="operator_invites_role_check"
    ),
    info=NobodysData("the operator's list of whom they invited, as the access list is").info,
)
