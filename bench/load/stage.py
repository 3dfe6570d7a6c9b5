"""The processes of a measurement: the crowd with its upstreams, PostgreSQL, the bot or its peer."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx
import psutil

from bench.database import running_database
from bench.load.crowd import Crowd, Seen
from bench.load.latencies import Latencies
from bench.programs import running_program
from bench.turn import add_sample, settings_for
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.embedded_guard import socket_dir
from tests.acceptance.world import free_port

_BARE = "bare"
_COUNTED = (
    "telegram_turn_seconds_count",
    "telegram_redelivered_total",
    "telegram_lanes_lost_total",
    "telegram_dead_letters_total",
)


@dataclass(frozen=True, slots=True)
class Models:
    """The models of a measurement: how they plan, write and embed."""

    planner: Latencies
    chat: Latencies
    embedding: Latencies

    @property
    def settings(self) -> dict[str, str]:
        """The settings that name them."""
        return {
            "CHAT_MODEL": self.chat.name,
            "PLANNER_MODEL": self.planner.name,
            "EMBEDDING_MODEL": self.embedding.name,
        }


@dataclass(frozen=True, slots=True)
class Actors:
    """The bot or its peer at work: where it takes updates, its processes, where they tell figures.

    The first process receives; with workers, the others answer.
    """

    webhook: str
    processes: Sequence[psutil.Process]
    metrics: Sequence[str] = ()

    def counts(self) -> dict[str, float]:
        """The sums of what all processes counted: turns by result, redeliveries, lost lanes."""
        sums: dict[str, float] = {}
        for address in self.metrics:
            for line in httpx.get(f"{address}/metrics", timeout=30).text.splitlines():
                name, _, value = line.rpartition(" ")
                if name.startswith(_COUNTED):
                    sums[name] = sums.get(name, 0.0) + float(value)
        return sums


@dataclass(frozen=True, slots=True)
class Audience:
    """The crowd with its upstreams, and the models that these are."""

    crowd: "subprocess.Popen[str]"
    upstream: str
    models: Models

    def let_live(self, crowd: Crowd) -> Seen:
        """Have a crowd talk to its end."""
        assert self.crowd.stdin
        assert self.crowd.stdout
        self.crowd.stdin.write(json.dumps(asdict(crowd)) + "\n")
        self.crowd.stdin.flush()
        return Seen(**json.loads(self.crowd.stdout.readline()))

    def settings(self, url: str, port: int) -> dict[str, str]:
        """The settings of a bot with this database."""
        return settings_for(self.upstream, url, port) | self.models.settings

    @contextmanager
    def bot_on(
        self, url: str, workers: int, more: Mapping[str, str] | None = None
    ) -> Iterator[Actors]:
        """`rich-agent serve` and so many workers on this database."""
        port = free_port()
        with ExitStack() as stack:
            settings = self.settings(url, port) | dict(more or {})
            ports = [free_port() for _ in range(workers)]
            roles = [["serve"], *(["worker", "--port", str(one)] for one in ports)]
            commands = [["-m", "rich_agent.cli", *role] for role in roles]
            processes = [stack.enter_context(_running(one, settings)) for one in commands]
            addresses = [f"http://127.0.0.1:{one}" for one in (port, *ports)]
            yield Actors(f"{addresses[0]}/telegram/webhook", processes, addresses)


@dataclass(frozen=True, slots=True)
class Stage(Audience):
    """The audience and a database, ready for the bot; `url` reaches the database directly."""

    server: EmbeddedPostgres
    postmaster: psutil.Process
    socket: str

    @property
    def url(self) -> str:
        """The address of the bot's database."""
        return self.server.url()

    @contextmanager
    def bot(
        self, workers: int, database_ms: float = 0.0, more: Mapping[str, str] | None = None
    ) -> Iterator[Actors]:
        """`rich-agent serve` and so many workers, whose database is so many ms away."""
        with ExitStack() as stack:
            url = stack.enter_context(self._delayed(database_ms)) if database_ms else self.url
            yield stack.enter_context(self.bot_on(url, workers, more))

    @contextmanager
    def bare_graph(self) -> Iterator[Actors]:
        """The peer, on a database of its own."""
        port = free_port()
        self.server.ensure_database(_BARE)
        settings = self.settings(self.server.url(_BARE), port)
        with _running(["-m", "bench.bare_graph"], settings) as process:
            yield Actors(f"http://127.0.0.1:{port}/telegram/webhook", [process])

    @contextmanager
    def _delayed(self, milliseconds: float) -> Iterator[str]:
        command = [sys.executable, "-m", "bench.load.delay", self.socket, str(milliseconds)]
        with _spoken(command) as proxy:
            assert proxy.stdout is not None
            port = proxy.stdout.readline().strip()
            yield f"postgresql://postgres@127.0.0.1:{port}/rich_agent"


@contextmanager
def open_audience(models: Models) -> Iterator[Audience]:
    """A crowd that waits for something to talk to."""
    with _spoken([sys.executable, "-m", "bench.load.crowd"]) as crowd:
        assert crowd.stdout is not None
        yield Audience(crowd, crowd.stdout.readline().strip(), models)


@contextmanager
def open_stage(models: Models) -> Iterator[Stage]:
    """A migrated database with the sample documents, and upstreams; no bot runs."""
    with (
        running_database() as database,
        open_audience(models) as audience,
    ):
        server, place = database.server, _postmaster(database.folder)
        stage = Stage(audience.crowd, audience.upstream, models, server, *place)
        add_sample(stage.settings(stage.url, free_port()))
        yield stage


def _postmaster(data: Path) -> tuple[psutil.Process, str]:
    """The server's first process, and the path of its socket."""
    pgdata = data / "postgres"
    directory = socket_dir(pgdata)
    number = int((pgdata / "postmaster.pid").read_text().split()[0])
    return psutil.Process(number), f"{directory}/.s.PGSQL.5432"


@contextmanager
def _spoken(command: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
    """A process that is spoken with by lines; killed afterwards."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _running(arguments: Sequence[str], settings: Mapping[str, str]) -> Iterator[psutil.Process]:
    """A Python process that said that it is ready; ended afterwards."""
    with running_program(arguments, settings) as program:
        yield psutil.Process(program.process.pid)
