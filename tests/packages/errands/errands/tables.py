"""The table of errands, declared."""

from sqlalchemy import BigInteger, Column, DateTime, Identity, MetaData, Table, Text, func

from rich_agent.feature import UserData

metadata = MetaData()
errands = Table(
    "errands",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    Column("done_at", DateTime(timezone=True)),
    info=UserData(
        user="user_id",
        thread="thread_id",
        text=("words",),
        age="done_at",
        kept=30,
        exported=("words", "at", "done_at"),
    ).info,
)
