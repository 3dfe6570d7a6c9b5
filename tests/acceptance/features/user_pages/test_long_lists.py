"""Pages of a user who keeps very much."""

import gzip
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.acceptance.features.user_pages.forms import OpenPage
from tests.acceptance.visitors import visiting
from tests.acceptance.world import World

MOST_BYTES = 150_000
TASKS = """
INSERT INTO tasks (user_id, title, due_date)
SELECT %s, 'Task ' || n, date '2027-01-01' + n / 3 FROM generate_series(1, 5000) AS n RETURNING 1
"""
NOTES = """
INSERT INTO notes (user_id, title, content)
SELECT %s, 'Note ' || n, repeat('word ', 100) FROM generate_series(1, 5000) AS n RETURNING 1
"""
FACTS = """
INSERT INTO store (prefix, key, value)
SELECT 'users.' || %s::bigint, 'facts', jsonb_build_object('items', jsonb_agg(jsonb_build_object(
    'text', 'Fact ' || n, 'request_id', 'r', 'updated_at', '2026-03-02T10:00:00+00:00')))
FROM generate_series(1, 10000) AS n RETURNING 1
"""
FILES = """
INSERT INTO user_files (user_id, thread_id, name, media_type, size_bytes, sha256, ref, tokens)
SELECT %s, 'tg:1', 'File ' || n, 'text/plain', 1, lpad(n::text, 64, '0'), 'r', 1
FROM generate_series(1, 1000) AS n RETURNING 1
"""


@pytest.mark.costs("it reads twelve pages of long lists")
@pytest.mark.feature("agenda")
def test_long_lists_are_short_pages(world: World, user: int) -> None:
    """5,000 tasks and notes, 10,000 facts, 1,000 files: 50 a page, each of them once."""
    for statement in (TASKS, NOTES, FACTS, FILES):
        world.rows(statement, user)
    with visiting(world, user) as visitor:
        for page in ("tasks", "notes", "memory", "files"):
            listed: list[str] = []
            after = ""
            for _ in range(3):
                shown = OpenPage.at(visitor, f"/me/{page}", **({"after": after} if after else {}))
                listed += shown.rows()
                (link,) = shown.root.xpath("//a[@rel='next']/@href")
                (after,) = parse_qs(urlsplit(link).query)["after"]
            assert len(listed) == len({*listed}) == 150, page
            answer = visitor.get(f"/me/{page}")
            assert len(gzip.compress(answer.content)) < MOST_BYTES / 10
            assert len(answer.content) < MOST_BYTES
