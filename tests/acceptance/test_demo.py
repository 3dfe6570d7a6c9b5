"""`rich-agent demo`: one command, and a chat that answers from the sample documents."""

import os
import signal
import socket
import time
from pathlib import Path

import httpx
import pytest

from rich_agent.settings import Settings
from tests.acceptance.world import command, free_port, process, visit, wait_until

FIRST_ANSWER_S = 10.0


def _environment(data_dir: Path) -> dict[str, str]:
    ours = {name.upper() for name in Settings.model_fields}
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    return {**inherited, "DATA_DIR": str(data_dir)}


def test_demo_answers_the_first_question_and_leaves_nothing_running(tmp_path: Path) -> None:
    """From an empty folder to a cited answer; after Ctrl-C neither sandbox nor database is left."""
    port = free_port()
    arguments = ["rich_agent.cli", "demo", "--no-browser", "--port", str(port)]
    with (
        process(arguments, _environment(tmp_path), f"chat at http://127.0.0.1:{port}") as demo,
        visit(port) as sandbox,
    ):
        sent = sandbox.say(7, "What is proof of history?")
        answer = wait_until(
            lambda: next(
                (m for m in sandbox.replies(7, sent.message_id) if "Sources" in m["text"]), None
            ),
            "the first question is answered",
            FIRST_ANSWER_S,
        )
        link = next(e["url"] for e in answer["entities"] if e["type"] == "text_link")
        assert sandbox.http.get(link).status_code == 200
        demo.send_signal(signal.SIGINT)
        assert demo.wait(20) in {0, 130}
    wait_until(lambda: _is_free(port) or None, "the sandbox has ended")
    lock = tmp_path / "demo" / "postgres" / "postmaster.pid"
    wait_until(lambda: not lock.exists() or None, "the embedded PostgreSQL has stopped")


def test_demo_refuses_a_taken_port(tmp_path: Path) -> None:
    """The error names the port and how to choose another."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        arguments = ["rich_agent.cli", "demo", "--no-browser", "--port", port]
        done = command(arguments, _environment(tmp_path), expect=1)
    assert f"port {port}" in done.stderr
    assert "--port" in done.stderr


@pytest.mark.req("REL-1")
def test_demo_killed_takes_its_sandbox_along(tmp_path: Path) -> None:
    """Kill -9 of the demo leaves no stand-in and no database behind."""
    port = free_port()
    arguments = ["rich_agent.cli", "demo", "--no-browser", "--port", str(port)]
    with process(arguments, _environment(tmp_path), "chat at") as demo:
        assert httpx.get(f"http://127.0.0.1:{port}/", trust_env=False).status_code == 200
        demo.kill()
        demo.wait(10)
    wait_until(lambda: _is_free(port) or None, "the sandbox has ended")
    lock = tmp_path / "demo" / "postgres" / "postmaster.pid"
    wait_until(lambda: not lock.exists() or None, "the embedded PostgreSQL has stopped")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        found = probe.connect_ex(("127.0.0.1", port)) != 0
    time.sleep(0.05)
    return found
