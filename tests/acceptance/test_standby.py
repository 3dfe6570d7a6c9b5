"""A standby as an address: refused for all that writes, taken for reading documents."""

from collections.abc import Iterator

import httpx
import pytest

from bench.faults.postgres import Postgres, running_postgres, running_standby
from tests.acceptance.world import (
    Sandbox,
    command,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """The stand-ins."""
    with running_sandbox() as running:
        yield running


@pytest.fixture
def primary() -> Iterator[Postgres]:
    """A server with all tables."""
    with running_postgres() as running:
        yield running


def get(settings: dict[str, str], path: str) -> httpx.Response:
    """The answer of the bot to an operator."""
    return httpx.get(f"http://127.0.0.1:{settings['PORT']}{path}", trust_env=False, timeout=30)


def replica_of(settings: dict[str, str]) -> tuple[str, ...]:
    """The state of the replica by the readiness and by the metrics."""
    lines = get(settings, "/metrics").text.splitlines()
    used = [line for line in lines if line.startswith("rich_agent_replica_used ")]
    return get(settings, "/readyz").text, *used


@pytest.mark.costs("it starts two servers of PostgreSQL and a bot")
def test_standby_is_refused_at_start_and_while_the_bot_runs(
    sandbox: Sandbox, primary: Postgres
) -> None:
    """Each time with the address that would find the primary."""
    with running_standby(primary) as standby:
        refused = environment(sandbox.url, standby.url)
        told = command(["rich_agent.cli", "run"], refused, expect=1).stderr
        assert "is a standby" in told
        assert "target_session_attrs=read-write" in told
        told = command(["rich_agent.cli", "doctor"], refused, expect=1).stdout
        assert "FAIL  database: PostgreSQL is a standby" in told
        assert "target_session_attrs=read-write" in told
    settings = environment(sandbox.url, primary.url, PORT=str(free_port()))
    with running_bot(settings):
        wait_until(lambda: get(settings, "/readyz").status_code == 200, "the bot is ready")
        primary.crash()
        primary.demote()
        primary.start()

        def is_refused() -> bool:
            answer = get(settings, "/readyz")
            return answer.status_code == 503 and "has become a standby" in answer.text

        wait_until(is_refused, "the bot says that it cannot write")
        primary.promote()
        wait_until(lambda: get(settings, "/readyz").status_code == 200, "the bot is ready")


@pytest.mark.costs("it starts two servers of PostgreSQL and a bot")
def test_replica_is_told_of_while_it_is_used_and_while_it_is_away(
    sandbox: Sandbox, primary: Postgres
) -> None:
    """By doctor, the readiness and the metrics; without it, the bot starts and serves."""
    with running_standby(primary) as standby:
        settings = environment(
            sandbox.url, primary.url, RAG_READ_URL=standby.url, PORT=str(free_port())
        )
        told = command(["rich_agent.cli", "doctor"], settings).stdout
        assert "ok    replica: documents are searched on" in told
        with running_bot(settings):
            used = ("ok", "rich_agent_replica_used 1.0")
            wait_until(lambda: replica_of(settings) == used, "the replica is used")
            standby.crash()

            def is_left() -> bool:
                note, used = replica_of(settings)
                is_told = note.startswith("ok, but documents are searched on the primary: ")
                return is_told and used == "rich_agent_replica_used 0.0"

            wait_until(is_left, "the replica is left")
        told = command(["rich_agent.cli", "doctor"], settings).stdout
        assert "warn  replica: documents are searched on the primary" in told
        with running_bot(settings):
            wait_until(is_left, "the bot is ready without the replica")
