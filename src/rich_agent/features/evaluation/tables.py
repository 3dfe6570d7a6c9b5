"""Figures of evaluations, and stored test questions."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.feature.tables import CLOCK, MOMENT, UserData

metadata = MetaData()

evaluation_runs = Table(
    "evaluation_runs",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("started_at", MOMENT, nullable=False),
    Column("version", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("changes", Text, nullable=False),
    Column("question_set", Text, nullable=False),
    Column("question_count", Integer, nullable=False),
    Column("measures", JSONB, nullable=False),
)
# A question of a user has its turn until the operator writes it in their own words.
evaluation_questions = Table(
    "evaluation_questions",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("ask", Text, nullable=False),
    Column("facts", JSONB, nullable=False, server_default=text("'[]'")),
    Column("sources", JSONB, nullable=False, server_default=text("'[]'")),
    Column("refuse", Boolean, nullable=False, server_default=text("false")),
    Column("thread_id", Text),
    Column("request_id", Text),
    Column("asked_at", MOMENT),
    Column("stored_at", MOMENT, nullable=False, server_default=CLOCK),
    CheckConstraint(
        "(thread_id IS NULL) = (asked_at IS NULL) AND (thread_id IS NULL) = (request_id IS NULL)",
        name="evaluation_questions_origin_check",
    ),
    Index("evaluation_questions_thread_idx", "thread_id"),
    info=UserData(
        thread="thread_id",
        request="request_id",
        text=("ask",),
        age="asked_at",
        kept="conversation",
        exported=("request_id", "ask", "asked_at", "stored_at"),
        section="test_questions",
    ).info,
)
