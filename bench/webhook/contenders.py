"""Contenders that are measured, and how each is started, killed and started again."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.faults.postgres import running_postgres
from bench.instant import Instant, served
from bench.peers import ROOT, peer_python
from bench.turn import settings_for
from bench.webhook.handling import Handled, read_record
from bench.webhook.load import Post, Posted
from tests.acceptance.world import free_port

_PATIENCE_S = 120.0
Command = Sequence[str]


@dataclass(frozen=True, slots=True)
class Contender:
    """An inbox behind a webhook: the commands that it consists of, and those that prepare it."""

    name: str
    commands: Callable[[], Sequence[Command]]
    prepare: Callable[[], Sequence[Command]] = tuple


def _peer(*arguments: str) -> Command:
    return (str(peer_python()), "-m", *arguments)


_OURS = ((sys.executable, "-m", "rich_agent.cli", "serve"),)
_WORKER = (sys.executable, "-m", "bench.webhook.ours")
CONTENDERS = (
    Contender("rich-agent", lambda: (*_OURS, _WORKER)),
    Contender(
        "procrastinate 3.10",
        lambda: (_peer("bench.webhook.queue", "receive"), _peer("bench.webhook.queue", "work")),
        lambda: (_peer("bench.webhook.queue", "schema"),),
    ),
    Contender("PTB 22.8, serial", lambda: (_peer("bench.webhook.ptb", "1"),)),
    Contender("PTB 22.8, 16 at once", lambda: (_peer("bench.webhook.ptb", "16"),)),
)


@dataclass(slots=True)
class Running:
    """A contender that runs, seen from Telegram and from its record."""

    contender: Contender
    environment: Mapping[str, str]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    next_id: int = 1

    @property
    def url(self) -> str:
        """The webhook."""
        return f"http://127.0.0.1:{self.environment['PORT']}/telegram/webhook"

    def new_ids(self, number: int) -> range:
        """Update ids that were not used before, ascending."""
        first, self.next_id = self.next_id, self.next_id + number
        return range(first, self.next_id)

    def start(self) -> None:
        """Return when an update was taken and handled."""
        for command in self.contender.commands():
            process = subprocess.Popen(
                command, env=self.environment, cwd=ROOT, stdout=subprocess.DEVNULL
            )
            self.processes.append(process)
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            post = Post(self.new_ids(1)[0], user=1)
            if self.pour([[post]])[0].status == 200 and self.drained([post.update_id], 20):
                return
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.contender.name} does not answer")
            time.sleep(0.2)

    def kill(self) -> None:
        """Kill -9, all processes."""
        for process in self.processes:
            process.kill()
            process.wait(10)
        self.processes.clear()

    def begin_to_pour(self, chains: Sequence[Sequence[Post]]) -> "subprocess.Popen[str]":
        """Start to post; `poured` waits for the end."""
        pouring = subprocess.Popen(
            [sys.executable, "-m", "bench.webhook.load", self.url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert pouring.stdin is not None
        wanted = [[(p.update_id, p.user, p.due_s, p.text) for p in chain] for chain in chains]
        json.dump(wanted, pouring.stdin)
        pouring.stdin.close()
        return pouring

    def pour(self, chains: Sequence[Sequence[Post]]) -> list[Posted]:
        """Post all, and wait for the answers."""
        return poured(self.begin_to_pour(chains))

    def handled(self) -> list[Handled]:
        """All that was handled so far, in the order of the ends."""
        return read_record(Path(self.environment["RECORD"]))

    def drained(self, update_ids: Sequence[int], patience_s: float = _PATIENCE_S) -> bool:
        """Wait until all are handled, or until nothing has moved for long."""
        wanted, seen, moved_at = set(update_ids), -1, time.monotonic()
        while time.monotonic() - moved_at < patience_s:
            done = {one.update_id for one in self.handled()}
            if wanted <= done:
                return True
            if len(done) != seen:
                seen, moved_at = len(done), time.monotonic()
            time.sleep(0.2)
        return False


def poured(pouring: "subprocess.Popen[str]") -> list[Posted]:
    """The answers to what `begin_to_pour` began."""
    assert pouring.stdout is not None
    with pouring:
        return [Posted(**one) for one in json.load(pouring.stdout)]


@contextmanager
def running(contender: Contender) -> Iterator[Running]:
    """A contender on a fresh PostgreSQL, started and warm."""
    with running_postgres() as postgres, served(Instant()) as upstream:
        settings = settings_for(upstream, postgres.url, free_port())
        record = postgres.server.data_dir / "record"
        environment = {**os.environ, **settings, "RECORD": str(record), "PYTHONPATH": str(ROOT)}
        for command in contender.prepare():
            subprocess.run(command, env=environment, cwd=ROOT, check=True)
        opened = Running(contender, environment)
        try:
            opened.start()
            yield opened
        finally:
            with contextlib.suppress(ProcessLookupError):
                opened.kill()
