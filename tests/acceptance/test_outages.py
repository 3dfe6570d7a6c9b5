"""The database restarts, or goes away: processes stay, messages wait, answers come once."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.acceptance.faults import cable_to, kill_postgres, own_server, socket_of
from tests.acceptance.world import (
    SECRET,
    Sandbox,
    Sent,
    World,
    environment,
    free_port,
    process,
    running_bot,
    running_sandbox,
    wait_until,
)

RESTARTS = 3


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """The stand-ins."""
    with running_sandbox() as running:
        yield running


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("REL-1")
def test_bot_outlives_restarts_of_its_database_in_the_middle_of_turns(
    sandbox: Sandbox, user: int
) -> None:
    """The server dies while the model writes, again and again; each answer comes once, soon."""
    with own_server() as (data_dir, url):
        world = World(sandbox, environment(sandbox.url, url), url)
        with running_bot(world.environment) as bot:
            world.ask(user, "hi")
            for _ in range(RESTARTS):
                sent = _begin_turn(sandbox, user)
                kill_postgres(data_dir)
                world.answer(user, sent)
                assert len(sandbox.replies(user, sent.message_id)) == 1
            assert bot.poll() is None
        kept = world.rows("SELECT role FROM messages WHERE user_id = %s", user)
        assert len(kept) == 2 * (RESTARTS + 1)


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("REL-1")
def test_bot_outlives_an_outage_of_its_database(
    sandbox: Sandbox, user: int, tmp_path: Path
) -> None:
    """Meanwhile the webhook asks Telegram to come again; afterwards every message is answered.

    A process that is started during an outage waits for its end, too.
    """
    log = tmp_path / "log"
    with own_server() as (_, url), ExitStack() as opened:
        port = free_port()
        with cable_to(socket_of(url)) as cable:
            world = World(sandbox, environment(sandbox.url, url), url)
            settings = {
                **world.environment,
                "DATABASE_URL": f"postgresql://postgres@127.0.0.1:{cable.port}/rich_agent",
                "PORT": str(port),
                "WEBHOOK_URL": f"http://127.0.0.1:{port}",
                "WEBHOOK_SECRET": SECRET,
            }
            cable.cut()
            with process(["rich_agent.cli", "serve"], settings, "out_of_reach", log) as receiver:
                cable.hint()
                wait_until(lambda: "ready" in log.read_text("utf-8"), "the receiver is ready")
                worker = opened.enter_context(running_bot(settings, "worker"))
                world.ask(user, "hi")
                sent = _begin_turn(sandbox, user)
                cable.cut()
                refused = wait_until(lambda: _refused(port), "the webhook refuses")
                assert int(refused.headers["Retry-After"]) > 0
                assert _look(port, "healthz").status_code == 200
                unready = _look(port, "readyz")
                assert (unready.status_code, "PostgreSQL at" in unready.text) == (503, True)
                later = sandbox.say(user, "hi")
                cable.hint()
                world.answer(user, later)
                assert receiver.poll() is None
                assert worker.poll() is None
            assert world.is_done(sent)
            assert len(sandbox.replies(user, sent.message_id)) == 2


def _begin_turn(sandbox: Sandbox, user: int) -> Sent:
    """A question whose answer takes seconds, and has begun."""
    sandbox.fail("openai", "slow", method="chat.completions", delay_s=2.0, times=2)
    sent = sandbox.say(user, "Write a haiku about the sea, please")
    wait_until(lambda: sandbox.replies(user, sent.message_id) or None, "the bot begins")
    return sent


def _look(port: int, page: str) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{port}/{page}", timeout=30, trust_env=False)


def _refused(port: int) -> httpx.Response | None:
    """The webhook's answer once it is 503; what it takes before that is ignored."""
    answer = httpx.post(
        f"http://127.0.0.1:{port}/telegram/webhook",
        content=b"{}",
        headers={"X-Telegram-Bot-Api-Secret-Token": SECRET},
        timeout=30,
        trust_env=False,
    )
    return answer if answer.status_code == 503 else None
