"""Faults on order: a process held between two nodes, a lease that ends, a database that goes."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psutil
import psycopg
from psycopg.rows import dict_row

from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.migration import migrate
from tests.acceptance.world import World, wait_until
from tests.database import fast_storage, temporary_data_dir
from tests.forking import ForkedProcess

_KEY = 4_711
_HOLD = """
CREATE TABLE held_steps (thread_id text, step int);
CREATE FUNCTION hold_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM held_steps AS held WHERE held.thread_id = NEW.thread_id
            AND held.step = (NEW.metadata ->> 'step')::int) THEN
        PERFORM pg_advisory_xact_lock(4711);
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hold_step BEFORE INSERT ON checkpoints
    FOR EACH ROW EXECUTE FUNCTION hold_step();
"""
_FREE = """
DROP TRIGGER hold_step ON checkpoints;
DROP FUNCTION hold_step;
DROP TABLE held_steps;
"""
_WAITING = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted"
_HELD = """
SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND pid <> pg_backend_pid()
"""
_OPEN_TRANSACTION = """
SELECT pid FROM pg_stat_activity WHERE datname = current_database()
AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Steps:
    """Holds a turn between two nodes: one has ended, and its checkpoint is being stored."""

    connection: psycopg.Connection[dict[str, Any]]

    def hold(self, user: int, step: int) -> None:
        """From now on this user's turn stops where it stores this step; step 1 is N1."""
        self.connection.execute("INSERT INTO held_steps VALUES (%s, %s)", (f"tg:{user}", step))

    def await_held(self, user: int) -> None:
        """Return once the turn stands there."""
        wait_until(lambda: self._found(_WAITING), f"the turn of {user} stands between two nodes")

    def let_go(self) -> None:
        """Let the server end what it was sent, as it does after its client died; hold no more."""
        self.connection.execute("DELETE FROM held_steps")
        self.connection.execute("SELECT pg_advisory_unlock(%s)", (_KEY,))
        wait_until(lambda: not self._found(_HELD) or None, "the step is stored")
        self.connection.execute("SELECT pg_advisory_lock(%s)", (_KEY,))

    def _found(self, query: Any, **values: object) -> bool | None:
        return self.connection.execute(query, values).rowcount > 0 or None


@contextmanager
def held_steps(world: World) -> Iterator[Steps]:
    """Turns of this world can be held while the block runs."""
    with psycopg.connect(world.database_url, autocommit=True, row_factory=dict_row) as connection:
        connection.execute(_HOLD)
        connection.execute("SELECT pg_advisory_lock(%s)", (_KEY,))
        try:
            yield Steps(connection)
        finally:
            connection.execute(_FREE)


def end_leases(world: World) -> None:
    """Let the time of all leases be over."""
    with psycopg.connect(world.database_url, autocommit=True) as connection:
        connection.execute("UPDATE telegram_lanes SET ready_at = clock_timestamp()")
        connection.execute("NOTIFY telegram_inbox")


def freeze(world: World, running: ForkedProcess) -> None:
    """Stop a process at a moment at which it has no transaction open.

    The locks of an open one would hold up everybody who needs the same rows.
    """
    process = psutil.Process(running.pid)

    def is_frozen() -> bool:
        process.suspend()
        wait_until(lambda: process.status() == psutil.STATUS_STOPPED, "the process has stopped")
        if world.rows(_OPEN_TRANSACTION):
            process.resume()
            return False
        return True

    wait_until(is_frozen, "the process has stopped between two transactions")


def kill_postgres(data_dir: Path) -> None:
    """End an embedded server at once, as a crash does; its guard starts it again."""
    pid_file = data_dir / "postgres" / "postmaster.pid"
    old = int(pid_file.read_text().splitlines()[0])
    os.kill(old, signal.SIGQUIT)

    def is_new() -> bool | None:
        with suppress(FileNotFoundError, IndexError, ValueError):
            lines = pid_file.read_text().splitlines()
            return (int(lines[0]) != old and lines[7].strip() == "ready") or None
        return None

    wait_until(is_new, "the server is back")


@dataclass(slots=True)
class Cable:
    """A TCP port that leads to a server's socket or port, until it is cut."""

    target: str | int
    listener: socket.socket = field(
        default_factory=lambda: socket.create_server(("127.0.0.1", 0), backlog=64)
    )
    _is_cut: bool = False
    _open: set[socket.socket] = field(default_factory=set)

    @property
    def port(self) -> int:
        """The port on which the server is reached."""
        return int(self.listener.getsockname()[1])

    def cut(self) -> None:
        """Break every connection, and refuse new ones."""
        self._is_cut = True
        for end in tuple(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def hint(self) -> None:
        """Take connections again."""
        self._is_cut = False

    def run(self) -> None:
        """Take connections until the listener is closed."""
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        with ExitStack() as stack, suppress(ConnectionError):
            stack.enter_context(near)
            if self._is_cut:
                return
            far = stack.enter_context(self._connect())
            self._open |= {near, far}
            back = threading.Thread(target=_pump, args=(far, near), daemon=True)
            back.start()
            _pump(near, far)
            back.join()
            self._open -= {near, far}

    def _connect(self) -> socket.socket:
        if isinstance(self.target, int):
            return socket.create_connection(("127.0.0.1", self.target))
        far = socket.socket(socket.AF_UNIX)
        far.connect(self.target)
        return far


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def cable_to(target: str | int) -> Iterator[Cable]:
    """A cable to the server behind a Unix socket or a port of this machine, in the block."""
    cable = Cable(target)
    with cable.listener:
        threading.Thread(target=cable.run, daemon=True).start()
        yield cable
        cable.cut()
        cable.listener.shutdown(socket.SHUT_RDWR)


@contextmanager
def own_server() -> Iterator[tuple[Path, str]]:
    """A server that nobody else uses: its directory, and the address of a migrated database."""
    with (
        temporary_data_dir(parent=fast_storage()) as data_dir,
        EmbeddedPostgres(data_dir) as server,
    ):
        migrate(server.url(), server.url())
        yield data_dir, server.url()


def socket_of(url: str) -> str:
    """The Unix socket of an embedded server."""
    return f"{parse_qs(urlsplit(url).query)['host'][0]}/.s.PGSQL.5432"
