"""OperatorRoles of those who look after the bot besides its admins."""

from sqlalchemy import BigInteger, CheckConstraint, Column, MetaData, Table, Text

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
