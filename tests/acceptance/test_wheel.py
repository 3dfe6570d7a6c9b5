"""The wheel in an environment of its own, without the stand-ins and the test tools."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.acceptance.test_commands import labels
from tests.acceptance.world import (
    ROOT,
    World,
    environment,
    free_port,
    running_sandbox,
    visit,
    wait_until,
)
from tests.database import PostgresServer, await_unused

UV = Path(sys.executable).with_name("uv")


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Run a command to its end, outside the repository; its output."""
    ended = subprocess.run(command, cwd="/", env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@contextmanager
def bot_of(programs: Path, settings: dict[str, str], log: Path) -> Iterator[None]:
    """The bot as an installed program, once it is ready."""
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [programs / "rich-agent", "run"], cwd="/", env=settings, stdout=output, stderr=output
        ) as running,
    ):
        try:
            wait_until(lambda: "is ready" in log.read_text("utf-8"), "the bot is ready")
            yield
        finally:
            running.terminate()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as it is published, next to that of the stand-ins."""
    folder = tmp_path_factory.mktemp("wheel")
    run(UV, "build", "--quiet", "--all-packages", "--wheel", "--out-dir", folder, ROOT)
    (built,) = folder.glob("rich_agent-*.whl")
    return built


@pytest.fixture(scope="module")
def programs(wheel: Path) -> Path:
    """The folder of the commands, where the wheel alone is installed."""
    folder = wheel.with_name("venv") / "bin"
    run(UV, "venv", "--quiet", "--python", sys.executable, folder.parent)
    run(UV, "pip", "install", "--quiet", "--python", folder / "python", wheel)
    return folder


@pytest.fixture
def fresh(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A Telegram of its own; no bot runs."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


def test_wheel_holds_all_files_of_the_product_and_no_stand_in(wheel: Path) -> None:
    """Templates, phrases, pages and migrations too."""
    held = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    tracked = run("git", "-C", ROOT, "ls-files", "src", "ingest").split()
    assert {name.removeprefix("src/") for name in tracked} <= held
    for folder in ("migrations", "migrations_rag"):
        scripts = {file.name for file in (ROOT / folder / "versions").glob("*.py")}
        assert scripts <= {Path(name).name for name in held if f"{folder}/versions" in name}
    assert [name for name in held if "sandbox" in name or name.startswith("tests")] == []


@pytest.mark.costs("it installs what is built, and runs it unforked")
def test_wheel_is_installed_as_a_tool(wheel: Path, tmp_path: Path) -> None:
    """`uv tool install` gives both commands, apart from everything else on the machine."""
    env = os.environ | {"UV_TOOL_DIR": str(tmp_path), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    asked = f"{wheel}[calendar]"
    run(UV, "tool", "install", "--quiet", "--python", sys.executable, asked, env=env)
    assert {one.name for one in (tmp_path / "bin").iterdir()} == {"rich-agent", "ingest"}
    plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    assert run(tmp_path / "bin/rich-agent", "--version", env=plain).startswith("rich-agent ")
    assert "add-source" in run(tmp_path / "bin/ingest", "--help", env=plain)


@pytest.mark.soak
def test_demo_of_an_installed_tool_runs_in_any_folder(wheel: Path, tmp_path: Path) -> None:
    """It keeps its data in the user's data folder, says so, and leaves nothing where it ran."""
    tools, anywhere, data = tmp_path / "tools", tmp_path / "anywhere", tmp_path / "data"
    anywhere.mkdir()
    env = os.environ | {"UV_TOOL_DIR": str(tools), "UV_TOOL_BIN_DIR": str(tools / "bin")}
    found = "--find-links", wheel.parent
    run(
        UV,
        "tool",
        "install",
        "--quiet",
        "--python",
        sys.executable,
        *found,
        f"{wheel}[demo]",
        env=env,
    )
    plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    plain |= {"XDG_DATA_HOME": str(data)}
    port, log = free_port(), tmp_path / "log"
    command: list[str | Path] = [tools / "bin/rich-agent", "demo", "--no-browser"]
    command += ["--port", str(port)]
    with (
        log.open("wb") as output,
        subprocess.Popen(command, cwd=anywhere, env=plain, stdout=output, stderr=output) as demo,
    ):
        try:
            wait_until(lambda: "chat at" in log.read_text("utf-8"), "the demo runs")
            with visit(port) as sandbox:
                sent = sandbox.say(7, "What is proof of history?")
                wait_until(lambda: sandbox.replies(7, sent.message_id) or None, "it answers")
        finally:
            demo.terminate()
    assert f"its data lie in {data}/rich-agent/demo" in log.read_text("utf-8")
    assert list(anywhere.iterdir()) == []
    await_unused(data / "rich-agent" / "demo")


@pytest.mark.soak
def test_wheel_alone_answers_a_message(
    programs: Path, tmp_path: Path, fresh: World, user: int
) -> None:
    """In an empty environment; the demo says what it lacks."""
    plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    assert run(programs / "rich-agent", "--version", env=plain).startswith("rich-agent ")
    assert "add-source" in run(programs / "ingest", "--help", env=plain)
    demo: list[str | Path] = [programs / "rich-agent", "demo", "--no-browser"]
    with pytest.raises(AssertionError, match=r"rich-agent\[demo\]"):
        run(*demo, env={**plain, "DATA_DIR": str(tmp_path)})
    with bot_of(programs, fresh.environment, tmp_path / "log"):
        folder = ROOT / "sample" / "solana"
        run(programs / "ingest", "add-source", folder, "--name", "sol", env=fresh.environment)
        run(programs / "ingest", "sync", env=fresh.environment)
        answer = fresh.ask(user, "What is proof of history?")
    assert "[1]" in labels(answer)
