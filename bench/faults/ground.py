"""The environment of the faults: the sandbox, a PostgreSQL, and the bot's processes."""

import contextlib
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count

from bench.faults.postgres import Postgres, running_postgres
from tests.acceptance.world import (
    DEADLINE_S,
    ROOT,
    SECRET,
    Sandbox,
    Sent,
    World,
    command,
    environment,
    free_port,
    process,
    running_sandbox,
    wait_until,
)
from tests.forking import ForkedProcess

QUESTION = "How is funding paid on perpetual futures?"
_PRODUCT = ("rich_agent.cli",)
_USERS = count(1_000_001)


@dataclass(frozen=True, slots=True)
class Ground:
    """The world, its database server, and who waits for an answer in it."""

    world: World
    postgres: Postgres

    @property
    def sandbox(self) -> Sandbox:
        """The stand-ins."""
        return self.world.sandbox

    @property
    def webhook(self) -> str:
        """The address at which `serve` takes updates."""
        return f"http://127.0.0.1:{self.world.environment['PORT']}/telegram/webhook"

    def new_users(self, number: int) -> list[int]:
        """Ids of users who have never written."""
        return [next(_USERS) for _ in range(number)]

    def forget(self) -> None:
        """Drop all chats, calls and faults of the stand-ins."""
        self.sandbox.http.delete(f"{self.sandbox.url}/sim").raise_for_status()

    def wait_done(self, sent: Sequence[Sent], deadline_s: float = DEADLINE_S) -> None:
        """Return when every update was answered or given up. Raises: AssertionError."""
        ids = [one.update_id for one in sent]

        def all_done() -> bool:
            found = self.world.rows(
                "SELECT count(*) AS pending FROM telegram_inbox "
                "WHERE update_id = ANY(%s) AND (done_at IS NOT NULL OR dead_at IS NOT NULL)",
                ids,
            )
            return bool(found[0]["pending"] == len(set(ids)))

        wait_until(all_done, f"{len(ids)} updates are done", deadline_s)

    def replay(self) -> int:
        """Have the dead letters answered, as an operator does; how many there were."""
        dead = self.world.rows("SELECT 1 FROM telegram_inbox WHERE dead_at IS NOT NULL")
        if dead:
            command(["rich_agent.cli", "inbox", "replay", "--all"], self.world.environment)
        return len(dead)


@contextmanager
def open_ground(disk_mb: int | None = None) -> Iterator[Ground]:
    """Sample documents ingested, a webhook named, no process of the bot running."""
    with (
        running_postgres(disk_mb) as postgres,
        running_sandbox(ROOT / "sample" / "solana") as sandbox,
    ):
        port = str(free_port())
        settings = environment(
            sandbox.url,
            postgres.url,
            PORT=port,
            WEBHOOK_URL=f"http://127.0.0.1:{port}",
            WEBHOOK_SECRET=SECRET,
            LOG_LEVEL="error",
            PYTHONPATH=str(ROOT),
        )
        samples = str(ROOT / "sample" / "solana")
        command(["ingest.cli", "add-source", samples], settings)
        command(["ingest.cli", "sync"], settings)
        yield Ground(World(sandbox, settings, postgres.url), postgres)


@dataclass(slots=True)
class Crew:
    """The bot's processes, which come and go."""

    ground: Ground
    _stack: ExitStack
    _starters: ThreadPoolExecutor
    members: list[ForkedProcess] = field(default_factory=list)

    def start(self, *roles: str, launcher: Sequence[str] = _PRODUCT) -> list[ForkedProcess]:
        """Start processes side by side, each `serve`, `worker` or `run`; return when ready."""
        starting = [self._starters.submit(self._start, [*launcher, role]) for role in roles]
        started = [one.result() for one in starting]
        self.members += started
        return started

    def begin(self, role: str) -> None:
        """Start a process without waiting for it; it joins the members when it is ready."""
        starting = self._starters.submit(self._start, [*_PRODUCT, role])
        starting.add_done_callback(lambda done: self.members.append(done.result()))

    def _start(self, arguments: list[str]) -> ForkedProcess:
        running = process(arguments, self.ground.world.environment, "ready")
        member = self._stack.enter_context(running)
        # Undone before the process is ended: a stopped one could not end.
        self._stack.callback(_let_go_on, member)
        return member

    def kill(self, member: ForkedProcess) -> None:
        """Kill -9."""
        member.kill()
        member.wait(DEADLINE_S)
        self.members.remove(member)

    def all_live(self) -> bool:
        """Whether none has ended by itself."""
        return all(member.poll() is None for member in self.members)


def _let_go_on(member: ForkedProcess) -> None:
    with contextlib.suppress(ProcessLookupError):
        member.send_signal(signal.SIGCONT)


@contextmanager
def crew(ground: Ground, *roles: str) -> Iterator[Crew]:
    """Processes of the bot, ended afterwards."""
    with ExitStack() as stack, ThreadPoolExecutor(8) as starters:
        opened = Crew(ground, stack, starters)
        opened.start(*roles)
        yield opened
