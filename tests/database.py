"""A PostgreSQL for the tests: one server per run, one migrated template, a copy for each test."""

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psutil
import psycopg
from psycopg import sql

from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.embedded_guard import LINGER
from rich_agent.repositories.database.schema import APP, RAG

SERVER_VARIABLE = "RICH_AGENT_TEST_DATABASE_URL"
_DATA_DIR_VARIABLE = "RICH_AGENT_TEST_DATA_DIR"
_RUN = "rich-agent-test-run"
_IN_USE = ".in_use"
_STOP_TIMEOUT_S = 60
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
        """The name of a database with both trees."""
        return self._template(f"rich_agent_template_{_fingerprint()}", _migrate)

    def filled_template(self, name: str, base: str, fill: Callable[[str], None]) -> str:
        """The name of a copy of `base` with what `fill` stores at a URL, once in a run."""
        return self._template(f"{_of_this_run()}_{name}", fill, base)

    def _template(self, name: str, fill: Callable[[str], None], base: str = "template1") -> str:
        """The name of a database that the first process that asks has made."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_advisory_lock(hashtext(%s))", (name,))
            known = connection.execute("SELECT FROM pg_database WHERE datname = %s", (name,))
            if known.rowcount == 0:
                unfinished = f"{name}_{uuid4().hex[:8]}"
                self._execute("CREATE DATABASE {} TEMPLATE {}", unfinished, base)
                fill(self.address(unfinished))
                self._execute("ALTER DATABASE {} RENAME TO {}", unfinished, name)
        return name

    def drop_templates_of_run(self) -> None:
        """Drop what `filled_template` has made in this run."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            query = "SELECT datname FROM pg_database WHERE starts_with(datname, %s)"
            names = [name for (name,) in connection.execute(query, (_of_this_run(),))]
        for name in names:
            self._execute("DROP DATABASE {} WITH (FORCE)", name)

    def _execute(self, statement: str, *names: str) -> None:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


@contextmanager
def serve_databases() -> Iterator[PostgresServer]:
    """The server named in RICH_AGENT_TEST_DATABASE_URL, else the run's own embedded one."""
    url = os.environ.get(SERVER_VARIABLE)
    if url is not None:
        yield _server_at(url)
        return
    with EmbeddedPostgres(run_directory()) as server:
        _hurry(server.url("postgres"))
        yield PostgresServer(server.url)


def _server_at(url: str) -> PostgresServer:
    return PostgresServer(lambda name: urlsplit(url)._replace(path=f"/{name}").geturl())


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
    """A folder that PostgreSQL's own user may enter, so that root's database lies in it too.

    It is removed once nothing uses it any more.
    """
    with tempfile.TemporaryDirectory(prefix=prefix, dir=parent) as directory:
        Path(directory).chmod(0o711)
        yield Path(directory)
        await_unused(Path(directory))


def announce_run() -> None:
    """Name the run's DATA_DIR, for this process and the workers that it starts.

    What runs that were killed have left is removed, since it may fill memory. A run in another
    container may share that memory, and its processes are not seen here: a lock tells of it.
    """
    parent = fast_storage() or Path(tempfile.gettempdir())
    for left in parent.glob(f"{_RUN}-*/{_IN_USE}"):
        with left.open() as file, suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left.parent, ignore_errors=True)
    data_dir = Path(tempfile.mkdtemp(prefix=f"{_RUN}-", dir=parent))
    data_dir.chmod(0o711)  # for PostgreSQL's own user
    # The descriptor is not closed: the lock ends with this process.
    fcntl.flock(os.open(data_dir / _IN_USE, os.O_CREAT | os.O_RDWR), fcntl.LOCK_EX)
    os.environ[_DATA_DIR_VARIABLE] = str(data_dir)


def run_directory() -> Path:
    """The folder that all processes of the run share, gone when it ends."""
    return Path(os.environ[_DATA_DIR_VARIABLE])


def remove_run() -> None:
    """Remove what the run's server stored, once it has stopped, or its templates elsewhere."""
    if url := os.environ.get(SERVER_VARIABLE):
        _server_at(url).drop_templates_of_run()
    data_dir = Path(os.environ.pop(_DATA_DIR_VARIABLE))
    await_unused(data_dir)
    shutil.rmtree(data_dir)


def await_unused(folder: Path) -> None:
    """Return when no process works in the folder or was started with a path in it.

    Servers that wait there for another command need not wait. A server and its guard end only
    after what they leave behind, as does a stand-in that saves.

    Raises: TimeoutError.
    """
    deadline = time.monotonic() + _STOP_TIMEOUT_S
    while users := [one for one in psutil.process_iter() if _uses(one, str(folder.resolve()))]:
        for depth in ("", "*/", "*/*/"):
            for file in folder.glob(f"{depth}{LINGER}"):
                EmbeddedPostgres.stop_lingering(file.parent)
        if time.monotonic() > deadline:
            raise TimeoutError(f"{folder} is still used by {users}")
        time.sleep(0.05)


def _uses(process: psutil.Process, folder: str) -> bool:
    try:
        named = any(folder in argument for argument in process.cmdline())
        return named or process.cwd().startswith(folder)
    except psutil.Error:  # it has ended, or is another user's
        return False


def _of_this_run() -> str:
    return f"rich_agent_run_{run_directory().name.removeprefix(f'{_RUN}-')}"


def _migrate(url: str) -> None:
    # Alembic takes half a second to load, and one process of a run makes the template.
    from rich_agent.repositories.database.migration import migrate  # noqa: PLC0415 - see above

    migrate(url, url)


def _fingerprint() -> str:
    files = [file for tree in (APP, RAG) for file in (tree.directory / "versions").glob("*.py")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()[:12]
