"""How Alembic runs the application tree."""

from rich_agent.repositories.migration import run_environment
from rich_agent.repositories.schema import APP
from rich_agent.settings import Settings

run_environment(APP, lambda: Settings.load().database_url)
