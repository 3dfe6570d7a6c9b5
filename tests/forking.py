"""Starts commands of this project in processes that find its packages imported.

Importing them takes a second of a processor, and the suite starts some three hundred processes. A
process that imported them once forks into each; from there on it is the same command, with its own
environment, folder, output and process id.
"""

import multiprocessing
import os
import resource
import runpy
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

_IMPORTED = [
    "rich_agent.commands.ask",
    "rich_agent.commands.chat",
    "rich_agent.commands.demo",
    "rich_agent.commands.demo_switch",
    "rich_agent.commands.doctor",
    "rich_agent.composition.answering",
    "rich_agent.commands.run",
    "rich_agent_sandbox.app",
    "ingest.commands",
    "ingest.display",
    "ingest.searching",
    "ingest.status",
    "ingest.sync_command",
    "rich_agent.repositories.knowledge.source_catalogue",
    "rich_agent.repositories.knowledge.user_files",
    "rich_agent.repositories.memories",
    "rich_agent.repositories.turns.archive",
    "rich_agent.repositories.turns.checkpoints",
    "anyio._backends._asyncio",
    "cryptography.fernet",
    "httpcore2",
    "langgraph.store.postgres.aio",
    "mcp.server",
    "numpy.ma",
    "openai.resources.chat.chat",
    "openai.resources.models",
    "uvicorn",
    "uvicorn.lifespan.off",
    "tests.preloaded",
    "tests.stand_ins.model_servers.api",
]
_READ_AT_IMPORT = "LANGGRAPH_STRICT_MSGPACK"


@dataclass(frozen=True, slots=True)
class Launch:
    """The parameters of a new process; `arguments` begin with the module to run."""

    arguments: Sequence[str]
    environment: Mapping[str, str]
    stdout: Path
    stderr: Path
    folder: Path = Path(tempfile.gettempdir())
    descriptors: int | None = None
    """RLIMIT_NOFILE of the process; None: that of the tests."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The output and the exit code of a command that has ended."""

    returncode: int
    stdout: str
    stderr: str


def forks() -> ForkServerContext:
    """Makes processes that find the packages of this project imported."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    return context


class ForkedProcess:
    """A running command; as much of `subprocess.Popen` as is needed."""

    def __init__(self, launch: Launch) -> None:
        self._process: ForkServerProcess = forks().Process(target=_run, args=(launch,))
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        """The exit code, below 0 for a signal; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout_s: float | None = None) -> int:
        """The exit code once it ended; raises TimeoutError."""
        self._process.join(timeout_s)
        if (code := self.poll()) is None:
            raise TimeoutError(f"process {self.pid} did not end within {timeout_s} s")
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it without a word."""
        self.send_signal(signal.SIGKILL)


def run_to_end(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path, *, deadline_s: float
) -> Ended:
    """Run a command to its end; raises TimeoutError."""
    with tempfile.TemporaryDirectory() as directory:
        said, complained = Path(directory, "stdout"), Path(directory, "stderr")
        running = ForkedProcess(Launch(arguments, dict(environment), said, complained, folder))
        try:
            code = running.wait(deadline_s)
        finally:
            running.kill()
        return Ended(code, said.read_text("utf-8"), complained.read_text("utf-8"))


def _run(launch: Launch) -> None:
    # A module that cannot be imported is passed over by the fork server without a word.
    assert sys.modules.keys() >= set(_IMPORTED), "bring the list of what is imported up to date"
    for path, descriptor in ((launch.stdout, 1), (launch.stderr, 2)):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    if launch.descriptors is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (launch.descriptors, launch.descriptors))
    os.chdir(launch.folder)
    if launch.environment.get(_READ_AT_IMPORT, "true") != "true":
        line = [sys.executable, "-P", "-m", *launch.arguments]
        os.execve(sys.executable, line, dict(launch.environment))  # noqa: S606 - no shell wanted
    os.environ.clear()
    os.environ.update(launch.environment)
    # As a new interpreter would.
    sys.path[:0] = filter(None, launch.environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv = list(launch.arguments)
    runpy.run_module(launch.arguments[0], run_name="__main__", alter_sys=True)
