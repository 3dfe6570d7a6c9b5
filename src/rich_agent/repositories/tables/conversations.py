"""Conversations, their messages, the archive of turns, and questions back to the user."""

from pgvector.sqlalchemy import HALFVEC, SPARSEVEC
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
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT, NOW
from rich_agent.repositories.tables.people import users

metadata = MetaData()

conversations = Table(
    "conversations",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column(
        "user_id",
        BigInteger,
        ForeignKey(users.c.telegram_user_id, ondelete="CASCADE"),
        nullable=False,
    ),
    Column("thread_id", Text, nullable=False, unique=True),
    Column("started_at", MOMENT, nullable=False, server_default=NOW),
    Column("chosen_title", Text, comment="What the user calls it"),
    Index("conversations_user_id_idx", "user_id"),
    info=UserData(
        user="user_id",
        thread="thread_id",
        exported=("thread_id", "chosen_title AS title", "started_at"),
    ).info,
)
messages = Table(
    "messages",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column(
        "conversation_id",
        BigInteger,
        ForeignKey("conversations.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("user_id", BigInteger, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("meta_json", JSONB, nullable=False, server_default="{}"),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    Column("revision", BigInteger, nullable=False, server_default=text("0")),
    Column(
        "said_terms",
        ARRAY(Integer),
        comment="With a question: the search terms of its turn, numbered apart for each user",
    ),
    UniqueConstraint("conversation_id", "request_id", "role"),
    CheckConstraint("role IN ('user', 'assistant')", name="messages_role_check"),
    Index("messages_conversation_idx", "conversation_id", "id"),
    Index(
        "messages_replaces_idx",
        "conversation_id",
        text("(meta_json #>> '{request,replaces}'::text[])"),
        postgresql_where=text(
            "(role = 'user') AND ((meta_json #>> '{request,replaces}'::text[]) IS NOT NULL)"
        ),
    ),
    Index(
        "messages_said_terms_idx",
        "said_terms",
        postgresql_using="gin",
        postgresql_where=text("said_terms IS NOT NULL"),
    ),
    info=UserData(
        user="user_id",
        parent="conversations",
        request="request_id",
        age="created_at",
        kept="conversation",
        special=("export",),
    ).info,
)
turn_archive = Table(
    "turn_archive",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("meta_json", JSONB, nullable=False, server_default="{}"),
    Column(
        "terms",
        ARRAY(Integer),
        nullable=False,
        server_default="{}",
        comment="Numbers of the search terms, each once",
    ),
    Column(
        "awaits_fold",
        Boolean,
        nullable=False,
        server_default=text("false"),
        comment="Not yet part of the running summary",
    ),
    Column(
        "asked_at", MOMENT, nullable=False, comment="When the turn was, not when it was archived"
    ),
    Column("impacts", SPARSEVEC, comment="The share of each term in the BM25 score"),
    Column(
        "vector_space",
        Text,
        nullable=False,
        server_default="",
        comment="That of the vector, empty without one",
    ),
    Column("embedding", HALFVEC),
    UniqueConstraint("thread_id", "request_id"),
    Index("turn_archive_asked_idx", "user_id", "asked_at", "id"),
    Index("turn_archive_awaiting_idx", "user_id", "id", postgresql_where=text("awaits_fold")),
    Index("turn_archive_space_idx", "user_id", "vector_space"),
    Index("turn_archive_terms_idx", "terms", postgresql_using="gin"),
    info=UserData(
        user="user_id",
        thread="thread_id",
        request="request_id",
        age="asked_at",
        kept="conversation",
        exported=("thread_id", "request_id", "question", "answer", "asked_at"),
        section="archived_turns",
    ).info,
)
archive_languages = Table(
    "archive_languages",
    metadata,
    Column("space", Text, primary_key=True),
    Column("learned", JSONB, nullable=False),
    Column("learned_at", MOMENT, nullable=False, server_default=CLOCK),
    comment="How well an embedding model knows languages of turns",
)
clarifications = Table(
    "clarifications",
    metadata,
    Column("thread_id", Text, primary_key=True),
    Column("request_id", Text, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("asked_at", MOMENT, nullable=False, server_default=CLOCK),
    Column("answered_by", Text),
    Column("cancelled_at", MOMENT),
    Column(
        "round",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="A turn may ask more than once",
    ),
    info=UserData(thread="thread_id").info,
)
