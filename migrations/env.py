"""Alembic environment of the application tree."""

from rich_agent.repositories.database.migration import run_environment
from rich_agent.repositories.database.schema import APP
from rich_agent.settings.settings import Settings

run_environment(APP, lambda: Settings.load().storage.database_url)
