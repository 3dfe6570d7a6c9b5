"""The command `rich-agent-sandbox`."""

import os
import signal
import socket
from pathlib import Path

import httpx
import pytest

from tests.acceptance.world import wait_until
from tests.forking import Ended, ForkedProcess, Launch, run_to_end


def run(options: list[str], folder: Path) -> Ended:
    """The command, to its end."""
    return run_to_end(["rich_agent_sandbox.cli", *options], os.environ, folder, deadline_s=60)


def test_cli_says_where_it_listens(tmp_path: Path) -> None:
    """One line tells the address; the sandbox answers there and stops when asked."""
    output = tmp_path / "output"
    arguments = ["rich_agent_sandbox.cli", "--port", "0", "--bot-token", "5:abc"]
    output.touch()
    running = ForkedProcess(Launch(arguments, dict(os.environ), output, output))
    try:
        wait_until(lambda: output.read_text("utf-8").endswith("\n"), "it says a line")
        line = output.read_text("utf-8").strip()
        assert line.startswith("sandbox at http://127.0.0.1:")
        url = line.removeprefix("sandbox at ")
        assert httpx.get(f"{url}/bot5:abc/getMe", trust_env=False).json()["result"]["id"] == 5
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(10)
    assert output.read_text("utf-8") == f"{line}\n"


def test_cli_says_that_the_port_is_taken(tmp_path: Path) -> None:
    """A taken port is one clear line and exit code 1."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run(["--port", str(port)], tmp_path)
    assert done.returncode == 1
    expected = f"Cannot listen on 127.0.0.1:{port}: Address already in use. Choose another --port."
    assert done.stderr.strip() == expected


@pytest.mark.parametrize("options", [["--bot-token", "nonsense"], ["--library", "/nowhere"]])
def test_cli_refuses_wrong_usage(options: list[str], tmp_path: Path) -> None:
    """A malformed token or a missing folder is wrong usage: exit code 2."""
    assert run(options, tmp_path).returncode == 2
