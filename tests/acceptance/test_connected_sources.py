"""Services that documents are read from: by the bot's own workers, without a command."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rich_agent.repositories.inbox.wakeups import DUE_WORK_CHANNEL
from tests.acceptance.world import (
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.integration.git_server import GitServer, serve_git

KEY = "kW0Zr1oJtC0u3mJm3yq2mU2b1y0mJ2m4m8b1e7l2p9A="
TOKEN = "glpat-abc"
DONE = "SELECT 1 FROM due_work WHERE kind = 'connectors_content' AND lease_until IS NULL"
DUE = f"""
WITH due AS (
    UPDATE due_work SET due_at = now() WHERE kind = 'connectors_content' RETURNING id
)
SELECT pg_notify('{DUE_WORK_CHANNEL}', '') FROM due
"""


@pytest.fixture(scope="module")
def prepared(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """A sandbox and a database of these tests' own, with no documents and no bot."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        data = tmp_path_factory.mktemp("data")
        more = {"CREDENTIALS_KEY": KEY, "DATA_DIR": str(data)}
        yield World(sandbox, environment(sandbox.url, url, **more), url)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitServer]:
    """A server without repositories."""
    folder = tmp_path / "git"
    folder.mkdir()
    with serve_git(folder) as server:
        server.token = TOKEN
        yield server


@pytest.mark.soak
def test_worker_reads_a_repository_and_tells_the_admin_of_its_trouble(
    prepared: World, server: GitServer, user: int, tmp_path: Path
) -> None:
    """Answers come from what was pushed; an expired token is told once, and its mending once."""
    work = server.make("handbook")
    work.write("leave.md", "# Leave\n\nLeave is requested by the green form in room seven.")
    work.push()
    token = tmp_path / "token"
    token.write_text(TOKEN, "utf-8")
    options = ["connect", "git", work.address, "--secret-file", str(token)]
    command(["ingest.cli", *options], prepared.environment)
    with running_bot({**prepared.environment, "ADMIN_USERS": str(user)}):
        prepared.ask(user, "hi")
        stored = "SELECT 1 FROM rag_clocks WHERE done_at IS NOT NULL"
        wait_until(lambda: prepared.rows(stored) or None, "it is read", deadline_s=60)
        reply = prepared.ask(user, "By which form is leave requested?")
        assert "handbook/blob/main/leave.md" in str(reply)
        last = reply["message_id"]
        server.token = "another"
        prepared.rows(DUE)
        told = wait_until(lambda: prepared.sandbox.replies(user, last) or None, "it is told")
        assert "handbook" in told[0]["text"]
        assert "has expired" in told[0]["text"]
        for failures in (2, 3):
            prepared.rows(DUE)
            failed = f"{DONE} AND tries >= {failures}"
            wait_until(lambda query=failed: prepared.rows(query) or None, "it has failed again")  # type: ignore[misc]
        server.token = TOKEN
        prepared.rows(DUE)
        wait_until(lambda: prepared.rows(f"{stored} AND told = ''") or None, "it works again")
        wait_until(
            lambda: len(prepared.sandbox.replies(user, last)) == 2 or None, "that is told too"
        )
        assert "can be read again" in prepared.sandbox.replies(user, last)[1]["text"]
