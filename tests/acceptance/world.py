"""The bot and its sandbox as processes, as a user runs them; everything goes over HTTP."""

import base64
import json
import os
import signal
import socket
import ssl
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, LiteralString, TypeVar

import httpx
import psycopg
from psycopg.rows import dict_row

from rich_agent.commands.demo import sample_domain
from rich_agent.settings.settings import all_settings
from tests.forking import Ended, ForkedProcess, Launch, run_to_end

ROOT = Path(__file__).parents[2]
TOKEN = "700000001:AAF-sandbox-token-for-the-tests-000"
SECRET = "a-secret-of-the-tests"
CREDENTIALS_KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
ADMIN = 9_000_001
DEADLINE_S = float(os.environ.get("TESTS_WAIT_S", "120"))
_NO_CALL = 2**53
"""No call has a number above this one."""
T = TypeVar("T")
TLS = ssl.create_default_context()
"""For clients made for each call: to load the certificates anew takes 20 ms of the processor."""
# A turn that waits for a model whose time is far is at rest.
_BUSY_LANES = """
SELECT 1 FROM telegram_lanes
WHERE holder IS NOT NULL OR ready_at < clock_timestamp() + interval '1 min'
"""


def wait_until(found: Callable[[], T | None], what: str, deadline_s: float = DEADLINE_S) -> T:
    """Poll until `found` gives something; fails with `what` after the deadline."""
    end = time.monotonic() + deadline_s
    while time.monotonic() < end:
        if (value := found()) is not None and value is not False:
            return value
        time.sleep(0.05)
    raise AssertionError(f"not within {deadline_s:g} s: {what}")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def process(
    arguments: list[str],
    environment: dict[str, str],
    ready: str,
    log: Path | None = None,
    descriptors: int | None = None,
) -> Iterator[ForkedProcess]:
    """A command of this project, running once its output holds `ready`; ended by SIGTERM.

    Its output goes into the file `log`, if one is given; it may open so many `descriptors`.
    """
    with tempfile.TemporaryDirectory() as directory:
        output = log or Path(directory, "output")
        output.write_bytes(b"")
        running = ForkedProcess(
            Launch(arguments, environment, output, output, descriptors=descriptors)
        )

        def started() -> bool:
            said = output.read_text("utf-8")
            assert running.poll() is None, f"{arguments} ended:\n{said}"
            return ready in said

        try:
            wait_until(started, f"{arguments} says {ready!r}")
            yield running
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(max(60.0, DEADLINE_S))


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that a user sent."""

    message_id: int
    update_id: int


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The stand-ins, seen from a user and from a test."""

    url: str
    http: httpx.Client

    def say(self, user: int, text: str | None = None, **message: Any) -> Sent:
        """The user sends something; `photo` is bytes."""
        if photo := message.pop("photo", None):
            message["photo_base64"] = base64.b64encode(photo).decode("ascii")
        body = {"text": text, **message} if text is not None else message
        answer = self.http.post(f"{self.url}/sim/chats/{user}/messages", json=body)
        assert answer.status_code == 200, answer.text
        return Sent(**answer.json())

    def pause(self, user: int) -> None:
        """Date what the user sends next so late that it is no part of what was sent."""
        if self.chat(user)["messages"]:
            answer = self.http.post(f"{self.url}/sim/chats/{user}/pause", json={"seconds": 3})
            assert answer.status_code == 200, answer.text

    def chat(self, user: int) -> dict[str, Any]:
        """The chat as the user sees it now."""
        answer = self.http.get(f"{self.url}/sim/chats/{user}")
        return dict(answer.json()) if answer.status_code == 200 else {"messages": []}

    def replies(self, user: int, after: int = 0) -> list[dict[str, Any]]:
        """The bot's messages below the user's message `after`."""
        return [
            message
            for message in self.chat(user)["messages"]
            if message["from"] == "bot" and message["message_id"] > after
        ]

    def query_widget(self, user: int, message_id: int, data: str, **more: Any) -> dict[str, Any]:
        """The user touches a widget: `query_id`, and `update_id`, which `is_done` waits for."""
        body = {"message_id": message_id, "data": data, **more}
        answer = self.http.post(f"{self.url}/sim/chats/{user}/widget-queries", json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def widget_answer(self, user: int, query_id: str) -> str | None:
        """The bot's answer to a query of a widget, None without one."""
        queries = self.chat(user)["widget_queries"]
        return next((one["answer"] for one in queries if one["query_id"] == query_id), None)

    def calls(self, upstream: str | None = None, since: int = 0) -> list[dict[str, Any]]:
        """The calls that an upstream received after call number `since`."""
        query: dict[str, str | int] = {"since": since}
        if upstream:
            query["upstream"] = upstream
        return list(self.http.get(f"{self.url}/sim/calls", params=query).json()["calls"])

    def mark(self) -> int:
        """The number of the newest call, for `since`."""
        # The calls themselves, prompts and all, become megabytes in the course of a run.
        query = {"since": _NO_CALL}
        return int(self.http.get(f"{self.url}/sim/calls", params=query).json()["newest"])

    def fail(self, upstream: str, kind: str, **fault: Any) -> None:
        """Have an upstream fail."""
        body = {"upstream": upstream, "kind": kind, **fault}
        answer = self.http.post(f"{self.url}/sim/faults", json=body)
        assert answer.status_code == 200, answer.text

    def script(self, to: str, *completions: str | Mapping[str, Any], streamed: bool = True) -> None:
        """Have the model say these completions to its next requests that hold the text `to`.

        Each request takes one completion, in order; what is left of them goes with the test. A
        completion is a text, one call, or `{"text": "…", "calls": [calling(…), …]}`:

            world.sandbox.script(
                "buy milk",
                calling("create_task", title="Buy milk"),
                "I added the task.",
            )
            world.ask(user, "Remind me to buy milk")

        `to` is a part of what the user wrote, without quotes and angle brackets; it stands in
        every request of the turn. Only streamed requests, which write to the user, count, unless
        `streamed` is False: then the planner is met first, and its text is the JSON of the plan.
        A server that is asked as a personality says them in its own manner: see `fail` for its
        refusals, and `scripting.in_prose` for calls that are written into the answer.
        """
        aim = [json.dumps(to, ensure_ascii=False)[1:-1], *(['"stream":true'] if streamed else [])]
        for one in completions:
            said = {"text": one} if isinstance(one, str) else one
            said = {"calls": [said]} if "name" in said else said
            self.fail("openai", "scripted", method="chat.completions", containing=aim, **said)

    def recover(self) -> None:
        """Have no upstream fail any more."""
        assert self.http.delete(f"{self.url}/sim/faults").status_code == 200


def environment(sandbox: str, database_url: str, **more: str) -> dict[str, str]:
    """The environment of the bot: every upstream is the sandbox."""
    inherited = {name: value for name, value in os.environ.items() if name not in all_settings()}
    port = str(free_port())
    return {
        **inherited,
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "TELEGRAM_API_BASE_URL": sandbox,
        "OPENAI_API_KEY": "sandbox",
        "OPENAI_BASE_URL": f"{sandbox}/v1",
        "INTRANET_HOSTS": "127.0.0.1",
        "CALDAV_PRIVATE_HOSTS": "127.0.0.1",
        "CALDAV_INTERVAL_S": "1",
        "CREDENTIALS_KEY": CREDENTIALS_KEY,
        "CHAT_MODEL": "sandbox-chat",
        "VISION_MODEL": "sandbox-vision",
        "EMBEDDING_MODEL": "sandbox-embedding",
        "SPECULATION": "off",
        # A judge that never answers holds a test up no longer.
        "CHECK_ANSWERS_S": "5",
        "TAVILY_API_KEY": "tvly-sandbox",
        "TAVILY_BASE_URL": f"{sandbox}/tavily",
        "DATABASE_URL": database_url,
        "ALLOWED_USERS": "*",
        "ADMIN_USERS": str(ADMIN),
        "HOST": "127.0.0.1",
        "PORT": port,
        "PUBLIC_URL": f"http://127.0.0.1:{port}",
        **sample_domain(),
        **more,
    }


@contextmanager
def visit(port: int) -> Iterator[Sandbox]:
    """The sandbox that listens on a port of this machine."""
    with httpx.Client(timeout=10.0, trust_env=False) as http:
        yield Sandbox(f"http://127.0.0.1:{port}", http)


@contextmanager
def running_sandbox(*libraries: Path) -> Iterator[Sandbox]:
    """The sandbox as a process."""
    port = free_port()
    arguments = ["rich_agent_sandbox.cli", "--port", str(port), "--bot-token", TOKEN]
    arguments += ["--services", "tests.stand_ins.model_servers.api:server_services"]
    for library in libraries:
        arguments += ["--library", str(library)]
    with process(arguments, dict(os.environ), "sandbox at"), visit(port) as sandbox:
        yield sandbox


@contextmanager
def running_bot(
    environment: dict[str, str],
    *command: str,
    log: Path | None = None,
    descriptors: int | None = None,
) -> Iterator[ForkedProcess]:
    """The bot as a process, `run` unless another command is given.

    Bots of a sandbox share a token, so that each takes over what an earlier one may have set.
    """
    arguments = ["rich_agent.cli", *(command or ("run",))]
    if arguments[1] in {"run", "serve"}:
        arguments.append("--take-over")
    with process(arguments, environment, "ready", log, descriptors) as running:
        yield running


def command(arguments: list[str], environment: dict[str, str], *, expect: int = 0) -> Ended:
    """Run a command of this project to its end and check its exit code."""
    done = run_to_end(arguments, environment, Path(tempfile.gettempdir()), deadline_s=90)
    assert done.returncode == expect, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def ingest_samples(sandbox: Sandbox, environment: dict[str, str], *own: str) -> None:
    """Register the sample pages and the bot's own documents, with these options, and sync them."""
    register_samples(sandbox, environment, *own)
    command(["ingest.cli", "sync"], environment)


def register_samples(sandbox: Sandbox, environment: dict[str, str], *own: str) -> None:
    """Register them; what was registered for another sandbox has its addresses at this one then."""
    solana, docs = ROOT / "sample" / "solana", ROOT / "docs"
    published = f"{sandbox.url}/library"
    common = ["ingest.cli", "add-source"]
    command(
        [*common, str(solana), "--base-url", f"{published}/solana", "--strip-suffix"], environment
    )
    command(
        [
            *(*common, str(docs), "--internal", *own),
            *("--base-url", f"{published}/docs", "--strip-suffix"),
        ],
        environment,
    )


def ask(question: str, environment: dict[str, str], *more: str) -> dict[str, Any]:
    """`rich-agent ask --json`."""
    done = command(["rich_agent.cli", "ask", question, "--json", *more], environment)
    return dict(json.loads(done.stdout))


@dataclass(slots=True)
class _Reader:
    """One connection for all questions: a test that waits asks twenty times a second."""

    _lock: Lock = field(default_factory=Lock)
    _connection: psycopg.Connection[dict[str, Any]] | None = None

    def rows(
        self, url: str, query: LiteralString, values: Sequence[object]
    ) -> list[dict[str, Any]]:
        """Answer of the database; of a new connection if the server has closed the last one."""
        with self._lock:
            if self._connection is not None:
                try:
                    return self._connection.execute(query, values).fetchall()
                except psycopg.OperationalError:
                    self._connection.close()
            self._connection = psycopg.connect(url, autocommit=True, row_factory=dict_row)
            return self._connection.execute(query, values).fetchall()

    def __del__(self) -> None:
        if self._connection is not None:
            self._connection.close()


@dataclass(frozen=True, slots=True)
class World:
    """A sandbox, the environment of the bot that runs in it, and the bot's database."""

    sandbox: Sandbox
    environment: dict[str, str]
    database_url: str
    _reader: _Reader = field(default_factory=_Reader, init=False, repr=False, compare=False)

    def rows(self, query: LiteralString, *values: object) -> list[dict[str, Any]]:
        """The rows of the database that a query finds."""
        return self._reader.rows(self.database_url, query, values)

    def ask(self, user: int, text: str | None = None, **message: Any) -> dict[str, Any]:
        """The user sends something; the bot's last message once the turn is stored."""
        return self.answer(user, self.sandbox.say(user, text, **message))

    def answer(self, user: int, sent: Sent) -> dict[str, Any]:
        """The bot's last message below `sent`, once the update is done."""
        wait_until(lambda: self.is_done(sent) or None, f"update {sent.update_id} is done")
        replies = self.sandbox.replies(user, sent.message_id)
        assert replies, f"no answer to {sent}"
        return replies[-1]

    def is_done(self, sent: Sent) -> bool:
        """Whether the update was answered or given up."""
        return bool(
            self.rows(
                "SELECT 1 FROM telegram_inbox WHERE update_id = %s "
                "AND (done_at IS NOT NULL OR dead_at IS NOT NULL)",
                sent.update_id,
            )
        )

    def await_idle(self) -> None:
        """Return once the bot has taken everything that was sent, and answers nobody."""
        queue = f"{self.sandbox.url}/bot{TOKEN}/getWebhookInfo"

        def is_idle() -> bool:
            told = self.sandbox.http.get(queue).json()["result"]
            return told["pending_update_count"] == 0 and not self.rows(_BUSY_LANES)

        self.rows("DELETE FROM due_work WHERE kind = 'lesson' RETURNING 1")
        wait_until(is_idle, "the bot is idle")

    def decisions(self, user: int) -> list[dict[str, Any]]:
        """The user's decisions, oldest first."""
        return self.rows(
            "SELECT * FROM retrieval_decisions WHERE thread_id = %s ORDER BY id", f"tg:{user}"
        )
