"""The webhook: what is stored, what is refused, and what Telegram hears."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import httpx
import pytest
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from typing_extensions import override

from rich_agent.errors import DatabaseUnavailableError, SchemaError
from rich_agent.ports.inbox import Inbox, InboxDepth, ReceivedUpdate
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.runtime.connections import ConnectionLimiter
from rich_agent.runtime.lifetime import listening, serve_http
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.webhook import (
    MAX_BODY_BYTES,
    Intake,
    Secrets,
    create_webhook_app,
)
from rich_agent.telegram.receive.webhook_health import WEBHOOK_PATH, webhook_address
from tests.integration.telegram_support import Bot, open_client, open_sim, until
from tests.sandbox_server import RunningSandbox
from tests.twins.inbox import InMemoryInbox

ADA = 42
TELEGRAM_GIVES_UP_S = 10.0
SECRET = "a-secret_1"
SECRET_HEADER = b"X-Telegram-Bot-Api-Secret-Token"
HEADERS = {SECRET_HEADER: SECRET.encode()}
UPDATE = b'{"update_id": 7, "message": {"from": {"id": 42}}}'


async def ready() -> str:
    """Nothing is missing."""
    return ""


def app_for(inbox: Inbox, metrics: Metrics | None = None) -> Starlette:
    """The application on an inbox."""
    return create_webhook_app(
        inbox, metrics or Metrics(CollectorRegistry()), ready, secrets=Secrets(SECRET)
    )


@asynccontextmanager
async def open_http(app: Starlette) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        yield http


class AwayInbox(InMemoryInbox):
    """An inbox whose database is gone for so many calls."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.calls = calls

    @override
    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        self._fail()
        return await super().store(updates)

    @override
    async def depth(self) -> InboxDepth:
        self._fail()
        return await super().depth()

    def _fail(self) -> None:
        self.calls -= 1
        if self.calls >= 0:
            raise DatabaseUnavailableError("away")


@pytest.mark.parametrize("given", [None, "", "wrong", SECRET + "x", SECRET[:-1], "gehei\u00df"])
async def test_webhook_refuses_a_wrong_secret_before_it_reads(given: str | None) -> None:
    """Not one byte of the body is asked for."""
    inbox = InMemoryInbox()
    read: list[bytes] = []

    async def body() -> AsyncIterator[bytes]:
        read.append(UPDATE)
        yield UPDATE

    headers = {} if given is None else {SECRET_HEADER: given.encode("latin-1")}
    async with open_http(app_for(inbox)) as http:
        answer = await http.post(WEBHOOK_PATH, content=body(), headers=headers)
    assert answer.status_code == 403
    assert (await inbox.depth()).pending == 0
    assert read == []


@pytest.mark.parametrize("announced", [True, False])
async def test_webhook_refuses_a_body_over_the_cap(announced: bool) -> None:  # noqa: FBT001 - a table
    """Whether its length was announced or not."""
    inbox = InMemoryInbox()
    sent = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 100_000
            yield b"x" * 100_000

    content: bytes | AsyncIterator[bytes] = b"x" * (MAX_BODY_BYTES + 1) if announced else body()
    async with open_http(app_for(inbox)) as http:
        answer = await http.post(WEBHOOK_PATH, content=content, headers=HEADERS)
    assert answer.status_code == 413
    assert (await inbox.depth()).pending == 0
    assert sent <= MAX_BODY_BYTES + 100_000


@pytest.mark.parametrize("raw", [UPDATE, b"", b"\x00\xffgarbage", b'{"update_id": "x"}', b"[]"])
async def test_webhook_keeps_whatever_has_the_right_secret(raw: bytes) -> None:
    """A refusal would silence the user for a day; what it is, is found out later."""
    inbox = InMemoryInbox()
    async with open_http(app_for(inbox)) as http:
        answer = await http.post(WEBHOOK_PATH, content=raw, headers=HEADERS)
        assert answer.status_code == 200
    lane = await inbox.claim()
    assert lane is not None
    assert [update.raw for update in lane.updates] == [raw]


@pytest.mark.req("DUR-2")
async def test_webhook_stores_an_update_once(database_url: str) -> None:
    """Three deliveries at once, all acknowledged, one in the table."""
    async with open_pool(database_url, max_size=5) as pool, PostgresInbox(pool) as inbox:
        metrics = Metrics(CollectorRegistry())
        async with open_http(app_for(inbox, metrics)) as http:
            answers = await asyncio.gather(
                *(http.post(WEBHOOK_PATH, content=UPDATE, headers=HEADERS) for _ in range(3))
            )
            assert {answer.status_code for answer in answers} == {200}
            assert (await inbox.depth()).pending == 1
            shown = (await http.get("/metrics")).text
    assert 'telegram_updates_total{result="stored"} 1.0' in shown
    assert 'telegram_updates_total{result="known"} 2.0' in shown
    assert 'telegram_webhook_ack_seconds_count{status="200"} 3.0' in shown
    assert "telegram_inbox_pending 1.0" in shown


async def test_webhook_asks_for_another_try_without_a_database() -> None:
    """Telegram comes back; the metrics still answer."""
    async with open_http(app_for(AwayInbox(calls=2))) as http:
        answer = await http.post(WEBHOOK_PATH, content=UPDATE, headers=HEADERS)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        shown = await http.get("/metrics")
        assert shown.status_code == 200
        assert 'telegram_webhook_ack_seconds_count{status="503"} 1.0' in shown.text


async def test_webhook_asks_for_another_try_when_the_database_hangs() -> None:
    """Long before Telegram itself would give up."""

    class HangingInbox(InMemoryInbox):
        @override
        async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
            await asyncio.Event().wait()
            return 0

    app = create_webhook_app(
        HangingInbox(),
        Metrics(CollectorRegistry()),
        ready,
        secrets=Secrets(SECRET),
        intake=Intake(store_s=0.05),
    )
    assert Intake().read_s + Intake().store_s < TELEGRAM_GIVES_UP_S
    async with open_http(app) as http:
        answer = await http.post(WEBHOOK_PATH, content=UPDATE, headers=HEADERS)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


async def test_webhook_does_not_wait_for_a_body_for_ever() -> None:
    """A sender that stops in the middle holds nothing."""

    async def body() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    inbox = InMemoryInbox()
    app = create_webhook_app(
        inbox,
        Metrics(CollectorRegistry()),
        ready,
        secrets=Secrets(SECRET),
        intake=Intake(read_s=0.05),
    )
    async with open_http(app) as http:
        answer = await http.post(WEBHOOK_PATH, content=body(), headers=HEADERS)
    assert answer.status_code == 408
    assert (await inbox.depth()).pending == 0


DISK_FULL = """
CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER disk_is_full BEFORE INSERT ON telegram_inbox
FOR EACH ROW EXECUTE FUNCTION disk_is_full();
"""


async def test_webhook_asks_for_another_try_while_the_disk_is_full(database_url: str) -> None:
    """Updates already stored stay, and it goes on by itself once there is room."""
    async with (
        open_pool(database_url, max_size=4) as pool,
        PostgresInbox(pool) as inbox,
        open_http(app_for(inbox)) as http,
    ):
        stored = await http.post(WEBHOOK_PATH, content=UPDATE, headers=HEADERS)
        async with pool.connection() as connection:
            await connection.execute(DISK_FULL)
        refused = await asyncio.gather(
            *(http.post(WEBHOOK_PATH, content=numbered(n), headers=HEADERS) for n in range(8, 12))
        )
        async with pool.connection() as connection:
            await connection.execute("DROP TRIGGER disk_is_full ON telegram_inbox")
        again = await http.post(WEBHOOK_PATH, content=numbered(8), headers=HEADERS)
        assert (stored.status_code, again.status_code) == (200, 200)
        assert {(r.status_code, r.headers["Retry-After"]) for r in refused} == {(503, "5")}
        assert (await inbox.depth()).pending == 2


async def test_webhook_stores_simultaneous_deliveries_together(database_url: str) -> None:
    """A hundred at once cost no hundred flushes of the disk; each is acknowledged for itself."""
    async with (
        open_pool(database_url, max_size=4) as pool,
        PostgresInbox(pool) as inbox,
        open_http(app_for(inbox)) as http,
    ):
        answers = await asyncio.gather(
            *(http.post(WEBHOOK_PATH, content=numbered(n), headers=HEADERS) for n in range(100))
        )
        assert {answer.status_code for answer in answers} == {200}
        async with pool.connection() as connection:
            found = await connection.execute(
                "SELECT count(*) AS updates, count(DISTINCT xmin::text) AS transactions "
                "FROM telegram_inbox"
            )
            row = await found.fetchone()
    assert row is not None
    assert row["updates"] == 100
    assert row["transactions"] < 50


def numbered(update_id: int) -> bytes:
    """An update of its own user."""
    return b'{"update_id": %d, "message": {"from": {"id": %d}}}' % (update_id, 1000 + update_id)


async def test_webhook_takes_only_posts() -> None:
    """And polling bots have no webhook at all."""
    async with open_http(app_for(InMemoryInbox())) as http:
        assert (await http.get(WEBHOOK_PATH)).status_code == 405
    without = create_webhook_app(InMemoryInbox(), Metrics(CollectorRegistry()), ready)
    async with open_http(without) as http:
        answer = await http.post(WEBHOOK_PATH, content=UPDATE, headers=HEADERS)
        assert answer.status_code == 404
        assert (await http.get("/healthz")).text == "ok"
    with pytest.raises(ValueError, match="secret"):
        create_webhook_app(
            InMemoryInbox(), Metrics(CollectorRegistry()), ready, secrets=Secrets("")
        )


async def test_readyz_says_what_is_missing() -> None:
    """With the command that fixes it."""

    async def not_ready() -> str:
        raise SchemaError("the tables are missing")

    metrics = Metrics(CollectorRegistry())
    async with open_http(create_webhook_app(InMemoryInbox(), metrics, not_ready)) as http:
        answer = await http.get("/readyz")
        assert (await http.get("/healthz")).status_code == 200
    assert answer.status_code == 503
    assert "rich-agent migrate" in answer.text
    async with open_http(app_for(InMemoryInbox())) as http:
        assert (await http.get("/readyz")).status_code == 200


@pytest.mark.parametrize(
    ("token", "peer", "headers", "status"),
    [
        (None, "127.0.0.1", {}, 200),
        (None, "::ffff:127.0.0.1", {}, 200),
        (None, "203.0.113.9", {}, 401),
        (None, "203.0.113.9", {"X-Forwarded-For": "127.0.0.1"}, 401),
        (None, "127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, 401),
        ("sesame", "127.0.0.1", {}, 401),
        ("sesame", "127.0.0.1", {"Authorization": "Bearer sesam"}, 401),
        ("sesame", "203.0.113.9", {"Authorization": "Bearer sesame"}, 200),
    ],
)
async def test_figures_and_reasons_are_for_operators(
    token: str | None, peer: str, headers: dict[str, str], status: int
) -> None:
    """A stranger hears that the process is not ready, and neither why nor how it does."""

    async def not_ready() -> str:
        raise DatabaseUnavailableError("PostgreSQL at db.internal:5432: refused")

    metrics = Metrics(CollectorRegistry())
    secrets = Secrets(metrics=token)
    app = create_webhook_app(InMemoryInbox(), metrics, not_ready, secrets=secrets)
    transport = httpx.ASGITransport(app, client=(peer, 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        figures = await http.get("/metrics", headers=headers)
        readiness = await http.get("/readyz", headers=headers)
    assert figures.status_code == status
    assert ("telegram_inbox_pending" in figures.text) == (status == 200)
    assert readiness.status_code == 503
    assert ("db.internal" in readiness.text) == (status == 200)


@asynccontextmanager
async def serving(app: Starlette, limiter: ConnectionLimiter | None = None) -> AsyncIterator[str]:
    """The application on a free port of this machine; its address."""
    stop = asyncio.Event()
    with listening("127.0.0.1", 0) as listener:
        async with asyncio.TaskGroup() as group:
            group.create_task(serve_http(app, listener, stop, limiter))
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
            stop.set()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 401),
        ("evil.example:8000", 401),
        ("127.0.0.1.evil.example", 401),
        ("127.0.0.1:8000.evil.example", 401),
        ("evil.example@127.0.0.1", 401),
        ("[", 401),
        ("localhost:9", 200),
        ("127.0.0.1:9", 200),
        ("[::1]:9", 200),
    ],
)
async def test_page_whose_name_leads_to_this_machine_reads_no_figures(
    host: str, status: int
) -> None:
    """Without a token only a request from this machine to a name of it gets them."""

    async def not_ready() -> str:
        raise DatabaseUnavailableError("PostgreSQL at db.internal:5432: refused")

    app = create_webhook_app(InMemoryInbox(), Metrics(CollectorRegistry()), not_ready)
    async with serving(app) as url, httpx.AsyncClient(base_url=url, trust_env=False) as http:
        assert (await http.get("/metrics", headers={"Host": host})).status_code == status
        readiness = await http.get("/readyz", headers={"Host": host})
    assert ("db.internal" in readiness.text) == (status == 200)


@pytest.mark.parametrize(
    "first",
    [b"", b"GET /healthz HTTP/1.1\r\nHost: bot\r\nX: ", b"GET /healthz HTTP/1.1\r\n"],
)
async def test_connection_without_a_whole_request_is_closed(first: bytes) -> None:
    """However slowly it drips, and also after a request that was answered."""
    whole = b"GET /healthz HTTP/1.1\r\nHost: bot\r\n\r\n"
    async with serving(app_for(InMemoryInbox()), ConnectionLimiter(head_s=0.2)) as url:
        for before in (b"", whole):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.split(":")[2]))
            writer.write(before)
            if before:
                await reader.readuntil(b"ok")
            writer.write(first or b"G")

            async def drip(to: asyncio.StreamWriter = writer) -> None:
                while True:
                    to.write(b"x")
                    await asyncio.sleep(0.02)

            dripping = asyncio.create_task(drip())
            async with asyncio.timeout(30):
                with suppress(ConnectionError):
                    assert await reader.read() == b""
            dripping.cancel()
            writer.close()


_HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
_CHUNKED = _HEALTH + b"Transfer-Encoding: chunked\r\n"


async def _answers_to(received: bytes) -> bytes:
    """All that a connection answers, up to its end."""
    async with serving(app_for(InMemoryInbox()), ConnectionLimiter(head_s=1.0)) as url:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rsplit(":", 1)[1]))
        writer.write(received)
        async with asyncio.timeout(30):
            answers = await reader.read()
        writer.close()
    return answers


@pytest.mark.parametrize(
    "first",
    [
        _CHUNKED + b"Content-Length: 5\r\n\r\n0\r\n\r\n",
        _CHUNKED + b"\r\n0\r\nA: b\n\r\n",
        _HEALTH + b"\r\n" + _CHUNKED + b"\r\n0\r\n\r\n",
    ],
)
async def test_request_in_chunks_is_the_last_of_its_connection(first: bytes) -> None:
    """A proxy that reads another end would have taken what follows for its body."""
    answers = await _answers_to(first + _HEALTH + b"\r\n")
    assert answers.count(b"HTTP/1.1 200") == first.count(b"GET ")


async def test_head_with_loose_lines_is_refused_behind_another_request() -> None:
    """Nothing of the connection is read then."""
    loose = _HEALTH.replace(b"\r\n", b"\n") + b"\n"
    answers = await _answers_to(_HEALTH + b"\r\n" + loose + _HEALTH + b"\r\n")
    assert answers.count(b"HTTP/1.1 200") == answers.count(b"HTTP/1.1 400") == 1


async def test_silent_connections_give_way_to_new_ones() -> None:
    """The one that was silent longest goes; whoever asks is answered."""
    async with serving(app_for(InMemoryInbox()), ConnectionLimiter(places=3)) as url:
        port = int(url.split(":")[2])
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        async with httpx.AsyncClient(trust_env=False) as http:
            assert (await http.get(f"{url}/healthz")).text == "ok"
            with suppress(ConnectionError):
                assert await silent[0][0].read() == b""
            silent[2][1].write(b"GET /healthz HTTP/1.1\r\nHost: bot\r\n\r\n")
            assert b"200" in await silent[2][0].readline()
        for _, writer in silent:
            writer.close()


@pytest.mark.parametrize(
    ("written", "proxied"),
    [
        ("", ""),
        ("/telegram/webhook", ""),
        ("/bots/one", ""),
        ("/bots/one/telegram/webhook", ""),
        ("/bots/one", "/bots/one"),
    ],
)
async def test_webhook_hears_at_the_address_that_the_setting_gives(
    sandbox: RunningSandbox, written: str, proxied: str
) -> None:
    """With the path or without, and behind a proxy that takes its front (`proxied`) away."""
    async with open_sim(sandbox) as sim, open_client(sandbox) as client:
        bot = Bot(client)
        address = webhook_address(f"http://bot.example{written}")
        secrets = Secrets(SECRET, address=address)
        app = create_webhook_app(bot.inbox, bot.metrics, ready, secrets=secrets)
        async with serving(app) as url:
            path = address.removeprefix(f"http://bot.example{proxied}")
            await client.set_webhook(url + path, SECRET, ("message",))
            async with bot.running(receiving=False):
                await sim.send(ADA, "one")
                await sim.until_said(ADA, "You said: one")
            await client.delete_webhook()


async def test_webhook_answers_through_an_outage(sandbox: RunningSandbox) -> None:
    """Telegram's retries bring each message once, in order."""
    async with open_sim(sandbox) as sim, open_client(sandbox) as client:
        bot = Bot(client, inbox=AwayInbox(calls=2))
        async with serving(app_for(bot.inbox, bot.metrics)) as url:
            await client.set_webhook(url + WEBHOOK_PATH, SECRET, ("message", "callback_query"))
            async with bot.running(receiving=False):
                await sim.send(ADA, "one")
                await sim.send(ADA, "two")
                await sim.until_said(ADA, "You said: one", "You said: two")
                await until(lambda: _is_idle(bot))
            await client.delete_webhook()
        assert len(bot.turns.requests) == 2


async def _is_idle(bot: Bot) -> bool:
    return (await bot.inbox.depth()).pending == 0
