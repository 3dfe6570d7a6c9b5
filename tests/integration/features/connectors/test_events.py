"""Hooks: services say that something has changed; nothing else is believed."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from starlette.applications import Starlette
from typing_extensions import override

from rich_agent.documents.clocks import SOURCE_WORK
from rich_agent.documents.connectors.hooks import SourceHooks
from rich_agent.documents.source import SourceJob
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.features.connectors.clocks import SourceClocks
from rich_agent.features.connectors.events import MOST_BYTES, EventEndpoint
from rich_agent.ports.due_work import DueRow, DueWork, NextRun
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.due_work import PostgresDueWork
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.runtime.seals import Seal
from rich_agent.web.access import RateLimit
from rich_agent.web.routes import open_to_all
from tests.integration.catalogue import execute
from tests.integration.test_ingest_cli import Command, write
from tests.integration.test_ingest_git import KEY, ingest

__all__ = ["ingest"]
SECRET, SOURCE = "rah_of-the-wiki", "src_wiki"
BODY = b'{"ref": "refs/heads/main"}'
SOURCES = (
    f"INSERT INTO rag_sources (id, type, root_url, name) VALUES ('{SOURCE}', 'page', 'w', 'wiki')",
    (
        "INSERT INTO rag_clocks (source_id, job, every) VALUES "
        f"('{SOURCE}', 'content', '3600'), ('{SOURCE}', 'rights', '3600')"
    ),
    (
        "INSERT INTO due_work (kind, key, due_at) VALUES "
        f"('connectors_content', '{SOURCE}', now() + interval '1 h'), "
        f"('connectors_rights', '{SOURCE}', now() + interval '1 h')"
    ),
)
seal = partial(Seal.of, [KEY])


class Counted(SourceHooks):
    """Hooks that count their statements, which take a moment, or fail."""

    written = asked = 0
    is_away = False

    @override
    async def secrets(self) -> Mapping[str, str]:
        self.asked += 1
        return await super().secrets()

    @override
    async def note_event(self, source_id: str, jobs: Collection[SourceJob]) -> None:
        self.written += 1
        if self.is_away:
            raise DatabaseUnavailableError("away")
        await asyncio.sleep(0.01)
        await super().note_event(source_id, jobs)


@dataclass(slots=True)
class Bot:
    """A bot with one source that has a hook."""

    url: str
    hooks: Counted
    databases: Databases
    app: Starlette

    async def post(
        self,
        headers: Mapping[str, str],
        path: str = SOURCE,
        content: bytes | AsyncIterator[bytes] = BODY,
        address: str = "203.0.113.9",
    ) -> httpx.Response:
        """An event, as a service posts it."""
        transport = httpx.ASGITransport(self.app, client=(address, 5))
        async with httpx.AsyncClient(transport=transport, base_url="http://bot") as http:
            return await http.post(f"/hooks/{path}", content=content, headers=headers)

    def due(self) -> set[str]:
        """The jobs that a worker would take."""
        query = "SELECT kind FROM due_work WHERE due_at <= now() AND lease_until IS NULL"
        return {row[0].removeprefix("connectors_") for row in self.rows(query)}

    @asynccontextmanager
    async def reading(self, job: SourceJob) -> AsyncIterator[None]:
        """A worker that has a job in hand while the block runs, and does it."""
        async with PostgresInbox(self.databases.app) as inbox:
            queue = PostgresDueWork(self.databases.app, inbox)
            row = await queue.claim({SOURCE_WORK[job]: DueWork(nothing)})
            assert row is not None
            assert await queue.claim({SOURCE_WORK[job]: DueWork(nothing)}) is None
            yield
            await queue.finish(row, NextRun(3_600.0))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of the database that a query finds."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(query.encode()).fetchall()


@pytest.fixture
async def bot(database_url: str, databases: Databases) -> Bot:
    """Nobody has posted anything."""
    execute(database_url, *SOURCES)
    hooks = Counted(databases, seal)
    assert await hooks.save(SOURCE, SECRET)
    endpoint = EventEndpoint(hooks, RateLimit(5))
    routes = list(open_to_all(endpoint.routes(), "/bot"))
    return Bot(database_url, hooks, databases, Starlette(routes=routes))


async def nothing(_row: DueRow) -> NextRun | None:
    """Work that is never done."""
    raise NotImplementedError


def signed(secret: str = SECRET, body: bytes = BODY) -> str:
    """The signature of a body, in hexadecimal digits."""
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


GITHUB = {
    "X-Hub-Signature": f"sha1={hmac.new(SECRET.encode(), BODY, hashlib.sha1).hexdigest()}",
    "X-Hub-Signature-256": f"sha256={signed()}",
}


@pytest.mark.parametrize(
    "headers",
    [
        GITHUB,
        {"X-Gitlab-Token": SECRET},
        {"X-Gitea-Signature": signed()},
        {"X-Forgejo-Signature": signed()},
        {"X-Hub-Signature": f"sha256={signed()}"},
        {"Authorization": f"Bearer {SECRET}"},
    ],
)
async def test_event_of_each_service_makes_its_source_due(
    bot: Bot, headers: dict[str, str]
) -> None:
    """Documents and rights, as soon as a worker can; and it is kept when that was."""
    assert bot.due() == set()
    assert (await bot.post(headers)).status_code == 202
    assert bot.due() == {"content", "rights"}
    assert bot.rows("SELECT 1 FROM rag_hooks WHERE last_event_at IS NOT NULL")


async def test_address_may_name_one_job(bot: Bot) -> None:
    """So that a service that says nothing of rights has none read."""
    assert (await bot.post(GITHUB, f"{SOURCE}/content")).status_code == 202
    assert bot.due() == {"content"}
    assert (await bot.post(GITHUB, f"{SOURCE}/rights")).status_code == 202
    assert bot.due() == {"content", "rights"}
    assert (await bot.post(GITHUB, f"{SOURCE}/other")).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Hub-Signature-256": f"sha256={signed('another')}"},
        {"X-Hub-Signature-256": f"sha256={signed(body=b'other')}"},
        {"X-Hub-Signature-256": "sha256=gehei\u00df"},
        {"X-Hub-Signature": GITHUB["X-Hub-Signature"]},
        {"X-Gitlab-Token": "another"},
        {"X-Gitlab-Token": ""},
        {"Authorization": "Bearer "},
        {"Authorization": f"Basic {SECRET}"},
        {"X-Gitlab-Token": signed()},
    ],
)
async def test_stranger_learns_nothing(bot: Bot, headers: dict[str, str]) -> None:
    """A wrong proof, and a source that does not exist or has no hook, are answered alike."""
    sent = {name: value.encode("latin-1") for name, value in headers.items()}
    answers = [await bot.post(sent, one) for one in (SOURCE, "src_other", "%00")]  # type: ignore[arg-type]
    assert {(one.status_code, one.text) for one in answers} == {
        (403, "the address or the secret is wrong")
    }
    assert bot.due() == set()
    assert bot.hooks.asked == 1


async def test_thousand_events_cost_one_due_clock_and_few_statements(bot: Bot) -> None:
    """Events that come while one is written share a statement; no row is written twice."""
    answers = await asyncio.gather(*(bot.post(GITHUB) for _ in range(1_000)))
    assert {one.status_code for one in answers} == {202}
    assert bot.hooks.written < 100
    (before,) = bot.rows("SELECT array_agg(xmin::text || due_at) FROM due_work")
    assert (await bot.post(GITHUB)).status_code == 202
    assert bot.rows("SELECT array_agg(xmin::text || due_at) FROM due_work") == [before]
    async with bot.reading("content"):
        assert bot.due() == {"rights"}
    assert bot.due() == {"rights"}


async def test_event_during_a_reading_is_not_lost(bot: Bot) -> None:
    """A reading that began before may lack what the event is about, so another one follows."""
    await bot.post(GITHUB)
    async with bot.reading("rights"):
        await bot.post(GITHUB)
    assert "rights" in bot.due()


async def test_event_leaves_a_service_alone_that_asked_for_it(bot: Bot) -> None:
    """The next attempt after a failure comes no sooner, and no reading follows at once."""
    execute(bot.url, "UPDATE due_work SET last_error = 'away' WHERE kind = 'connectors_content'")
    await bot.post(GITHUB)
    assert bot.due() == {"rights"}
    execute(bot.url, "UPDATE rag_clocks SET done_at = now() WHERE job = 'rights'")
    clock = await SourceClocks(bot.databases).find(SOURCE, "rights")
    assert clock is not None
    assert 4 < clock.rest_s <= 5


@pytest.mark.parametrize("announced", [True, False])
async def test_event_that_is_too_large_is_refused(bot: Bot, *, announced: bool) -> None:
    """Whether its length was announced or not; it is read no further."""
    sent = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(1_000):
            sent += 1_000_000
            yield b"x" * 1_000_000

    headers = {"X-Gitlab-Token": SECRET}
    more = {"Content-Length": str(MOST_BYTES + 1)} if announced else {}
    answer = await bot.post({**headers, **more}, content=body())
    assert answer.status_code == 413
    assert sent <= MOST_BYTES + 1_000_000
    assert bot.due() == set()


async def test_tries_of_an_address_are_limited(bot: Bot) -> None:
    """Before anything is read; events of a source that came from there before still count."""
    assert (await bot.post(GITHUB)).status_code == 202
    wrong = [await bot.post({}, f"src_{number}") for number in range(6)]
    assert [one.status_code for one in wrong] == [403] * 5 + [429]
    assert int(wrong[-1].headers["Retry-After"]) > 0
    assert (await bot.post(GITHUB)).status_code == 202
    assert (await bot.post(GITHUB, address="203.0.113.10")).status_code == 202


async def test_event_that_cannot_be_kept_is_told_so(bot: Bot) -> None:
    """The service may try it again."""
    bot.hooks.is_away = True
    answer = await bot.post(GITHUB)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    bot.hooks.is_away = False
    assert (await bot.post(GITHUB)).status_code == 202


async def test_proxy_may_leave_the_front_of_the_address(bot: Bot) -> None:
    """A public address with a path is served with it and without."""
    transport = httpx.ASGITransport(bot.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://bot") as http:
        answer = await http.post(f"/bot/hooks/{SOURCE}", content=BODY, headers=GITHUB)
    assert answer.status_code == 202


async def test_hook_is_made_shown_once_and_ended(
    ingest: Command, databases: Databases, tmp_path: Path
) -> None:
    """The database has it sealed; a new one takes the place of the old one."""
    ingest.run("add-source", write(tmp_path / "docs" / "a.md", "# A\n\nWords.").parent)
    public = ingest.having(PUBLIC_URL="https://bot.example.org/a")
    said = public.run("schedule", "docs", "--hook").stdout
    ((source_id, sealed),) = [
        (row["source_id"], row["secret"]) for row in ingest.rows("SELECT * FROM rag_hooks")
    ]
    assert f"https://bot.example.org/a/hooks/{source_id}\n" in said
    secret = "rah_" + said.partition("rah_")[2][:43]
    hooks = SourceHooks(databases, seal)
    assert await hooks.secrets() == {source_id: secret}
    assert secret.encode() not in bytes(sealed)
    shown = ingest.run("schedule", "docs").stdout
    assert shown == "docs: content: never read, when asked, due, no event yet\n"
    await hooks.note_event(source_id, ["content"])
    assert "last event " in ingest.run("schedule", "docs").stdout
    assert "rah_" in ingest.run("schedule", "docs", "--hook").stdout
    assert set((await hooks.secrets()).values()).isdisjoint({secret})
    assert "takes no events" in ingest.run("schedule", "docs", "--no-hook").stdout
    assert await hooks.secrets() == {}
    keyless = ingest.having(CREDENTIALS_KEY="").run("schedule", "docs", "--hook", expect=1)
    assert "CREDENTIALS_KEY" in keyless.stderr


@pytest.mark.usefixtures("bot")
async def test_hook_without_its_key_admits_nobody(databases: Databases) -> None:
    """Nor does one whose key was lost."""
    assert await SourceHooks(databases, lambda: None).secrets() == {}
    other = Seal.of(["MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="])
    assert await SourceHooks(databases, lambda: other).secrets() == {}
