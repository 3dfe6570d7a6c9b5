"""Updates from Telegram, messages to it, the lanes of users, and attempts at their work."""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import NobodysData, UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT

metadata = MetaData()

telegram_inbox = Table(
    "telegram_inbox",
    metadata,
    Column("update_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False),
    Column("urgent", Boolean, nullable=False),
    Column("raw", LargeBinary, nullable=False),
    Column("media_group_id", Text),
    Column("received_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("last_error", Text),
    Column("done_at", MOMENT),
    Column("dead_at", MOMENT),
    Column("text_units", Integer),
    Column("bundle_id", BigInteger),
    Column("over_cap", Boolean, nullable=False, server_default=text("false")),
    Column("topic_id", BigInteger),
    Column("holds", Integer, nullable=False, server_default=text("0")),
    Column("held_since", MOMENT),
    Column("held_until", MOMENT),
    Column("user_message_id", BigInteger),
    Index("telegram_inbox_dead", "dead_at", postgresql_where=text("dead_at IS NOT NULL")),
    Index("telegram_inbox_done", "done_at", postgresql_where=text("done_at IS NOT NULL")),
    Index(
        "telegram_inbox_pending",
        "user_id",
        "urgent",
        "update_id",
        postgresql_where=text("(done_at IS NULL) AND (dead_at IS NULL)"),
        postgresql_include=["received_at"],
    ),
    info=UserData(user="user_id", special=("everything", "thing", "age")).info,
)
telegram_outbox = Table(
    "telegram_outbox",
    metadata,
    Column("update_id", BigInteger, primary_key=True),
    Column("part", Integer, primary_key=True),
    Column("chat_id", BigInteger, nullable=False),
    Column("state", Text, nullable=False, server_default="sending"),
    Column("message_id", BigInteger),
    Column("text", Text, nullable=False, server_default=""),
    Column("reason", Text),
    Column("created_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("updated_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("after_id", BigInteger, nullable=False, server_default=text("0")),
    Column("fence", BigInteger),
    Column("is_doubtful", Boolean, nullable=False, server_default=text("false")),
    Column("topic_id", BigInteger),
    CheckConstraint("state IN ('sending', 'sent', 'failed')", name="telegram_outbox_state_check"),
    Index("telegram_outbox_created", "created_at"),
    Index("telegram_outbox_message", "chat_id", "message_id"),
    info=UserData(
        user="chat_id",
        age="created_at",
        kept="operations",
        special=("everything", "conversation", "thing"),
    ).info,
)
telegram_lanes = Table(
    "telegram_lanes",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("urgent", Boolean, primary_key=True),
    Column("ready_at", MOMENT, nullable=False),
    Column(
        "fence",
        BigInteger,
        nullable=False,
        unique=True,
        server_default=text("nextval('telegram_lane_fence'::regclass)"),
    ),
    Column("told_at", MOMENT),
    Column("awaits_more", Boolean, nullable=False, server_default=text("false")),
    Column("holder", Integer),
    Column("waits_since", MOMENT),
    Index("telegram_lanes_holder", "holder", postgresql_where=text("holder IS NOT NULL")),
    Index("telegram_lanes_ready", "urgent", "ready_at"),
    info=NobodysData(
        "a lane ends with its work, and forgetting holds it to keep other workers out"
    ).info,
)
telegram_rate = Table(
    "telegram_rate",
    metadata,
    Column("is_only", Boolean, primary_key=True, server_default=text("true")),
    Column("whole_at", MOMENT, nullable=False),
    CheckConstraint("is_only", name="telegram_rate_is_only_check"),
)
telegram_stops = Table(
    "telegram_stops",
    metadata,
    Column("update_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False),
    Column("asked_at", MOMENT, nullable=False, server_default=CLOCK),
    Index("telegram_stops_asked", "asked_at"),
    info=UserData(user="user_id", age="asked_at", kept="operations").info,
)
telegram_questions = Table(
    "telegram_questions",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("update_id", BigInteger, nullable=False),
    Column("message_ids", ARRAY(BigInteger), nullable=False),
    Column("updates", ARRAY(LargeBinary), nullable=False),
    Column("revision", BigInteger, nullable=False, server_default=text("0")),
    Column("answered", BigInteger),
    Column("told", ARRAY(BigInteger), nullable=False, server_default="{}"),
    info=UserData(user="user_id", special=("everything", "thing", "age")).info,
)
attempts = Table(
    "attempts",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("key", BigInteger, primary_key=True),
    Column("holder", Integer, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("begun_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("letter", BigInteger),
    Column("has_ended", Boolean, nullable=False, server_default=text("false")),
    Column("launch", BigInteger),
    Column("ended_alone", Boolean, nullable=False, server_default=text("false")),
    Index("attempts_letter", "letter", postgresql_where=text("letter IS NOT NULL")),
    Index("attempts_under_way", "holder", postgresql_where=text("NOT has_ended")),
    Index("attempts_user_id", "user_id"),
    info=UserData(user="user_id", age="begun_at", kept=90).info,
)
guest_questions = Table(
    "guest_questions",
    metadata,
    Column("update_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_tag", Text, nullable=False),
    Column("group_tag", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("is_closed", Boolean, nullable=False, server_default=text("false")),
    Column(
        "is_private",
        Boolean,
        nullable=False,
        server_default=text("false"),
        comment="Whether it is answered to its user alone, by every attempt",
    ),
    Column("asked_at", MOMENT, nullable=False, server_default=CLOCK),
    CheckConstraint(
        "outcome IN ('answered', 'command', 'user_limit', 'group_limit', 'silent')",
        name="guest_questions_outcome_check",
    ),
    Index("guest_questions_asked_at", "asked_at"),
    info=UserData(age="asked_at", kept=1).info,
)
telegram_widgets = Table(
    "telegram_widgets",
    metadata,
    Column("chat_id", BigInteger, primary_key=True),
    Column("message_id", BigInteger, primary_key=True),
    Column("topic_id", BigInteger),
    Column("block", JSONB, nullable=False),
    Column("state", Text, nullable=False, server_default=""),
    Column("sent_at", MOMENT, nullable=False, server_default=CLOCK),
    Index("telegram_widgets_sent", "sent_at"),
    info=UserData(user="chat_id", age="sent_at", kept="operations", is_cache=True).info,
)
telegram_widget_refusals = Table(
    "telegram_widget_refusals",
    metadata,
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("refused_at", MOMENT, nullable=False, server_default=CLOCK),
    info=UserData(user="chat_id", age="refused_at", kept=7, goes_with_all=True).info,
)
admin_alerts = Table(
    "admin_alerts",
    metadata,
    Column("cause", Text, primary_key=True),
    Column("told_at", MOMENT, nullable=False),
)
