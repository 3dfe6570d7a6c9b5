"""A PostgreSQL for the tests: one server per run, one migrated template, a copy for each test."""

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psutil
import psycopg
from psycopg import sql

from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.embedded_guard import LEASE
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.schema import APP, RAG

SERVER_VARIABLE = "RICH_AGENT_TEST_DATABASE_URL"
_DATA_DIR_VARIABLE = "RICH_AGENT_TEST_DATA_DIR"
_RUN = "rich-agent-tests"
_STOP_TIMEOUT_S = 30
_MEMORY = Path("/dev/shm")  # noqa: S108 - what lies there has a private name
_MEMORY_BYTES = 4 * 2**30  # several times what the databases of a run fill
# Nothing of a run has to survive the machine.
_SETTINGS = {"fsync": "off", "full_page_writes": "off", "max_wal_size": "256MB"}


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """Makes databases; `address` gives the URL of one by its name."""

    address: Callable[[str], str]

    @contextmanager
    def database(self, template: str = "template1") -> Iterator[str]:
        """The URL of a new copy of `template`, dropped afterwards."""
        name = f"test_{uuid4().hex}"
        self._execute("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", name, template)
        try:
            yield self.address(name)
        finally:
            self._execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def migrated_template(self) -> str:
        """The name of a database with both trees, made by the first process that asks."""
        name = f"rich_agent_template_{_fingerprint()}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_advisory_lock(hashtext(%s))", (name,))
            known = connection.execute("SELECT FROM pg_database WHERE datname = %s", (name,))
            if known.rowcount == 0:
                self._make_template(name)
        return name

    def _make_template(self, name: str) -> None:
        unfinished = f"{name}_{uuid4().hex[:8]}"
        self._execute("CREATE DATABASE {}", unfinished)
        migrate(self.address(unfinished), self.address(unfinished))
        self._execute("ALTER DATABASE {} RENAME TO {}", unfinished, name)

    def _execute(self, statement: str, *names: str) -> None:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


@contextmanager
def serve_databases() -> Iterator[PostgresServer]:
    """The server named in RICH_AGENT_TEST_DATABASE_URL, else the run's own embedded one."""
    url = os.environ.get(SERVER_VARIABLE)
    if url is not None:
        yield PostgresServer(lambda name: urlsplit(url)._replace(path=f"/{name}").geturl())
        return
    with EmbeddedPostgres(run_directory()) as server:
        _hurry(server.url("postgres"))
        yield PostgresServer(server.url)


def _hurry(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for name, value in _SETTINGS.items():
            setting = sql.SQL("ALTER SYSTEM SET {} = {}")
            connection.execute(setting.format(sql.Identifier(name), sql.Literal(value)))
        connection.execute("SELECT pg_reload_conf()")


def fast_storage() -> Path | None:
    """A folder in memory for the files of databases; None where there is too little of it.

    A database is some 300 files, and a disk takes up to a second to make and to delete them.
    """
    try:
        free = shutil.disk_usage(_MEMORY).free
    except OSError:
        return None
    return _MEMORY if min(free, psutil.virtual_memory().available) >= _MEMORY_BYTES else None


@contextmanager
def temporary_data_dir(prefix: str = "rich-agent-", parent: Path | None = None) -> Iterator[Path]:
    """A folder that PostgreSQL's own user may enter, so that root's database lies in it too."""
    with tempfile.TemporaryDirectory(prefix=prefix, dir=parent) as directory:
        Path(directory).chmod(0o711)
        yield Path(directory)


def announce_run() -> None:
    """Name the run's DATA_DIR, for this process and the workers that it starts.

    What runs that were killed have left is removed, since it may fill memory.
    """
    parent = fast_storage() or Path(tempfile.gettempdir())
    for left in parent.glob(f"{_RUN}-*-*"):
        if not psutil.pid_exists(int(left.name.split("-")[-2])):
            shutil.rmtree(left, ignore_errors=True)
    data_dir = Path(tempfile.mkdtemp(prefix=f"{_RUN}-{os.getpid()}-", dir=parent))
    data_dir.chmod(0o711)  # for PostgreSQL's own user
    os.environ[_DATA_DIR_VARIABLE] = str(data_dir)


def run_directory() -> Path:
    """What all processes of the run share, gone when it ends."""
    return Path(os.environ[_DATA_DIR_VARIABLE])


def remove_run() -> None:
    """Wait until the run's server has stopped, and remove what it stored."""
    data_dir = Path(os.environ.pop(_DATA_DIR_VARIABLE))
    await_stop(data_dir)
    shutil.rmtree(data_dir)


def await_stop(data_dir: Path) -> None:
    """Return when the server under `data_dir` has stopped and its guard has ended.

    Raises: TimeoutError.
    """
    deadline = time.monotonic() + _STOP_TIMEOUT_S
    while (data_dir / "postgres" / "postmaster.pid").exists() or _is_leased(data_dir):
        if time.monotonic() > deadline:
            raise TimeoutError(f"the server under {data_dir} did not stop")
        time.sleep(0.02)


def _is_leased(data_dir: Path) -> bool:
    try:
        lease = os.open(data_dir / LEASE, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lease)
    return False


def _fingerprint() -> str:
    files = [file for tree in (APP, RAG) for file in (tree.directory / "versions").glob("*.py")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()[:12]
