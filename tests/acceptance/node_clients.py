"""Clients that others wrote, run by Node: a test tells them what to do, and reads what they saw."""

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from tests.acceptance.program_tokens import store_token
from tests.acceptance.world import DEADLINE_S, ROOT, World

CLIENTS = ROOT / "tests" / "clients"
NODE = shutil.which("node")
Json = dict[str, Any]

with_node = pytest.mark.skipif(
    not (NODE and (CLIENTS / "node_modules").is_dir())
    and not os.environ.get("RICH_AGENT_REQUIRE_CLIENTS"),
    reason="no Node with the clients of tests/clients (make clients)",
)


@dataclass(frozen=True, slots=True)
class NodeClient:
    """A client that waits for commands."""

    process: subprocess.Popen[str]

    def begin(self, **command: Any) -> None:
        """Give a command."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def told(self) -> Iterator[Json]:
        """The messages of the client until the command is done; the last one is its outcome."""
        assert self.process.stdout
        late = threading.Timer(DEADLINE_S, self.process.kill)
        late.start()
        try:
            for line in self.process.stdout:
                said: Json = json.loads(line)
                yield said
                if said.get("done"):
                    return
        finally:
            late.cancel()
        raise AssertionError("the client has ended, or took too long")

    def do(self, **command: Any) -> tuple[list[Json], Json]:
        """Give a command: what the client told meanwhile, and the outcome."""
        self.begin(**command)
        *seen, outcome = self.told()
        return seen, outcome


@contextmanager
def node_client(script: str, world: World, user: int, thread: str = "t1") -> Iterator[NodeClient]:
    """A client of `tests/clients` with a token of the user."""
    url = f"{world.environment['PUBLIC_URL']}/agui"
    arguments = [NODE or "node", str(CLIENTS / script), url, store_token(world, user), thread]
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield NodeClient(process)
        finally:
            process.kill()
