"""`rich-agent demo`: the bot, a stand-in Telegram with a chat page, sample documents, one command.

What runs is the product itself; only the addresses of its upstreams are those of the sandbox.
"""

import asyncio
import fcntl
import json
import os
import socket
import subprocess
import sys
import threading
import tomllib
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING

from rich_agent.commands.demo_models import find_models
from rich_agent.commands.model_choice import ModelSearch
from rich_agent.errors import PortTakenError, RichAgentError
from rich_agent.runtime.confinement import make_private
from rich_agent.runtime.logs import configure_logging
from rich_agent.runtime.own_package import extra_hint
from rich_agent.settings.settings import Settings, all_settings
from rich_agent.terminal.console import err, out

if TYPE_CHECKING:
    from rich_agent.commands.demo_switch import ModelSwitch

HOST = "127.0.0.1"
_USUAL_PORT = 8080
"""Also that of llama.cpp."""
BOT_TOKEN = "700000001:AAF-sandbox-token-for-the-demo-0000"  # noqa: S105 - the sandbox's own

_FIRST_PERSON = 1001
"""The person as whom the sandbox's page begins, who is the demo's operator."""


def _content_dir(name: str) -> Path:
    """The folder `sample` or `docs`: within an installed package, or at the root of a checkout."""
    package = Path(__file__).parents[1]
    in_package = package / name
    return in_package if in_package.is_dir() else package.parents[1] / name


SAMPLES = _content_dir("sample") / "solana"
DOCS = _content_dir("docs")
QUESTIONS = _content_dir("sample") / "questions.toml"
DOMAIN = _content_dir("sample") / "domain.toml"
SAMPLES_NAME, OWN_NAME = "Solana and DeFi", "rich-agent"
# In each language. The other pages are for operators, and users would be quoted them.
ABOUT_THE_BOT = "about-the-bot.md"


def _questions() -> list[str]:
    """The questions of the page; a prefix such as "de:" marks languages other than English."""
    questions_by_language: dict[str, list[str]] = tomllib.loads(QUESTIONS.read_text("utf-8"))
    return [
        f"{language}:{question}".removeprefix("en:")
        for language, questions in questions_by_language.items()
        for question in questions
    ]


def sample_domain() -> dict[str, str]:
    """The settings of the domain of the sample documents, by name."""
    domain = tomllib.loads(DOMAIN.read_text("utf-8"))
    return {
        "DOMAIN_NAME": domain["name"],
        "DOMAIN_DESCRIPTION": domain["description"],
        "DOMAIN_EXAMPLES": ",".join(domain["examples"]),
    }


def run_demo(
    port: int | None,
    *,
    open_browser: bool,
    download_model: bool = False,
    search: ModelSearch | None = None,
) -> None:
    """Serve the demo until it is interrupted; prints the chat page's address when it answers.

    Without a model server in the settings, `search` looks for one on this machine. Without a port,
    the first free one is taken. Raises: PortTakenError, RichAgentError.
    """
    _check_installation()
    settings = Settings.load()
    configure_logging("console", "warning")
    url = f"http://{HOST}:{port or _free_port(_USUAL_PORT)}"
    search = search or ModelSearch()
    models = asyncio.run(find_models(settings, url, search))
    for line in models.lines:
        out(line)
    environment = _environment(settings, url) | dict(models.settings)
    data_dir = Path(environment["DATA_DIR"])
    out(f"its data lie in {data_dir}")

    def announce(_name: str) -> None:
        out(f"chat at {url}   (Ctrl-C ends it; /help there lists an operator's commands, too)")
        if open_browser:
            webbrowser.open(url)

    with (
        _alone(data_dir, url),
        _sandbox(url, data_dir / "sandbox", models.about) as sandbox,
        ExitStack() as stack,
    ):
        switch = _make_bot(stack, sandbox, url, environment, models.about)
        if models.has_stand_in:
            others, notes = search.without(_port_of(url)), data_dir / "download.json"
            offering = switch.offer_download(others, models.offer, notes, at_once=download_model)
            stack.enter_context(offering)
        switch.run(announce)


def _check_installation() -> None:
    if find_spec("rich_agent_sandbox") is None:
        raise RichAgentError(
            "this installation does not include the demo's stand-ins",
            hint=f"{extra_hint('demo')}\nOr get the repository and run `make demo`.",
        )


def _make_bot(
    stack: ExitStack,
    sandbox: "_Sandbox",
    url: str,
    environment: Mapping[str, str],
    about: tuple[str, ...],
) -> "ModelSwitch":
    """Prepare everything; the bot, to which the page can give another model."""
    # The bot takes seconds to load, and so do the others.
    with ThreadPoolExecutor(1) as aside:
        preparation = aside.submit(_prepare, stack, sandbox.wait, url, environment)
        from rich_agent.commands.demo_switch import ModelSwitch  # noqa: PLC0415 - see above

        preparation.result()
    out("starting the bot")
    # Not earlier: others might take the port while the documents are read.
    settings = Settings.load(**environment, **_own_address(url))
    settings.forget_secrets()
    switch = ModelSwitch(settings, about, sandbox.tell)
    threading.Thread(target=switch.serve, args=(sandbox.lines,), daemon=True).start()
    return switch


def _environment(settings: Settings, url: str) -> dict[str, str]:
    """The settings that make the sandbox the upstream of everything but the models."""
    environment = {
        "TELEGRAM_BOT_TOKEN": BOT_TOKEN,
        "TELEGRAM_API_BASE_URL": url,
        "WEBHOOK_URL": "",
        "HOST": HOST,
        "DATABASE_URL": "",
        "RAG_DATABASE_URL": "",
        "RAG_READ_URL": "",
        "DATA_DIR": str(settings.storage.data_dir.resolve() / "demo"),
        "ALLOWED_USERS": "*",
        "ADMIN_USERS": str(_FIRST_PERSON),
        "WIDGETS": "auto",
    }
    if settings.models.chat.api_key is None:
        # The example page; what is read there stays on this machine.
        environment["LINK_PRIVATE_HOSTS"] = HOST
    if not settings.turn.domain.description:
        environment |= sample_domain()
    return environment | _stand_ins(settings, url)


def _stand_ins(settings: Settings, url: str) -> dict[str, str]:
    """The demo's values of features that are not configured: a setting without default is unset."""
    with_demo = [one for one in all_settings().values() if one.demo is not None]
    unset = {one.path[:-1] for one in with_demo if one.of(settings) is None}
    return {
        one.name: str(one.demo).format(sandbox=url) for one in with_demo if one.path[:-1] in unset
    }


def _own_address(url: str) -> dict[str, str]:
    """The settings of the bot's own address, for pages and other programs."""
    port = _free_port(_port_of(url) + 1)
    return {"PORT": str(port), "PUBLIC_URL": f"http://{HOST}:{port}"}


def _port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


def _free_port(first_port: int) -> int:
    """A free port, the first ones first, so that an address often stays."""
    for port in (*range(first_port, min(first_port + 20, 65_536)), 0):
        try:
            with socket.create_server((HOST, port)) as probe:
                return int(probe.getsockname()[1])
        except OSError:
            continue
    raise PortTakenError(HOST, first_port)


@contextmanager
def _alone(data_dir: Path, url: str) -> Iterator[None]:
    """No other demo uses these data meanwhile: its bot would take the messages of this one.

    Raises: RichAgentError naming the page of the one that runs.
    """
    make_private(data_dir)
    with (data_dir / "running").open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise RichAgentError(
                f"the demo is running already, at {lock.read().strip()}",
                hint="Open that page, or stop that demo with Ctrl-C in its terminal.",
            ) from None
        lock.truncate(0)
        lock.write(url)
        lock.flush()
        yield


@dataclass(frozen=True, slots=True)
class _Sandbox:
    """The sandbox as a process; it ends when its standard input closes, so with us."""

    output: IO[str]
    input: IO[str]
    port: int

    def wait(self) -> None:
        """Return once it answers. Raises: PortTakenError."""
        if not self.output.readline().startswith("sandbox at "):
            raise PortTakenError(HOST, self.port)

    @property
    def lines(self) -> Iterable[str]:
        """The wishes of its page about the model, as they come."""
        return self.output

    def tell(self, line: str) -> None:
        """Answer a wish, unless the sandbox is ending."""
        with suppress(OSError, ValueError):
            self.input.write(f"{line}\n")
            self.input.flush()


@contextmanager
def _sandbox(url: str, state: Path, about: tuple[str, ...]) -> Iterator[_Sandbox]:
    """Start the sandbox. Raises: PortTakenError, at once."""
    port = _port_of(url)
    try:
        socket.create_server((HOST, port)).close()
    except OSError:
        raise PortTakenError(HOST, port) from None
    out("starting the stand-ins for Telegram, the model and the web search")
    command = [sys.executable, "-m", "rich_agent_sandbox.cli", "--host", HOST, "--port", str(port)]
    command += ["--bot-token", BOT_TOKEN, "--model-control", "--state", str(state)]
    for text in about:
        command += ["--about", text]
    for library in (SAMPLES, DOCS):
        command += ["--library", str(library)]
    for question in _questions():
        command += ["--suggest", question.format(url=url)]
    with subprocess.Popen(  # noqa: S603 - our own command
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdin is not None  # noqa: S101 - piped above
        assert process.stdout is not None  # noqa: S101 - piped above
        try:
            yield _Sandbox(process.stdout, process.stdin, port)
        finally:
            process.stdin.close()


def _prepare(
    stack: ExitStack, sandbox: Callable[[], None], url: str, environment: Mapping[str, str]
) -> None:
    """Start the database, which `stack` closes, and read the documents with a user's own commands.

    Raises: RichAgentError if a command fails; it has said why.
    """
    # Loaded here, where it delays neither the first words nor the stand-ins.
    from rich_agent.repositories.database.embedded import EmbeddedPostgres  # noqa: PLC0415 - see above

    out("starting the embedded PostgreSQL")
    stack.enter_context(EmbeddedPostgres(Path(environment["DATA_DIR"])))
    out("reading the sample documents")
    add_command = "add-source", "--strip-suffix", "--base-url"
    own_options = "--internal", "--include", ABOUT_THE_BOT
    _ingest(
        environment, *add_command, f"{url}/library/solana", str(SAMPLES), "--name", SAMPLES_NAME
    )
    _ingest(
        environment,
        *add_command,
        f"{url}/library/docs",
        str(DOCS),
        "--name",
        OWN_NAME,
        *own_options,
    )
    sandbox()
    # Forced: what else an older demo read is to go, however much it is.
    report = json.loads(_ingest(environment, "sync", "--force", "--json"))
    for failure in report["failures"]:
        err(f"failed: {failure['url']}: {failure['reason']}")
    document_counts = report["documents"]
    new_count = document_counts["new"] + document_counts["changed"]
    out(f"{new_count + document_counts['unchanged']} documents are ready, {new_count} of them new")


def _ingest(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a command; return what it prints. Its progress and its errors go to the terminal."""
    result = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "ingest.cli", *arguments],
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        err(result.stdout)
        raise RichAgentError(f"`ingest {arguments[0]}` failed; see above")
    return result.stdout
