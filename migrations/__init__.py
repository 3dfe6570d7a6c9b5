"""The application's tables, as Alembic migrations."""

OLDEST = "app_0073"
"""The oldest revision whose programs run on the newest tables; what breaks older ones raises it."""
