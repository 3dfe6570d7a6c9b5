"""/readyz of a process on PostgreSQL, over HTTP: what it looks at, and in which words."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import httpx
import pytest
from langgraph.checkpoint.serde import _msgpack
from prometheus_client import CollectorRegistry

from rich_agent.composition.bot import Bot
from rich_agent.composition.features import NO_FEATURES, OpenFeatures, OpeningFeatures
from rich_agent.composition.repositories import make_repositories
from rich_agent.errors import UpstreamRefusedError
from rich_agent.installed import BrokenFeature, installed_features
from rich_agent.repositories.database.pools import open_pools
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.envelope import GroupGate
from rich_agent.telegram.receive.webhook import create_webhook_app
from rich_agent.telegram.receive.webhook_health import WebhookHealth
from rich_agent.turns.stopping import Stopping
from tests.integration.catalogue import execute, read
from tests.integration.telegram_support import open_client, open_sim, until
from tests.integration.test_new_updates import end_listener
from tests.integration.test_webhook import serving
from tests.sandbox_server import RunningSandbox


@dataclass(frozen=True, slots=True)
class Process:
    """A worker that waits for messages, seen by whoever watches it."""

    http: httpx.AsyncClient
    database_url: str
    answers: asyncio.Event
    features: OpeningFeatures

    async def readiness(self) -> tuple[int, str]:
        """Status and words of /readyz."""
        answer = await self.http.get("/readyz")
        return answer.status_code, answer.text

    async def is_ready(self) -> bool:
        """Whether it says so."""
        return (await self.readiness())[0] == 200


@pytest.fixture
async def process(sandbox: RunningSandbox, database_url: str) -> AsyncIterator[Process]:
    """It listens for new messages, as a worker does."""
    async with (
        open_pools(database_url, database_url, max_size=4) as databases,
        open_client(sandbox) as api,
        make_repositories(Settings.load(), databases).inbox as inbox,
    ):
        repositories = replace(make_repositories(Settings.load(), databases), inbox=inbox)
        metrics = Metrics(CollectorRegistry())
        stopping = Stopping(repositories.stops)
        answers = asyncio.Event()
        answers.set()
        stop = asyncio.Event()
        live, gate = LiveSettings(Settings.load()), GroupGate()
        opening = OpeningFeatures()
        limiter = Limiter(repositories.sending_rate)
        messenger = Messenger(api, repositories.outbox, repositories.users, limiter)
        parts = live, repositories, messenger, api, metrics, stop, stopping, gate, opening
        bot = Bot(*parts, answers=answers)
        app = create_webhook_app(inbox, metrics, bot.ready)
        async with (
            asyncio.TaskGroup() as group,
            serving(app) as url,
            httpx.AsyncClient(base_url=url, trust_env=False, timeout=30) as http,
        ):
            waiting = group.create_task(inbox.wait(600))
            opened = Process(http, database_url, answers, opening)
            opening.finish(NO_FEATURES)
            await until(opened.is_ready)
            yield opened
            waiting.cancel()


async def test_readyz_is_ok_without_any_call_of_a_model(
    process: Process, sandbox: RunningSandbox
) -> None:
    """Nor of Telegram: whoever probes often costs nothing."""
    assert await process.readiness() == (200, "ok")
    async with httpx.AsyncClient(trust_env=False) as http:
        assert (await http.get(f"{sandbox.url}/sim/calls")).json()["calls"] == []


async def test_readyz_waits_for_what_answers(process: Process) -> None:
    """A process that stores messages and does not answer yet says so, and becomes ready."""
    process.answers.clear()
    status, words = await process.readiness()
    assert (status, "not answered yet" in words) == (503, True)
    process.answers.set()
    assert await process.readiness() == (200, "ok")


async def test_readyz_waits_for_the_features(process: Process) -> None:
    """Their addresses answer 503 so long."""
    process.features._is_open.clear()
    status, words = await process.readiness()
    assert (status, "features are not open" in words) == (503, True)
    process.features.finish(NO_FEATURES)
    assert await process.readiness() == (200, "ok")


async def test_readyz_says_that_the_tables_are_older(process: Process) -> None:
    """With the command that fixes it."""
    execute(process.database_url, "UPDATE alembic_version_app SET version_num = 'app_0001'")
    status, words = await process.readiness()
    assert status == 503
    assert "rich-agent migrate" in words


async def test_readyz_says_that_checkpoints_are_not_read_strictly(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LangGraph reads the variable once; this is what it makes of it."""
    monkeypatch.setattr(_msgpack, "STRICT_MSGPACK_ENABLED", False)
    status, words = await process.readiness()
    assert status == 503
    assert "LANGGRAPH_STRICT_MSGPACK" in words


async def test_readyz_says_that_nothing_listens_until_something_does(process: Process) -> None:
    """The connection with LISTEN is cut, and comes back by itself."""

    async def is_deaf() -> bool:
        await end_listener(process.database_url)
        status, words = await process.readiness()
        return status == 503 and "nothing listens" in words

    await until(is_deaf)
    assert (await process.http.get("/healthz")).status_code == 200
    await until(process.is_ready)


@pytest.mark.costs("a process comes to be ready twice")
@pytest.mark.parametrize("state", ["53100", "25006"])
async def test_readyz_is_red_while_nothing_can_be_stored(process: Process, state: str) -> None:
    """A full disk and a read-only server let everybody read; it becomes ready by itself."""

    async def is_red() -> bool:
        return (await process.readiness())[0] == 503

    execute(
        process.database_url,
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE 'no' USING ERRCODE = '{state}'; END $$",
        "CREATE TRIGGER refuse BEFORE INSERT ON telegram_inbox "
        "FOR EACH ROW EXECUTE FUNCTION refuse()",
    )
    await until(is_red)
    assert (await process.http.get("/healthz")).status_code == 200
    execute(process.database_url, "DROP TRIGGER refuse ON telegram_inbox")
    await until(process.is_ready)
    assert not read(process.database_url, "SELECT 1 FROM telegram_inbox")


async def test_webhook_health_tells_what_keeps_updates_away(sandbox: RunningSandbox) -> None:
    """A path that nobody serves, then another program's webhook; Telegram is asked seldom."""
    now = 0.0
    async with open_sim(sandbox) as sim, open_client(sandbox) as api:
        health = WebhookHealth(api, sandbox.url, clock=lambda: now)
        await api.set_webhook(f"{sandbox.url}/telegram/webhook", "a-secret", ("message",))
        assert await health.trouble() == ""
        await sim.send(42, "hello")

        async def has_failed() -> bool:
            return bool((await api.get_webhook()).last_error)

        await until(has_failed)
        asked = len(await sim.calls("getWebhookInfo"))
        assert await health.trouble() == ""
        assert len(await sim.calls("getWebhookInfo")) == asked
        now = 60.0
        words = await health.trouble()
        assert "404" in words
        assert "/telegram/webhook on to the bot" in words
        await api.set_webhook("http://127.0.0.1:9/other", "a-secret", ("message",))
        now = 120.0
        with pytest.raises(UpstreamRefusedError, match="the webhook is http://127"):
            await health.trouble()
        await api.delete_webhook()


async def test_webhook_health_keeps_to_what_it_knows_while_telegram_is_away(
    sandbox: RunningSandbox,
) -> None:
    """A probe waits for Telegram no longer than its deadline, and does not fail for it."""
    async with open_sim(sandbox) as sim, open_client(sandbox) as api:
        health = WebhookHealth(api, sandbox.url, deadline_s=0.05)
        await sim.fail("delay", method="getWebhookInfo", delay_s=5.0)
        assert await health.trouble() == ""


async def test_readiness_keeps_a_feature_whose_tables_a_newer_program_migrated(
    process: Process,
) -> None:
    """Its commands and readers are open, and nothing closes them until the process ends."""
    execute(
        process.database_url,
        "UPDATE alembic_version_voice SET version_num = 'voice_9999'",
        "COMMENT ON TABLE alembic_version_voice IS 'voice_9999'",
    )
    assert await process.is_ready()
    assert installed_features().broken == ()


async def test_readiness_names_features_that_are_left_out(process: Process) -> None:
    """The bot answers without them, so it stays ready; how to mend them, doctor tells."""
    chess = BrokenFeature("chess", "CHESS_DIR: /chess is not a directory")
    process.features.finish(OpenFeatures(broken=(chess,)))
    status, words = await process.readiness()
    assert status == 200
    assert "chess" in words
    assert "/chess" not in words


async def test_readiness_is_silent_about_what_the_operator_switched_off(process: Process) -> None:
    """A feature that only lacks another one that is off is no trouble; doctor lists it."""
    digest = BrokenFeature("digest", "it needs mail", is_by_choice=True)
    process.features.finish(OpenFeatures(broken=(digest,)))
    assert "digest" not in (await process.readiness())[1]
