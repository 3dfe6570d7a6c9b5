"""The words of recordings that users sent; the sound is not kept."""

from sqlalchemy import BigInteger, Column, Index, MetaData, Table, Text

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT

metadata = MetaData()

heard_recordings = Table(
    "heard_recordings",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("sha256", Text, primary_key=True),
    Column("model", Text, primary_key=True),
    Column("unique_id", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("heard_at", MOMENT, nullable=False, server_default=CLOCK),
    Index("heard_recordings_heard_at_idx", "heard_at"),
    Index("heard_recordings_user_idx", "user_id", "unique_id"),
    info=UserData(
        user="user_id",
        age="heard_at",
        kept="operations",
        exported=("sha256", "model", "words", "heard_at"),
        section="recordings",
        order="heard_at",
        special=("conversation", "thing"),
    ).info,
)
