"""Users, who of them is let in, and whom the bot belongs to."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Identity,
    Index,
    MetaData,
    Table,
    Text,
    Time,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import NobodysData, UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT, NOW

metadata = MetaData()

users = Table(
    "users",
    metadata,
    Column("telegram_user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("username", Text),
    Column("first_name", Text, nullable=False, server_default=""),
    Column("language_code", Text),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    Column("last_seen_at", MOMENT),
    Column("blocked_at", MOMENT),
    Column("locale", Text, comment="Chosen with /language; null: as Telegram says"),
    Column(
        "fresh_from",
        BigInteger,
        nullable=False,
        server_default=text("0"),
        comment="The update of the last /new: later turns know nothing of what was said before",
    ),
    Column(
        "time_zone",
        Text,
        nullable=False,
        server_default="",
        comment="IANA name; empty while it is not known",
    ),
    Column("quiet_from", Time),
    Column("quiet_until", Time),
    Column("speech", Text),
    Column("spoken_locale", Text),
    CheckConstraint("speech IN ('off', 'in_kind', 'always')", name="users_speech_check"),
    info=UserData(
        user="telegram_user_id", section="profile", special=("everything", "export")
    ).info,
)
access_list = Table(
    "access_list",
    metadata,
    Column("telegram_user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("is_allowed", Boolean, nullable=False),
    Column("changed_by", BigInteger),
    Column("changed_at", MOMENT, nullable=False, server_default=CLOCK),
    info=NobodysData("the operator's list, which holds whatever a user has forgotten").info,
)
operator = Table(
    "operator",
    metadata,
    Column("is_only", Boolean, primary_key=True, server_default=text("true")),
    Column("code", Text, nullable=False),
    Column("telegram_user_id", BigInteger),
    Column("bound_at", MOMENT),
    CheckConstraint("is_only", name="operator_is_only_check"),
    info=NobodysData("whom the bot belongs to, which is the operator's to say").info,
)
audit_records = Table(
    "audit_records",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("at", MOMENT, nullable=False, server_default=CLOCK),
    Column("by_user_id", BigInteger, comment="Null: a command of the shell"),
    Column("role", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("details", JSONB, nullable=False),
    Column("origin", Text, nullable=False),
    Column("outcome", Text, comment="Null: the change has begun, and its end is not known"),
    CheckConstraint("outcome IN ('done', 'refused', 'failed')", name="audit_records_outcome_check"),
    info=NobodysData("the operator's record of changes to the bot, which nobody can alter").info,
)
confirmations = Table(
    "confirmations",
    metadata,
    Column("token", Text, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("subject", Text, nullable=False),
    Column("created_at", MOMENT, nullable=False, server_default=CLOCK),
    Index("confirmations_user_id_idx", "user_id"),
    info=UserData(user="user_id").info,
)
