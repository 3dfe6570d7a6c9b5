"""Transcripts of users' recordings, and the users' choices of spoken answers."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, MetaData, Table, Text

from rich_agent.feature.tables import CLOCK, MOMENT, UserData

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
        is_cache=True,
    ).info,
)

voice_choices = Table(
    "voice_choices",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("speech", Text, nullable=False),
    CheckConstraint("speech IN ('off', 'in_kind', 'always')", name="voice_choices_speech_check"),
    info=UserData(user="user_id", exported=("speech",)).info,
)
