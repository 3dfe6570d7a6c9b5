"""Alembic environment of a feature's tree, which the caller names."""

from alembic import context

from rich_agent.repositories.database.migration import run_environment

run_environment(context.config.attributes["tree"], lambda: None)
