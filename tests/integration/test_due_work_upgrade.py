"""The upgrade to one table of due work carries over what was due in tables of its own."""

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config

from rich_agent.repositories.database.migration import migrate
from tests.integration.catalogue import execute, read

ROOT = Path(__file__).parents[2]
BEFORE = "app_0052"
BROADCASTS = """
INSERT INTO broadcasts (id, admin_id, message_id, locale, text, next_at, reported_at) VALUES
    ('open', 7, 1, 'en', 'Hello', '2020-01-01', NULL),
    ('over', 7, 2, 'en', 'Hello', '2020-01-01', now())
"""
APPROVALS = """
INSERT INTO approvals (user_id, thread_id, request_id, revision, locale, intent, question, answer,
    citations, message_id, state, settled_at)
SELECT 42, 'tg:42', 'r' || n, 0, 'en', 'i', 'q', 'a', '[]', 1,
    CASE WHEN n = 1 THEN 'pending' ELSE 'approved' END, CASE WHEN n > 2 THEN now() END
FROM generate_series(1, 4) AS n
"""
NOTICES = """
INSERT INTO approval_notices (approval_id, user_id, kind, handed_out_at)
SELECT id, 42, 'verdict', CASE WHEN request_id = 'r4' THEN now() END FROM approvals
WHERE request_id IN ('r3', 'r4')
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
    execute(url, BROADCASTS, APPROVALS, NOTICES)
    open_approvals = read(url, "SELECT id::text FROM approvals WHERE request_id < 'r4'")
    migrate(url, url)
    rows = read(url, "SELECT kind, key, user_id, due_at < '2020-01-02' FROM due_work")
    approvals = {("approval", key, 42, False) for (key,) in open_approvals}
    assert rows == {("broadcast", "open", None, True)} | approvals
    command.downgrade(config, BEFORE)
    assert read(url, "SELECT id FROM broadcasts") == {("open",), ("over",)}
