"""What was due in tables of its own before there was one for all of it is due in that one."""

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config

from rich_agent.repositories.database.migration import migrate
from tests.integration.catalogue import execute, read

ROOT = Path(__file__).parents[2]
BEFORE = "app_0051"
BROADCASTS = """
INSERT INTO broadcasts (id, admin_id, message_id, locale, text, next_at, reported_at) VALUES
    ('open', 7, 1, 'en', 'Hello', '2020-01-01', NULL),
    ('over', 7, 2, 'en', 'Hello', '2020-01-01', now())
"""


def config_of(url: str, monkeypatch: pytest.MonkeyPatch) -> Config:
    """The application's tree, brought to the revision before the table of due work."""
    monkeypatch.setenv("DATABASE_URL", url)
    config = Config(ROOT / "alembic.ini", ini_section="app")
    command.upgrade(config, BEFORE)
    return config


def test_upgrade_carries_over_what_is_due(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its times; what is over is not due again. On the way back it stays where it was."""
    url = empty_database_url
    config = config_of(url, monkeypatch)
    execute(url, BROADCASTS)
    migrate(url, url)
    rows = read(url, "SELECT kind, key, user_id, due_at < '2020-01-02' FROM due_work")
    assert rows == {("broadcast", "open", 7, True)}
    command.downgrade(config, BEFORE)
    assert read(url, "SELECT id FROM broadcasts") == {("open",), ("over",)}
