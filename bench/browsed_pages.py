"""Times of the bot's own pages with many people, messages and documents in the database.

`python -m bench.browsed_pages [--people 100000] [--messages 1000000] [--documents 100000]`

Fills a database of its own by SQL, with one user who has all the files and memories that a user can
have, opens all features in this process, and asks for every page of the operator's and the user's
navigation as a browser does, compressed. Prints for each the first time, for which nothing is kept
yet, then the median and the 95th percentile, in milliseconds beside the limit of 200 ms, and the
bytes of a first load: page, style and script.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import AsyncMock, MagicMock

import httpx
import lxml.html
import psycopg
from starlette.applications import Starlette

from bench.browser_sessions import begin_session
from bench.database import running_database
from rich_agent.composition.features import open_features
from rich_agent.composition.repositories import Repositories, open_repositories
from rich_agent.composition.web import make_web_access
from rich_agent.domain.memory.items import MemoryItem
from rich_agent.domain.memory.merging import MOST_ITEMS
from rich_agent.domain.user_files import FileUnit, NewUserFile
from rich_agent.feature.core import Outlets, Surface
from rich_agent.ports.user_files import MOST_FILES
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.web.pages.files import page_file_routes

HOME = "https://bot.example"
OWNER = 1
LIMIT_MS = 200.0
AREAS = ("/operator", "/me")
ROUNDS = 20

PEOPLE = """
INSERT INTO users (telegram_user_id, first_name, username, created_at, last_seen_at)
SELECT n, 'Person ' || n, 'person' || n, now() - interval '1 year',
    now() - interval '1 year' * random()
FROM generate_series(1, %(people)s) AS n
"""
BLOCKED = """
INSERT INTO access_list (telegram_user_id, is_allowed, changed_by)
SELECT n, n %% 2 = 0, 1 FROM generate_series(1, %(people)s, 50) AS n
"""
DECISIONS = """
INSERT INTO retrieval_decisions (thread_id, request_id, intent, plan, reason, query, latency_ms,
    retrieved_count, citations_count, created_at)
SELECT 'tg:' || (1 + n %% %(people)s), 'tg:' || n, 'question', 'rag', 'asked', 'words of ' || n,
    '{"N4_build_effective_query": 400, "N6_synthesize": 900, "N7_persist": 12}', 6, n %% 3,
    now() - interval '1 year' * random()
FROM generate_series(1, %(messages)s) AS n
"""
FEEDBACK = """
INSERT INTO answer_feedback (decision_id, rating)
SELECT id, CASE WHEN id %% 200 = 0 THEN 'down' ELSE 'up' END FROM retrieval_decisions
WHERE id %% 50 = 0
"""
USAGE = """
INSERT INTO usage_days (user_id, day, kind, model, calls, estimated, input_tokens, cached_tokens,
    output_tokens, images, searches)
SELECT 1 + n %% %(people)s, (now() AT TIME ZONE 'UTC')::date - (n / %(people)s)::int, 'text',
    'model-' || n %% 3, 4, 0, 9000, 4000, 700, 0, 0
FROM generate_series(1, %(messages)s) AS n
"""
SOURCES = """
INSERT INTO rag_sources (id, type, root_url, name)
SELECT 'src_' || n, 'page', 'https://example.org/' || n, 'Source ' || n
FROM generate_series(1, 100) AS n
"""
DOCUMENTS = """
INSERT INTO rag_documents (source_id, url, identity, title, fetched_at, fetched_at_bucket,
    raw_hash, content_hash, raw_text, pipeline_version, chunk_count)
SELECT 'src_' || (1 + n %% 100), 'https://example.org/' || n, 'https://example.org/' || n,
    'Document ' || n, now(), now(), md5(n::text), md5(n::text), 'words', 1, 10
FROM generate_series(1, %(documents)s) AS n
"""
CHUNKS = """
INSERT INTO rag_chunks (id, document_id, source_id, section, anchor, link, chunk_index, content,
    token_count, content_hash, terms, impacts)
SELECT 'chk_' || id || '_' || part, id, source_id, 'Section', '', url, part, 'words ' || id, 2,
    md5(id::text), ARRAY[part + 1], ('{' || part + 1 || ':0.5}/1000000000')::sparsevec
FROM rag_documents, generate_series(0, 9) AS part
"""
STATEMENTS = (PEOPLE, BLOCKED, DECISIONS, FEEDBACK, USAGE, SOURCES, DOCUMENTS, CHUNKS)


async def fill_for_owner(repositories: Repositories) -> None:
    """Give the owner as many files and memories as a user can have."""
    for number in range(MOST_FILES):
        unit = FileUnit("page", 1, "", "words of the page", tokens=4)
        file = NewUserFile(
            user_id=OWNER,
            thread_id=f"tg:{OWNER}",
            name=f"File {number}.pdf",
            media_type="application/pdf",
            size_bytes=1_000,
            sha256=f"{number:064}",
            ref=f"ref-{number}",
            units=[unit],
        )
        await repositories.knowledge.user_files.store(file)
    now = datetime.now(UTC).isoformat()
    items = tuple(
        MemoryItem(f"Fact number {number} about their work", f"tg:{number}", now)
        for number in range(MOST_ITEMS)
    )
    await repositories.graph.memories.change(OWNER, lambda memory: replace(memory, facts=items))


def fill(url: str, sizes: dict[str, int]) -> None:
    """Write people, turns, their use, and documents; the order of time is the order of rows."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in STATEMENTS:
            connection.execute(statement, sizes)
        connection.execute("VACUUM ANALYZE")


@asynccontextmanager
async def opened_pages(url: str, folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A browser of the owner, for all features, which are open in this process."""
    settings = Settings.load(
        telegram_bot_token="700000001:AAF-sandbox-token-for-the-tests-000",  # noqa: S106
        openai_api_key="k",
        openai_base_url="http://127.0.0.1:9/v1",
        database_url=url,
        data_dir=folder,
        public_url=HOME,
        allowed_users="*",
        admin_users={OWNER},
        api_requests_per_minute=0,
    )
    async with open_repositories(settings) as repositories, repositories.inbox:
        surface = MagicMock(spec=Surface)
        surface.news = repositories.news
        surface.bot_name = surface.bot_username = lambda: "bot"
        surface.user_files = lambda: repositories.knowledge.user_files
        surface.memories = AsyncMock(return_value=repositories.graph.memories)
        await fill_for_owner(repositories)
        live, outlets = LiveSettings(settings), Outlets(surface=surface)
        async with open_features(live, repositories, outlets) as features:
            access = make_web_access(live, repositories, features.parts)
            open_routes = [*page_file_routes(), *features.parts.open_routes]
            routes = list(access.routes(features.parts.routes, open_routes))
            secret = await begin_session(repositories.databases.app, OWNER)
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(Starlette(routes=routes), client=("203.0.113.9", 5)),
                base_url=HOME,
                headers={"Origin": HOME, "Sec-Fetch-Site": "same-origin"},
                cookies={"__Host-rich_agent": secret},
                timeout=60,
            ) as browser:
                yield browser


async def paths_of(browser: httpx.AsyncClient, area: str) -> Sequence[str]:
    """The addresses in the navigation of an area; none if it is taken out."""
    answer = await browser.get(f"{area}/settings")  # which keeps nothing for the other pages
    if answer.status_code != 200:
        return []
    page = lxml.html.fromstring(answer.text)
    return [str(path) for path in page.xpath("//header/nav[not(@class)]//a/@href")]


async def measure(browser: httpx.AsyncClient, path: str) -> tuple[float, float, float]:
    """The first time of a page, the median and the 95th percentile, in milliseconds."""
    took_ms = []
    for _ in range(1 + ROUNDS):
        began = time.perf_counter()
        answer = await browser.get(path)
        took_ms.append((time.perf_counter() - began) * 1000)
        if answer.status_code != 200:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:500]}")
    first_ms, *later_ms = took_ms
    return first_ms, statistics.median(later_ms), statistics.quantiles(later_ms, n=20)[-1]


async def first_load(browser: httpx.AsyncClient, path: str) -> int:
    """The bytes of a page with its style and its script, as they travel."""
    page = lxml.html.fromstring((await browser.get(path)).text)
    links = page.xpath("//link[@rel='stylesheet']/@href | //script/@src")
    module = str(links[-1]).partition("?")[0].replace("pages.js", "vendor/idiomorph.js")
    total = 0
    for address in (path, *links, module):
        async with browser.stream("GET", str(address)) as answer:
            answer.raise_for_status()
            total += sum([len(part) async for part in answer.aiter_raw()])
    return total


async def run(url: str, folder: Path) -> None:
    """Print a line for each page."""
    async with opened_pages(url, folder) as browser:
        heads = (
            f"{'first ms':>8} {'p50 ms':>8} {'p95 ms':>8} {'limit':>6} {'first load, bytes':>18}"
        )
        print(f"{'page':<28} {heads}")
        for area in AREAS:
            for path in await paths_of(browser, area):
                times = " ".join(f"{ms:>8.1f}" for ms in await measure(browser, path))
                size = await first_load(browser, path)
                print(f"{path:<28} {times} {LIMIT_MS:>6.0f} {size:>18,}")


def main() -> None:
    """Fill a database of its own, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, most in (("people", 100_000), ("messages", 1_000_000), ("documents", 100_000)):
        parser.add_argument(f"--{name}", type=int, default=most)
    sizes = vars(parser.parse_args())
    with running_database() as database:
        fill(database.url, sizes)
        asyncio.run(run(database.url, database.folder))


if __name__ == "__main__":
    main()
