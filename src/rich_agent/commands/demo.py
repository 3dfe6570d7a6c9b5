"""`rich-agent demo`: the bot, a stand-in Telegram with a chat page, sample documents, one command.

What runs is the product itself; only the addresses of its upstreams are those of the sandbox.
"""

import asyncio
import os
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from rich_agent.commands.run import Roles, serve_bot
from rich_agent.errors import PortTakenError, RichAgentError
from rich_agent.logs import configure_logging
from rich_agent.settings import Settings

HOST = "127.0.0.1"
BOT_TOKEN = "700000001:AAF-sandbox-token-for-the-demo-0000"  # noqa: S105 - the sandbox's own


def _content_dir(name: str) -> Path:
    """Where `sample` or `docs` is: in an installation in the package, in a checkout at its root."""
    package = Path(__file__).parents[1]
    installed = package / name
    return installed if installed.is_dir() else package.parents[1] / name


SAMPLES = _content_dir("sample") / "solana"
DOCS = _content_dir("docs")


def run_demo(port: int, *, open_browser: bool) -> None:
    """Serve the demo until it is interrupted; prints the chat page's address when it answers.

    Raises: PortTakenError, RichAgentError.
    """
    given = Settings.load()
    configure_logging("console", "warning")
    typer.echo("starting: stand-ins, embedded PostgreSQL, sample documents")
    url = f"http://{HOST}:{port}"
    with _sandbox(port):
        environment = _environment(given, url)
        _ingest_samples(url, environment)
        settings = Settings.load(**{name.lower(): value for name, value in environment.items()})

        def announce(_name: str) -> None:
            typer.echo(f"chat at {url}   (Ctrl-C ends it)")
            if open_browser:
                webbrowser.open(url)

        asyncio.run(serve_bot(settings, Roles(receive=True, work=True, http=False), announce))


def _environment(given: Settings, url: str) -> dict[str, str]:
    """The settings that make the sandbox the upstream of everything that has no key."""
    environment = {
        "TELEGRAM_BOT_TOKEN": BOT_TOKEN,
        "TELEGRAM_API_BASE_URL": url,
        "WEBHOOK_URL": "",
        "DATABASE_URL": "",
        "RAG_DATABASE_URL": "",
        "DATA_DIR": str(given.data_dir.resolve() / "demo"),
        "ALLOWED_USERS": "",
    }
    if given.openai_api_key is None:
        environment |= {
            "OPENAI_API_KEY": "sandbox",
            "OPENAI_BASE_URL": f"{url}/v1",
            "CHAT_MODEL": "sandbox-chat",
            "PLANNER_MODEL": "",
            "VISION_MODEL": "sandbox-vision",
            "EMBEDDING_MODEL": "sandbox-embedding",
            "EMBEDDING_DIMENSIONS": "1536",
        }
    if given.tavily_api_key is None:
        environment |= {"TAVILY_API_KEY": "tvly-sandbox", "TAVILY_BASE_URL": f"{url}/tavily"}
    return environment


@contextmanager
def _sandbox(port: int) -> Iterator[None]:
    """The sandbox as a process of its own; it ends when its standard input closes, so with us."""
    command = [sys.executable, "-m", "rich_agent_sandbox.cli", "--host", HOST, "--port", str(port)]
    command += ["--bot-token", BOT_TOKEN, "--until-stdin-closes"]
    for library in (SAMPLES, DOCS):
        command += ["--library", str(library)]
    with subprocess.Popen(  # noqa: S603 - our own command
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdin is not None  # noqa: S101 - piped above
        assert process.stdout is not None  # noqa: S101 - piped above
        try:
            if not process.stdout.readline().startswith("sandbox at "):
                raise PortTakenError(HOST, port)
            yield
        finally:
            process.stdin.close()


def _ingest_samples(url: str, environment: dict[str, str]) -> None:
    """Register and sync the samples with the same commands that a user types."""
    add = "add-source", "--strip-suffix", "--base-url"
    for arguments in (
        [*add, f"{url}/library/solana", str(SAMPLES), "--name", "Solana and DeFi"],
        [*add, f"{url}/library/docs", str(DOCS), "--name", "rich-agent", "--internal"],
        ["sync"],
    ):
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "ingest.cli", *arguments],
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode != 0:
            raise RichAgentError(f"`ingest {arguments[0]}` failed; see above")
