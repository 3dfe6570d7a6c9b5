"""Reminders of a user, and when each was sent."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    MetaData,
    Table,
    Text,
    text,
)

from rich_agent.feature.tables import CLOCK, MOMENT, UserData

metadata = MetaData()

schedules = Table(
    "schedules",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("local_start", DateTime, nullable=False),
    Column("tz", Text, nullable=False),
    Column("rrule", Text, nullable=False, server_default=""),
    Column("local_next", DateTime, comment="What clocks in tz show at the next time by rrule"),
    Column("snoozed_until", MOMENT),
    Column("next_at", MOMENT),
    Column("status", Text, nullable=False, server_default="active"),
    Column("fired_at", MOMENT),
    Column("created_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("changed_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("topic_id", BigInteger),
    Column(
        "origin",
        Text,
        nullable=False,
        server_default="user",
        comment="Who wrote the words, as in domain/words",
    ),
    CheckConstraint("kind IN ('reminder', 'prompt', 'digest')", name="schedules_kind_check"),
    CheckConstraint(
        "status IN ('active', 'paused', 'done', 'cancelled', 'failed')",
        name="schedules_status_check",
    ),
    Index(
        "schedules_digest_idx",
        "user_id",
        unique=True,
        postgresql_where=text("(kind = 'digest') AND (status IN ('active', 'paused'))"),
    ),
    Index("schedules_due_idx", "next_at", postgresql_where=text("status = 'active'")),
    Index("schedules_user_idx", "user_id", "next_at"),
    info=UserData(
        user="user_id",
        text=("text",),
        age="changed_at",
        ended={"status": ("done", "cancelled", "failed")},
        kept="operations",
        exported=(
            *("id AS schedule_id", "text", "kind", "local_start AS start", "tz AS time_zone"),
            *("rrule", "next_at", "status", "fired_at", "created_at", "origin"),
        ),
        formats={"start": 'YYYY-MM-DD"T"HH24:MI'},
        section="reminders",
    ).info,
)
schedule_firings = Table(
    "schedule_firings",
    metadata,
    Column(
        "schedule_id", BigInteger, ForeignKey("schedules.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("occurrence", MOMENT, primary_key=True),
    Column("state", Text, nullable=False),
    Column("due_at", MOMENT, nullable=False),
    Column(
        "update_id",
        BigInteger,
        unique=True,
        server_default=text("nextval('internal_update_numbers'::regclass)"),
    ),
    Column("message_id", BigInteger),
    Column("fired_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("sent_at", MOMENT),
    Column("error", Text, nullable=False, server_default=""),
    CheckConstraint("state <> 'sent' OR message_id IS NOT NULL", name="schedule_firings_check"),
    CheckConstraint(
        "state IN ('queued', 'sent', 'missed', 'dropped', 'failed')",
        name="schedule_firings_state_check",
    ),
    Index("schedule_firings_fired_idx", "fired_at"),
    info=UserData(parent="schedules", age="fired_at", kept="operations").info,
)
