"""Calls of tools, what permits them, the answers that wait for approval, and pinned tools."""

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
from sqlalchemy.dialects.postgresql import DOUBLE_PRECISION, JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT

metadata = MetaData()

approvals = Table(
    "approvals",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("locale", Text, nullable=False),
    Column("intent", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("citations", JSONB, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("state", Text, nullable=False, server_default="pending"),
    Column("words", Text, nullable=False, server_default=""),
    Column("requested_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("decided_at", MOMENT),
    Column("decided_by", BigInteger),
    Column("settled_at", MOMENT, comment="When it was noted who has to hear the verdict"),
    UniqueConstraint("thread_id", "request_id", "revision"),
    CheckConstraint(
        "state IN ('pending', 'approved', 'corrected', 'rejected', 'expired', 'withdrawn')",
        name="approvals_state_check",
    ),
    Index("approvals_open_idx", "id", postgresql_where=text("settled_at IS NULL")),
    Index("approvals_user_idx", "user_id"),
    info=UserData(
        user="user_id",
        thread="thread_id",
        request="request_id",
        age="settled_at",
        kept="operations",
        exported=("request_id", "question", "state", "words", "requested_at", "decided_at"),
    ).info,
)
approval_notices = Table(
    "approval_notices",
    metadata,
    Column(
        "update_id",
        BigInteger,
        primary_key=True,
        server_default=text("nextval('internal_update_numbers'::regclass)"),
        comment="In the inbox; Telegram's are positive",
    ),
    Column(
        "approval_id", BigInteger, ForeignKey("approvals.id", ondelete="CASCADE"), nullable=False
    ),
    Column("user_id", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("handed_out_at", MOMENT),
    UniqueConstraint("approval_id", "user_id", "kind"),
    CheckConstraint(
        "kind IN ('review', 'correction', 'reason', 'verdict', 'closed')",
        name="approval_notices_kind_check",
    ),
    Index("approval_notices_user_idx", "user_id"),
    info=UserData(user="user_id", parent="approvals").info,
)
tool_executions = Table(
    "tool_executions",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("call_id", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("input", JSONB, nullable=False),
    Column("output", JSONB, comment="The result as the model was given it"),
    Column("status", Text, nullable=False, server_default="pending"),
    Column("undo", JSONB),
    Column("undone_at", MOMENT),
    Column("message", Text, nullable=False, server_default=""),
    Column("started_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("duration_ms", DOUBLE_PRECISION),
    UniqueConstraint("thread_id", "request_id", "call_id"),
    CheckConstraint(
        "status IN ('pending', 'success', 'error', 'denied', 'unknown')",
        name="tool_executions_status_check",
    ),
    Index("tool_executions_user_idx", "user_id", "started_at"),
    info=UserData(
        user="user_id",
        thread="thread_id",
        request="request_id",
        text=("input", "output"),
        age="started_at",
        kept="operations",
        exported=("request_id", "tool", "input", "output", "status", "started_at", "undone_at"),
        section="tool_calls",
    ).info,
)
tool_permissions = Table(
    "tool_permissions",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("server", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("digest", Text, nullable=False, comment="Of the tool as it was accepted"),
    Column("title", Text, nullable=False),
    Column("arguments", JSONB, nullable=False),
    Column("fixed", ARRAY(Text), comment="NULL for all arguments"),
    Column("given_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("used", Integer, nullable=False, server_default=text("0")),
    Column("used_at", MOMENT),
    Index("tool_permissions_once", "user_id", "digest", text("md5(arguments::text)"), unique=True),
    info=UserData(
        user="user_id",
        exported=("server", "tool", "title", "arguments", "fixed", "given_at", "used", "used_at"),
        section="permissions",
        special=("age",),
    ).info,
)
