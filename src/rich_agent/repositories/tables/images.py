"""Images: what each shows, once for all who sent it, and in whose conversations it was sent."""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Identity,
    Index,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import JSONB

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import CLOCK, MOMENT, NOW

metadata = MetaData()

vision_images = Table(
    "vision_images",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("telegram_file_id", Text, nullable=False),
    Column("sha256", Text, nullable=False, unique=True),
    Column("mime", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    info=UserData(section="images", special=("everything", "conversation", "thing", "export")).info,
)
vision_summaries = Table(
    "vision_summaries",
    metadata,
    Column(
        "image_id", BigInteger, ForeignKey("vision_images.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("model", Text, primary_key=True),
    Column("summary_json", JSONB, nullable=False),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    info=UserData(parent="vision_images").info,
)
vision_senders = Table(
    "vision_senders",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("thread_id", Text, primary_key=True),
    Column("sent_at", MOMENT, nullable=False, server_default=CLOCK),
    Index("vision_senders_thread_idx", "thread_id"),
    info=UserData(thread="thread_id", special=("thing",)).info,
)
vision_answers = Table(
    "vision_answers",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("thread_id", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("question_hash", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("answered_at", MOMENT, nullable=False, server_default=CLOCK),
    UniqueConstraint("thread_id", "sha256", "model", "question_hash"),
    info=UserData(
        thread="thread_id",
        age="answered_at",
        kept="conversation",
        exported=("sha256", "model", "answer", "answered_at"),
        section="image_answers",
        special=("thing",),
    ).info,
)
