"""The upgrade to clocks with due work: each source is read when it would have been read."""

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config

from rich_agent.features.connectors.clocks import SourceClocks
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.pools import open_pools
from tests.integration.catalogue import execute, read

ROOT = Path(__file__).parents[4]
BEFORE = "rag_0021"
SOURCES = """
INSERT INTO rag_sources (id, type, root_url, name, status)
SELECT id, 'page', id, id, CASE id WHEN 'inactive' THEN 'inactive' ELSE 'active' END
FROM unnest(ARRAY[
    'hourly', 'new', 'away', 'event', 'hourly event', 'idle', 'running', 'hourly running',
    'inactive'
]) AS id
"""
CLOCKS = """
INSERT INTO rag_clocks (source_id, job, every, next_at, leased_until, failures, problem, done_at)
VALUES
    ('hourly', 'content', '3600', now() + interval '20 min', NULL, 0, '',
        now() - interval '40 min'),
    ('hourly', 'watch', '', now(), NULL, 0, '', NULL),
    ('new', 'content', '3600', now(), NULL, 0, '', NULL),
    ('away', 'rights', '', now() + interval '1 h', NULL, 3, 'away', now() - interval '1 d'),
    ('event', 'content', '', now(), NULL, 0, '', now() - interval '1 d'),
    ('hourly event', 'content', '3600', now(), NULL, 0, '', now() - interval '40 min'),
    ('idle', 'content', '', NULL, NULL, 0, '', now() - interval '1 d'),
    ('running', 'rights', '', NULL, now(), 0, '', now() - interval '1 d'),
    ('hourly running', 'content', '3600', NULL, now(), 0, '', now() - interval '40 min'),
    ('inactive', 'content', '60', now(), NULL, 0, '', NULL)
"""
DUE = "SELECT key, kind, round(extract(epoch FROM due_at - now()) / 60)::integer FROM due_work"


async def test_upgrade_keeps_when_sources_are_due(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work that was due is due; a clock of events alone has no row, nor has an inactive source.

    A source that could not be read is tried at once.
    """
    url = empty_database_url
    monkeypatch.setenv("DATABASE_URL", url)
    command.upgrade(Config(ROOT / "alembic.ini", ini_section="rag"), BEFORE)
    execute(url, SOURCES, CLOCKS)
    migrate(url, url)
    async with open_pools(url, url, max_size=2) as databases:
        await SourceClocks(databases).reconcile()
    assert read(url, DUE) == {
        ("hourly", "connectors_content", 20),
        ("hourly", "connectors_watch", 0),
        ("new", "connectors_content", 0),
        ("away", "connectors_rights", 0),
        ("event", "connectors_content", 0),
        ("hourly event", "connectors_content", 0),
        ("running", "connectors_rights", 0),
        ("hourly running", "connectors_content", 0),
    }
    assert read(url, "SELECT source_id, problem FROM rag_clocks WHERE problem <> ''") == {
        ("away", "away")
    }
