"""The commands of README, quickstart and how-to guides do what is said: each page's, in order.

They run in a scratch folder, against the sandbox, a site of one's own for example.com and a fresh
database. Only what serves until it is stopped is left out, and what is about a message or a turn of
one's own.
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from typer.testing import CliRunner

import ingest.cli
import rich_agent.cli
from rich_agent.settings.settings import Settings
from tests.docs.test_readme import ROOT
from tests.integration.sandbox_openai.serving import served
from tests.sandbox_server import RunningSandbox, start_sandbox

PAGES = [ROOT / "README.md", ROOT / "docs/quickstart.md", *sorted(ROOT.glob("docs/how-to/*.md"))]
PROGRAMS = {"rich-agent": rich_agent.cli.app, "ingest": ingest.cli.app}
# test_processes.py, test_setup.py and test_backup_command.py of tests/acceptance run these, and
# test_inbox_cli.py, test_ingest_git.py and processes/test_service.py of tests/integration.
NOT_HERE = re.compile(
    r"rich-agent (run|serve|worker|setup|inbox (show|replay|drop)|backup|restore|service|uninstall)"
    r"\b|ingest connect \w"
)
SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}</loc></url></urlset>'
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[RunningSandbox]:
    """One for all pages."""
    with start_sandbox() as running:
        yield running


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """A site whose every page says how to request leave."""

    def answer(request: Request) -> Response:
        if request.url.path == "/robots.txt":
            return PlainTextResponse("", 404)
        if request.url.path == "/sitemap.xml":
            page = request.url.replace(path="/docs/leave")
            return Response(SITEMAP.format(page), media_type="application/xml")
        return PlainTextResponse("# Leave\n\nRequest leave by a form.", media_type="text/markdown")

    with served(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        yield url


def _example_of(page: str) -> str:
    """The file in TOML that a page shows."""
    text = (ROOT / f"docs/how-to/{page}.md").read_text("utf-8")
    (example,) = re.findall(r"^```toml[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return str(example)


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: str) -> Path:
    """A folder that looks like the repository, with what a reader is told to have there."""
    for name in ("docs", "sample"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / ".env.example", tmp_path)
    for folder in ("handbook/guides", "documents", "minutes"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "leave.md").write_text("# Leave\n\nRequest leave by a form.")
    (tmp_path / "notes.md").write_text("# Notes\n\nThe office closes at six.")
    (tmp_path / "questions.toml").write_text('[[questions]]\nask = "Leave?"\nrefuse = true\n')
    (tmp_path / "urls.txt").write_text(f"{site}/articles/leave\n")
    Image.new("RGB", (64, 64), "red").save(tmp_path / "photo.jpg")
    Image.new("RGB", (64, 64), "red").save(tmp_path / "ada.png")
    (tmp_path / "persona.toml").write_text(_example_of("give-it-a-persona"), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def _settings(
    monkeypatch: pytest.MonkeyPatch, scratch: Path, sandbox: RunningSandbox, database_url: str
) -> None:
    values = {
        "TELEGRAM_BOT_TOKEN": sandbox.bot_token,
        "TELEGRAM_API_BASE_URL": sandbox.url,
        "OPENAI_API_KEY": "sandbox",
        "OPENAI_BASE_URL": f"{sandbox.url}/v1",
        "CHAT_MODEL": "sandbox-chat",
        "VISION_MODEL": "sandbox-vision",
        "EMBEDDING_MODEL": "sandbox-embedding",
        "DATABASE_URL": database_url,
        "INTRANET_HOSTS": "127.0.0.1",
    }
    # In the file: programs take what is secret out of the environment.
    lines = "".join(f"{name}={value}\n" for name, value in values.items())
    (scratch / ".env").write_text(lines, "utf-8")
    for name in values:
        monkeypatch.delenv(name, raising=False)


def commands(page: Path) -> list[str]:
    """The lines of the page's shell blocks that run one of our programs."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    ours = re.compile(r"^\s*(?:\w+=\S+\s+)*(?:\.venv/bin/|docker compose exec bot )(?=rich|ingest)")
    return [line for line in lines if ours.match(line) and not NOT_HERE.search(line)]


def run(line: str, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run one line as a reader would, and fail if it does."""
    line = line.replace("docker compose exec bot ", ".venv/bin/").replace(
        "https://example.com", site
    )
    words = shlex.split(line, comments=True)
    with monkeypatch.context() as patch:
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            if name != "DATABASE_URL":
                patch.setenv(name, value)
        # The turn of the guide's example is another one here: the newest.
        arguments = [word for word in words[1:] if not word.startswith("tg:")]
        program = PROGRAMS[Path(words[0]).name]
        done = CliRunner().invoke(program, arguments, input="")
        assert done.exit_code == 0, f"{line}\n{done.output}\n{done.exception}"


@pytest.mark.costs("it runs the commands of a whole page")
@pytest.mark.usefixtures("_settings")
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if commands(page)],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_commands_of_a_page_run(page: Path, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, as they stand there."""
    if page.name == "explain-an-answer.md":
        run('.venv/bin/rich-agent ask "What is staking?"', site, monkeypatch)
    for line in commands(page):
        run(line, site, monkeypatch)


def test_settings_of_the_guide_for_servers_are_read(scratch: Path) -> None:
    """The example, and the passwords that its command adds, are a valid `.env`."""
    guide = (ROOT / "docs/how-to/run-on-a-server.md").read_text("utf-8")
    (block,) = re.findall(r"```sh\n(cp .*?)```", guide, re.DOTALL)
    subprocess.run(["bash", "-euc", block], check=True, env={"PATH": os.environ["PATH"]})
    Settings.load()
    assert (
        len(re.findall(r"^POSTGRES_.*=[0-9a-f]{48}$", (scratch / ".env").read_text(), re.MULTILINE))
        == 3
    )
