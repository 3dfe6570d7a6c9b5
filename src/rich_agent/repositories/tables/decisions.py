"""Decisions: how each turn was answered, and how its user liked the answer."""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT, NOW

metadata = MetaData()

retrieval_decisions = Table(
    "retrieval_decisions",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("thread_id", Text, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("intent", Text, nullable=False),
    Column("plan", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("query", Text, nullable=False, server_default=""),
    Column("retrieved_count", Integer, nullable=False, server_default=text("0")),
    Column("citations_count", Integer, nullable=False, server_default=text("0")),
    Column("latency_ms", JSONB, nullable=False, server_default="{}"),
    Column("nodes", JSONB, nullable=False, server_default="{}"),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    Column(
        "retrieved",
        JSONB,
        nullable=False,
        server_default="[]",
        comment="The passages that were read, best first: label, kind, score",
    ),
    Column(
        "queries",
        ARRAY(Text),
        nullable=False,
        server_default="{}",
        comment="Of a compound question, the query for each part; empty otherwise",
    ),
    UniqueConstraint("thread_id", "request_id"),
    Index("retrieval_decisions_created_idx", "created_at"),
    Index("retrieval_decisions_latest_idx", "thread_id", "id"),
    Index("retrieval_decisions_request_idx", "request_id"),
    info=UserData(
        thread="thread_id",
        age="created_at",
        kept="conversation",
        section="decisions",
        special=("thing", "export"),
    ).info,
)
answer_feedback = Table(
    "answer_feedback",
    metadata,
    Column(
        "decision_id",
        BigInteger,
        ForeignKey("retrieval_decisions.id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("rating", Text, nullable=False),
    Column("rated_at", MOMENT, nullable=False, server_default=CLOCK),
    CheckConstraint("rating IN ('up', 'down')", name="answer_feedback_rating_check"),
    info=UserData(parent="retrieval_decisions").info,
)
