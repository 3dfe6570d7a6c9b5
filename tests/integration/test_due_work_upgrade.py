"""The upgrade to one table of due work carries over what was due in tables of its own."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config

from rich_agent.ports.due_work import DueRow
from rich_agent.ports.memories import Lesson
from rich_agent.repositories.database.migration import migrate
from tests.integration.catalogue import execute, read

ROOT = Path(__file__).parents[2]
BEFORE = "app_0052"
TOLD_AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
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
LESSONS = """
INSERT INTO pending_lessons (user_id, request_id, revision, text, told_at, due_at, tries, refusals)
SELECT 42, 'tg:' || n, 0, 'I have a cat', '2026-01-02 03:04:05+00', '2020-01-01', 3, 1
FROM generate_series(1, 2) AS n
"""
ASIDE = """
INSERT INTO attempts (kind, key, holder, user_id, has_ended, letter)
SELECT 'lesson', id, 5, 42, true, -9 FROM pending_lessons WHERE request_id = 'tg:2'
"""
TASK_LISTS = """
INSERT INTO caldav_connections (user_id, url, username, password, next_at, failures, problem)
VALUES (42, 'https://dav.example/tasks/', 'ann', 'x', '2020-01-01 00:00:00+00', 2, 'away'),
    (43, '', 'bob', 'x', NULL, 0, '')
"""
LIST_ASIDE = """
INSERT INTO attempts (kind, key, holder, user_id, has_ended)
VALUES ('task_list', 42, 5, 42, true)
"""

REMINDERS = """
INSERT INTO schedules (user_id, text, kind, local_start, tz, next_at, status)
SELECT 42, 'Tea', 'reminder', now(), 'UTC', CASE WHEN status <> 'done' THEN moment END, status
FROM unnest(ARRAY['active', 'paused', 'done']) AS status, CAST('2020-01-01' AS date) AS moment
"""


def config_of(url: str, monkeypatch: pytest.MonkeyPatch) -> Config:
    """The application's tree, brought to the revision before the table of due work."""
    monkeypatch.setenv("DATABASE_URL", url)
    config = Config(ROOT / "alembic.ini", ini_section="app")
    command.upgrade(config, BEFORE)
    return config


def lessons_of(url: str) -> set[tuple[str, Lesson, bool]]:
    """The lessons by their keys, and whether they are set aside."""
    rows = read(url, "SELECT key, payload::text, tries, set_aside_at FROM due_work WHERE key ~ ':'")
    return {
        (
            key,
            Lesson.of(DueRow(1, "lesson", key, 42, json.loads(text), TOLD_AT, 0, 0, tries)),
            aside is not None,
        )
        for key, text, tries, aside in rows
    }


def test_upgrade_carries_over_what_is_due(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its times; what is over is not due again. On the way back it stays where it was."""
    url = empty_database_url
    config = config_of(url, monkeypatch)
    execute(url, BROADCASTS, APPROVALS, NOTICES, LESSONS, ASIDE, TASK_LISTS, LIST_ASIDE, REMINDERS)
    to_come = read(url, "SELECT id::text FROM schedules WHERE status = 'active'")
    open_approvals = read(url, "SELECT id::text FROM approvals WHERE request_id < 'r4'")
    migrate(url, url)
    rows = read(
        url,
        "SELECT kind, key, user_id, due_at < '2020-01-02' FROM due_work WHERE set_aside_at IS NULL",
    )
    approvals = {("approval", key, 42, False) for (key,) in open_approvals}
    lesson = ("lesson", "42:tg:1", 42, True)
    task_list = ("calendars_task_list", "42", 42, True)
    reminders = {("reminders", key, 42, True) for (key,) in to_come}
    broadcast = ("broadcast", "open", None, True)
    assert rows == {broadcast, lesson, task_list} | approvals | reminders
    assert lessons_of(url) == {
        ("42:tg:1", Lesson(42, "tg:1", "I have a cat", TOLD_AT, 0, 3, 1), False),
        ("42:tg:2", Lesson(42, "tg:2", "I have a cat", TOLD_AT, 0, 3, 1), True),
    }
    set_aside = "SELECT due_work.key FROM attempts JOIN due_work ON attempts.key = id"
    assert read(url, set_aside) == {("42:tg:2",), ("42",)}
    command.downgrade(config, BEFORE)
    lesson_ids = "SELECT request_id FROM attempts JOIN pending_lessons ON key = id AND tries = 3"
    assert read(url, lesson_ids) == {("tg:2",)}
    task_lists = "SELECT failures FROM caldav_connections WHERE next_at = '2020-01-01 00:00:00+00'"
    assert read(url, task_lists) == {(2,)}
    assert (42,) in read(url, "SELECT key FROM attempts WHERE kind = 'task_list'")
    assert read(url, "SELECT id FROM broadcasts") == {("open",), ("over",)}
