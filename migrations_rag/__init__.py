"""The tables of documents and decisions, as Alembic migrations."""
