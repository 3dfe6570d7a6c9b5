"""The tables of documents and decisions, as Alembic migrations."""

OLDEST = "rag_0022"
"""The oldest revision whose programs run on the newest tables; what breaks older ones raises it."""
