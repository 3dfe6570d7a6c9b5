"""Record of the declarations, in each database: rows of absent features are still a user's."""

from sqlalchemy import ARRAY, Column, Integer, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import JSONB

application = MetaData()
documents = MetaData()


def _record(name: str, metadata: MetaData) -> Table:
    return Table(
        name,
        metadata,
        Column("name", Text, primary_key=True),
        Column("feature", Text, nullable=False),
        Column("place", Integer, nullable=False),
        Column("key", ARRAY(Text), nullable=False),
        Column("declaration", JSONB, nullable=False),
        comment="Tables with things of users, as a migration found them declared",
    )


user_tables = _record("user_tables", application)
rag_user_tables = _record("rag_user_tables", documents)
