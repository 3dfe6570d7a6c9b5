"""Roles and invitations of those who look after the bot, and the questions that they work on."""

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from rich_agent.feature import NobodysData
from rich_agent.feature.tables import CLOCK, MOMENT, UserData

metadata = MetaData()

operator_roles = Table(
    "operator_roles",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("role", Text, nullable=False),
    Column("given_by", BigInteger, nullable=False),
    Column("given_at", MOMENT, nullable=False, server_default=CLOCK),
    CheckConstraint(
        "role IN ('owner', 'operator', 'viewer', 'author')", name="operator_roles_role_check"
    ),
    info=NobodysData("whom the owner lets see the operator's pages, which is theirs to say").info,
)
operator_invites = Table(
    "operator_invites",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("code_hash", LargeBinary, nullable=False, unique=True),
    Column("role", Text),
    Column("made_by", BigInteger, nullable=False),
    Column("made_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("expires_at", MOMENT, nullable=False),
    Column("used_by", BigInteger),
    Column("used_at", MOMENT),
    CheckConstraint(
        "role IN ('owner', 'operator', 'viewer', 'author')", name="operator_invites_role_check"
    ),
    info=NobodysData("the operator's list of whom they invited, as the access list is").info,
)
quality_subjects = Table(
    "quality_subjects",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("name", Text, nullable=False, server_default=""),
    Column("state", Text, nullable=False, server_default="open"),
    Column("assignee_id", BigInteger),
    Column("note", Text, nullable=False, server_default=""),
    Column("question_count", Integer, nullable=False, server_default=text("0")),
    Column("asked_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("done_at", MOMENT),
    Column("reopened_at", MOMENT),
    CheckConstraint("state IN ('open', 'done')", name="quality_subjects_state_check"),
    Index("quality_subjects_idx", "state", "asked_at", "id"),
    Index(
        "quality_subjects_assignee_idx",
        "assignee_id",
        "state",
        "asked_at",
        "id",
        postgresql_where=text("assignee_id IS NOT NULL"),
    ),
    info=NobodysData("who works on a subject; its name goes with any question of it").info,
)
quality_questions = Table(
    "quality_questions",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("subject_id", BigInteger, ForeignKey("quality_subjects.id", ondelete="SET NULL")),
    Column("thread_id", Text, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("query", Text, nullable=False),
    Column("is_unanswered", Boolean, nullable=False, server_default=text("false")),
    Column("is_rated_down", Boolean, nullable=False, server_default=text("false")),
    Column("asked_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("terms", ARRAY(Integer), nullable=False, server_default="{}"),
    Column("vector_space", Text, nullable=False, server_default=""),
    Column("embedding", HALFVEC),
    Column("again", Text, nullable=False, server_default=""),
    Column("again_at", MOMENT),
    Column("again_answer", Text, nullable=False, server_default=""),
    Column("again_sources", ARRAY(Text), nullable=False, server_default="{}"),
    UniqueConstraint("thread_id", "request_id"),
    CheckConstraint(
        "again IN ('', 'asked', 'answered', 'unanswered', 'failed')",
        name="quality_questions_again_check",
    ),
    Index("quality_questions_subject_idx", "subject_id", "id"),
    Index("quality_questions_asked_idx", "asked_at"),
    Index("quality_questions_request_idx", "request_id"),
    info=UserData(
        thread="thread_id",
        request="request_id",
        text=("query",),
        age="asked_at",
        kept="conversation",
        exported=("request_id", "query", "is_unanswered", "is_rated_down", "asked_at"),
        section="questions_for_operator",
    ).info,
)
