"""`rich-agent demo`: one command, and a chat that answers from the sample documents."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from rich_agent.settings.settings import all_settings
from tests.acceptance.world import Sandbox, command, free_port, process, visit, wait_until
from tests.database import await_unused, fast_storage, temporary_data_dir
from tests.forking import ForkedProcess

FIRST_ANSWER_S = 10.0
BESIDE = "tests.acceptance.beside"
"""The command next to no model server, whatever runs on the machine of the tests."""


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """An empty folder."""
    with temporary_data_dir(parent=fast_storage()) as directory:
        yield directory


def _environment(data_dir: Path) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in all_settings()}
    return {**inherited, "DATA_DIR": str(data_dir)}


@pytest.mark.soak
def test_demo_answers_and_goes_on_at_another_port(data_dir: Path) -> None:
    """From an empty folder to a cited answer; nothing is left running; nothing is read twice."""
    first = free_port()
    with _demo(data_dir, first) as demo, visit(first) as sandbox:
        said = (data_dir / f"{first}.log").read_text("utf-8")
        assert "14 documents are ready, 14 of them new" in said, said
        link = _cited(sandbox, "What is proof of history?")
        assert sandbox.http.get(link).status_code == 200
        page = f"http://127.0.0.1:{first}/pages/ferry"
        assert _cited(sandbox, f"{page} When does the ferry leave?").startswith(page)
        assert "app.js" in httpx.get(_web_chat(sandbox), trust_env=False).text
        assert "/stats" in str(_reply(sandbox, 1001, "/help")["text"])
        documents = _documents(data_dir)
        assert documents == {("rich-agent", True): 2, ("Solana and DeFi", False): 12}
        demo.send_signal(signal.SIGINT)
        assert demo.wait(20) in {0, 130}
    wait_until(lambda: _is_free(first) or None, "the sandbox has ended")
    await_unused(data_dir)  # the embedded PostgreSQL
    second = free_port()
    with _demo(data_dir, second), visit(second) as sandbox:
        assert [one["from"] for one in sandbox.chat(7)["messages"]] == ["user", "bot"] * 3
        link = _cited(sandbox, "What is proof of history?")
        assert link.startswith(f"http://127.0.0.1:{second}/library/")
        assert sandbox.http.get(link).status_code == 200
        assert _documents(data_dir) == documents
    said = (data_dir / f"{second}.log").read_text("utf-8")
    assert "14 documents are ready, 0 of them new" in said
    assert "failed" not in said


@contextmanager
def _demo(data_dir: Path, port: int) -> Iterator[ForkedProcess]:
    arguments = [BESIDE, "demo", f"--port={port}"]
    ready, log = f"chat at http://127.0.0.1:{port}", data_dir / f"{port}.log"
    with process(arguments, _environment(data_dir), ready, log) as demo:
        yield demo


def _reply(sandbox: Sandbox, user: int, text: str) -> dict[str, Any]:
    """The first reply to a message."""
    sent = sandbox.say(user, text)
    replies = wait_until(lambda: sandbox.replies(user, sent.message_id) or None, "a reply")
    return dict(replies[0])


def _web_chat(sandbox: Sandbox) -> str:
    """The address of the web chat, as /web gives it."""
    sent = sandbox.say(7, "/web")

    def button() -> dict[str, Any] | None:
        replies = sandbox.replies(7, sent.message_id)
        return dict(replies[-1]["buttons"][0][0]) if replies else None

    data = wait_until(button, "/web is answered")["callback_data"]
    pressed = {"message_id": sandbox.replies(7)[-1]["message_id"], "callback_data": data}
    sandbox.http.post(f"{sandbox.url}/sim/chats/7/press", json=pressed).raise_for_status()
    return str(wait_until(lambda: (button() or {}).get("url"), "there is a link"))


def _cited(sandbox: Sandbox, question: str) -> str:
    """The first link of the answer to `question`."""
    sent = sandbox.say(7, question)

    def answer() -> dict[str, Any] | None:
        found = sandbox.replies(7, sent.message_id)
        return next((message for message in found if "Sources" in message["text"]), None)

    entities = wait_until(answer, "the question is answered", FIRST_ANSWER_S)["entities"]
    return str(next(one["url"] for one in entities if one["type"] == "text_link"))


def _documents(data_dir: Path) -> dict[tuple[str, bool], int]:
    """The number of documents of each source of the demo, by name and whether it is internal."""
    environment = _environment(data_dir / "demo")
    sources = json.loads(command(["ingest.cli", "list", "--json"], environment).stdout)
    return {(one["name"], one["internal"]): one["documents"] for one in sources}


def test_demo_refuses_a_taken_port(data_dir: Path) -> None:
    """The error names the port and how to choose another."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        arguments = [BESIDE, "demo", f"--port={port}"]
        done = command(arguments, _environment(data_dir), expect=1)
    assert f"port {port}" in done.stderr
    assert "--port" in done.stderr


@pytest.mark.costs("the demo starts everything")
@pytest.mark.req("REL-1")
def test_demo_killed_takes_its_sandbox_along(data_dir: Path) -> None:
    """Kill -9 of the demo leaves no stand-in and no database behind."""
    port = free_port()
    arguments = [BESIDE, "demo", f"--port={port}"]
    with process(arguments, _environment(data_dir), "chat at") as demo:
        assert httpx.get(f"http://127.0.0.1:{port}/", trust_env=False).status_code == 200
        demo.kill()
        demo.wait(10)
    wait_until(lambda: _is_free(port) or None, "the sandbox has ended")
    await_unused(data_dir)  # the embedded PostgreSQL


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        found = probe.connect_ex(("127.0.0.1", port)) != 0
    time.sleep(0.05)
    return found
