"""Feeds of users' calendars."""

from sqlalchemy import BigInteger, Column, LargeBinary, MetaData, Table, Text

from rich_agent.feature.tables import CLOCK, MOMENT, UserData

metadata = MetaData()

calendar_feeds = Table(
    "calendar_feeds",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("nonce", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("made_at", MOMENT, nullable=False, server_default=CLOCK),
    info=UserData(user="user_id", exported=("made_at",), section="calendar_feed").info,
)
