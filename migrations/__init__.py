"""The application's tables, as Alembic migrations."""
