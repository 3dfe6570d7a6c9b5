"""Messages of an admin to everybody, and the copy of each user."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    MetaData,
    Table,
    Text,
    text,
)

from rich_agent.feature.tables import CLOCK, MOMENT, UserData

metadata = MetaData()

broadcasts = Table(
    "broadcasts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("admin_id", BigInteger, nullable=False),
    Column(
        "message_id",
        BigInteger,
        nullable=False,
        comment="In the chat of the admin: where it is reported",
    ),
    Column("locale", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("created_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("cancelled_at", MOMENT),
    Column("reported_at", MOMENT),
    info=UserData(user="admin_id", age="created_at", kept="operations").info,
)
broadcast_recipients = Table(
    "broadcast_recipients",
    metadata,
    Column("broadcast_id", Text, ForeignKey("broadcasts.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("state", Text, nullable=False, server_default="pending"),
    Column("changed_at", MOMENT, nullable=False, server_default=CLOCK),
    CheckConstraint(
        "state IN ('pending', 'sending', 'sent', 'blocked', 'failed', 'unknown')",
        name="broadcast_recipients_state_check",
    ),
    Index(
        "broadcast_recipients_open_idx",
        "broadcast_id",
        "user_id",
        postgresql_where=text("state IN ('pending', 'sending')"),
    ),
    Index("broadcast_recipients_user_idx", "user_id"),
    info=UserData(user="user_id", parent="broadcasts").info,
)
