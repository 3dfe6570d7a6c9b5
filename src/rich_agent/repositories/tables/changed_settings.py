"""Settings that operators changed while the bot ran."""

from sqlalchemy import BigInteger, Column, Identity, Index, MetaData, Table, Text, desc

from rich_agent.ports.user_data import NobodysData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT

metadata = MetaData()

setting_changes = Table(
    "setting_changes",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("name", Text, nullable=False),
    Column("value", Text, comment="Null: that of the environment again"),
    Column("changed_by", BigInteger, comment="Null: at the shell"),
    Column("changed_at", MOMENT, nullable=False, server_default=CLOCK),
    Index("setting_changes_name_idx", "name", desc("id")),
    info=NobodysData("what the operators set, which holds whatever one of them has forgotten").info,
)
