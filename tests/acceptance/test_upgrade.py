"""An upgrade while the bot runs: the program of before the newest migration, on the new tables."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from site import getsitepackages

import httpx
import pytest

from rich_agent.repositories.database.schema import APP
from tests.acceptance.test_wheel import UV, bot_of, run
from tests.acceptance.world import (
    ROOT,
    World,
    command,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

GOES_ON = APP.oldest() != APP.revisions()[-1]
"""Whether the program of before runs on the newest tables, which its own are older than."""


def git(*arguments: str | Path) -> str:
    """The output of git in this repository."""
    return run("git", "-C", ROOT, *arguments).strip()


def need_history() -> None:
    """Skip the test where the programs of before are not in the history."""
    if not (ROOT / ".git").exists():
        pytest.skip("the program of before is in the history, and this is no clone")
    if git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("the program of before is in the history, which this clone does not have")


def commit_before_newest_migration() -> str:
    """The newest commit whose program does not know the newest tables."""
    need_history()
    newest = max((APP.directory / "versions").glob("*.py"))
    added = git("log", "-1", "--diff-filter=A", "--format=%H", "--", newest)
    return git("rev-parse", f"{added}^" if added else "HEAD")


def program_of(commit: str, folder: Path) -> Path:
    """The commands of the program of a commit: its own wheel, on the libraries of the tests."""
    sources, programs = folder / "sources", folder / "venv/bin"
    sources.mkdir()
    archive = folder / "sources.tar"
    git("archive", "--output", archive, commit)
    run("tar", "-x", "-f", archive, "-C", sources)
    run(UV, "build", "--quiet", "--wheel", "--out-dir", folder, sources)
    (wheel,) = folder.glob("*.whl")
    run(UV, "venv", "--quiet", "--python", sys.executable, programs.parent)
    python = programs / "python"
    run(UV, "pip", "install", "--quiet", "--no-deps", "--python", python, wheel)
    (own,) = programs.parent.glob("lib/python*/site-packages")
    # A path in it is searched last, and what is editable there does not count here.
    (own / "libraries.pth").write_text("\n".join(getsitepackages()), "utf-8")
    assert run(python, "-c", "import rich_agent; print(rich_agent.__file__)").startswith(str(own))
    return programs


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of the program of before."""
    return program_of(commit_before_newest_migration(), tmp_path_factory.mktemp("before"))


@pytest.fixture
def world(database_server: PostgresServer, before: Path) -> Iterator[World]:
    """A database with the tables of before, and a Telegram."""
    with running_sandbox() as sandbox, database_server.database() as url:
        settings = environment(sandbox.url, url, PORT=str(free_port()))
        run(before / "rich-agent", "migrate", env=settings)
        yield World(sandbox, settings, url)


def readiness(world: World) -> httpx.Response:
    """The answer to a load balancer."""
    address = f"http://127.0.0.1:{world.environment['PORT']}/readyz"
    return httpx.get(address, trust_env=False, timeout=30)


def await_ready(world: World) -> None:
    """Return once a load balancer would use the bot."""
    wait_until(lambda: readiness(world).status_code == 200, "the bot is ready", 30)


def assert_all_answered(world: World) -> None:
    """No message is left over."""
    rows = world.rows("SELECT count(*) AS number FROM telegram_inbox WHERE done_at IS NULL")
    assert rows[0]["number"] == 0


@pytest.mark.skipif(not GOES_ON, reason="the newest migration refuses the programs of before")
@pytest.mark.costs("it starts programs of two versions")
def test_program_of_before_goes_on_and_starts_again_on_new_tables(
    before: Path, world: World, user: int, tmp_path: Path
) -> None:
    """It answers, stays ready, and is there again after a restart; then the new one takes over."""
    with bot_of(before, world.environment, tmp_path / "first"):
        assert world.ask(user, "What is a validator?")["text"]
        applied = command(["rich_agent.cli", "migrate"], world.environment).stdout
        assert APP.revisions()[-1] in applied
        await_ready(world)
        assert world.ask(user, "What is proof of history?")["text"]
    with bot_of(before, world.environment, tmp_path / "again"):
        await_ready(world)
        assert world.ask(user, "And what is staking?")["text"]
    with running_bot(world.environment):
        await_ready(world)
        assert world.ask(user, "Thanks!")["text"]
    assert_all_answered(world)


@pytest.mark.skipif(GOES_ON, reason="the newest migration leaves the programs of before running")
@pytest.mark.costs("it starts programs of two versions")
def test_program_of_before_is_refused_on_new_tables(
    before: Path, world: World, user: int, tmp_path: Path
) -> None:
    """A load balancer takes it out, and it does not start again; the new one takes over."""
    with bot_of(before, world.environment, tmp_path / "first"):
        assert world.ask(user, "What is a validator?")["text"]
        command(["rich_agent.cli", "migrate"], world.environment)
        answer = readiness(world)
        assert answer.status_code == 503
        assert "newer than this program" in answer.text
    again = subprocess.run(
        [before / "rich-agent", "run"],
        cwd="/",
        env=world.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert again.returncode != 0
    assert "newer than this program" in again.stderr
    with running_bot(world.environment):
        await_ready(world)
        assert world.ask(user, "Thanks!")["text"]
    assert_all_answered(world)
