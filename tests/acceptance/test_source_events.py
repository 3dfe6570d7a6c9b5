"""Events of services: what changed there is known to answers within a minute, by no poll."""

import hashlib
import hmac
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from rich_agent_sandbox.ledger import Ledger
from tests.acceptance.world import (
    World,
    command,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.integration.git_server import serve_git
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.confluence.api import confluence_routes
from tests.stand_ins.confluence.site import ConfluenceSandbox, StoredSpace

ANNA = "557058:anna"
CODE = "quillon"
QUESTION = "Which word opens the marigold safe in the cellar?"
BY_EVENT_S = 60.0
IDLE = """
SELECT 1 FROM rag_clocks LEFT JOIN due_work ON key = source_id AND kind = 'connectors_' || job
WHERE done_at IS NULL OR lease_until IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Wiki:
    """A site of Confluence with one space, which Anna may read."""

    url: str
    site: ConfluenceSandbox
    space: StoredSpace


@pytest.fixture(scope="module")
def prepared(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """A sandbox and a database of these tests' own, with no documents and no bot."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        data = tmp_path_factory.mktemp("data")
        yield World(sandbox, environment(sandbox.url, url, DATA_DIR=str(data)), url)


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    """A page of the space holds a secret."""
    site = ConfluenceSandbox()
    space = site.add_space("DOC", users=[ANNA])
    with served(
        Starlette(routes=[Mount("/wiki", routes=confluence_routes(site, Ledger()))])
    ) as url:
        yield Wiki(url, site, space)


def at_desk(world: World, *arguments: str) -> str:
    """The output of a command of `ingest`."""
    return command(["ingest.cli", *arguments], world.environment).stdout


def hook_of(world: World, source: str) -> tuple[str, str]:
    """The address and the secret of a new hook."""
    said = at_desk(world, "schedule", source, "--hook").splitlines()
    return said[0].rpartition(" ")[2], said[1].rpartition(" ")[2]


def read_once(world: World) -> None:
    """Wait until workers have done everything that is due."""
    wait_until(lambda: not world.rows(IDLE) or None, "everything was read")


@pytest.mark.costs("it starts a bot of its own")
def test_right_that_was_taken_back_is_gone_within_a_minute(
    prepared: World, wiki: Wiki, user: int, tmp_path: Path
) -> None:
    """Confluence says that a page was restricted, and the next answer does not have it."""
    text = f"<p>The word that opens the marigold safe in the cellar is {CODE}.</p>"
    page = wiki.site.add("page", "Vault", wiki.space, body=text)
    token = tmp_path / "token"
    token.write_text(wiki.site.token, "utf-8")
    options = ["-o", f"email={wiki.site.email}", "--every", "6h", "--rights-every", "6h"]
    at_desk(
        prepared,
        *("connect", "confluence", wiki.url, "--name", "wiki", *options),
        *("--secret-file", str(token)),
    )
    at_desk(prepared, "accounts", str(user), "--add", f"external:wiki:{ANNA}")
    address, secret = hook_of(prepared, "wiki")
    with running_bot(prepared.environment):
        read_once(prepared)
        assert CODE in str(prepared.ask(user, QUESTION))
        wiki.site.restrict(page, users=["557058:bert"])
        assert CODE in str(prepared.ask(user, QUESTION)), "nobody has said anything yet"
        began = time.monotonic()
        answer = httpx.post(address, headers={"Authorization": f"Bearer {secret}"}, timeout=10)
        assert answer.status_code == 202
        wait_until(
            lambda: CODE not in str(prepared.ask(user, QUESTION)) or None,
            "the right is gone",
            deadline_s=BY_EVENT_S,
        )
        assert time.monotonic() - began < BY_EVENT_S
        before = prepared.sandbox.mark()
        assert CODE not in str(prepared.ask(user, QUESTION))
        assert CODE not in str(prepared.sandbox.calls("openai", before))


@pytest.mark.soak
def test_push_is_read_when_the_host_says_so(prepared: World, user: int, tmp_path: Path) -> None:
    """By an event that is signed as GitHub does; one process hears it, and another one reads."""
    folder = tmp_path / "git"
    folder.mkdir()
    with serve_git(folder) as server:
        work = server.make("handbook")
        work.write("tea.md", "# Tea\n\nTea is in room seven.")
        work.push()
        at_desk(prepared, "connect", "git", work.address, "--every", "6h")
        address, secret = hook_of(prepared, "handbook")
        worker = {**prepared.environment, "PORT": str(free_port())}
        with running_bot(prepared.environment, "serve"), running_bot(worker, "worker"):
            read_once(prepared)
            work.write("leave.md", "# Leave\n\nLeave is requested by the green form.")
            work.push()
            body = b'{"ref": "refs/heads/main"}'
            signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
            assert httpx.post(address, content=body, timeout=10).status_code == 403
            headers = {"X-GitHub-Event": "push", "X-Hub-Signature-256": f"sha256={signature}"}
            answer = httpx.post(address, content=body, headers=headers, timeout=10)
            assert answer.status_code == 202
            stored = "SELECT 1 FROM rag_documents WHERE url LIKE '%%leave.md'"
            wait_until(lambda: prepared.rows(stored) or None, "it is read", BY_EVENT_S)
            assert "leave.md" in str(prepared.ask(user, "By which form is leave requested?"))
