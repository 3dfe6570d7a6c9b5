"""Databases with the core's tables as they were at an earlier revision."""

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config

from rich_agent.repositories.database.migration import migrate

_CONFIG = Path(__file__).parents[2] / "alembic.ini"


def make_earlier_tables(url: str, revision: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all tables, and take the core's back to the revision; DATABASE_URL names them."""
    monkeypatch.setenv("DATABASE_URL", url)
    migrate(url, url)
    go_back(revision)


def go_back(revision: str) -> None:
    """Take the core's tables of DATABASE_URL back to the revision."""
    command.downgrade(Config(_CONFIG, ini_section="app"), revision)
