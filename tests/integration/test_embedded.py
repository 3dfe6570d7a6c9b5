"""The embedded PostgreSQL, used by processes that end in every way."""

import asyncio
import fcntl
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from pgvector import HalfVector

from rich_agent.errors import DatabaseUnavailableError, SettingsError
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.embedded_guard import LEASE, LINGER, LINGER_S, socket_dir
from rich_agent.repositories.database.pools import open_pool
from tests.database import fast_storage, temporary_data_dir

DEADLINE_S = 30.0
# Holds the server until its input ends; says its address at the start, and every SIGINT.
HOLDER = """
import signal, sys
from pathlib import Path
from rich_agent.repositories.database.embedded import EmbeddedPostgres
signal.signal(signal.SIGINT, lambda *_: print("interrupted", flush=True))
with EmbeddedPostgres(Path(sys.argv[1])) as server:
    print(server.url(), flush=True)
    sys.stdin.read()
"""


on_linux = pytest.mark.skipif(
    not Path("/proc/locks").exists(), reason="looks at processes and locks through /proc"
)


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that uses the server."""

    process: asyncio.subprocess.Process

    async def says(self) -> str:
        """Its next line."""
        assert self.process.stdout is not None
        async with asyncio.timeout(DEADLINE_S):
            return (await self.process.stdout.readline()).decode().strip()

    async def end(self) -> None:
        """Let it end properly."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        async with asyncio.timeout(DEADLINE_S):
            assert await self.process.wait() == 0

    async def kill(self) -> None:
        """SIGKILL."""
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def holding(data_dir: Path) -> AsyncIterator[Holder]:
    """A process in a group of its own, killed at the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HOLDER, str(data_dir)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield Holder(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.fixture
async def data_dir() -> AsyncIterator[Path]:
    """A DATA_DIR with spaces in its path; its server has stopped when it is removed.

    Not pytest's own directory: PostgreSQL's user has to pass through those above.
    """
    with temporary_data_dir("rich agent's data ", fast_storage()) as base:
        yield base / "not yet made"


async def until(condition: Callable[[], bool]) -> None:
    """Return when the condition holds."""
    async with asyncio.timeout(DEADLINE_S):
        while not condition():  # noqa: ASYNC110 - the state of other processes sets no event
            await asyncio.sleep(0.02)


async def stopped(data_dir: Path) -> None:
    """Return when the server has ended properly, and its guard too."""
    await until(lambda: socket_dir(data_dir / "postgres") is None and _is_free(data_dir / LEASE))


def _is_free(lease: Path) -> bool:
    with lease.open("a") as file, suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def postmaster(data_dir: Path) -> int:
    """The process id of the server that runs."""
    return int((data_dir / "postgres" / "postmaster.pid").read_text().split()[0])


def ask(url: str, query: str) -> object:
    """The first column of the first row."""
    with psycopg.connect(url, connect_timeout=10) as connection:
        row = connection.execute(query).fetchone()
    return row[0] if row else None


async def guard_has_looked(data_dir: Path) -> None:
    """Return when the guard has woken twice, so has seen who uses the server now."""
    status = _guard_of(data_dir) / "status"

    def wakes() -> int:
        found = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read_text(), re.MULTILINE)
        return int(found[1]) if found else 0

    seen = wakes()
    await until(lambda: wakes() >= seen + 2)


def _guard_of(data_dir: Path) -> Path:
    name, place = b"embedded_guard.py", os.fsencode(data_dir)
    commands = {path: _command(path) for path in Path("/proc").glob("[0-9]*")}
    return next(path for path, words in commands.items() if name in words and place in words)


def _command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""  # it has ended meanwhile


def locks(data_dir: Path) -> list[str]:
    """The holders of the lease, and those waiting for it ("->"), as the kernel tells it."""
    inode = (data_dir / LEASE).stat().st_ino
    return [line for line in Path("/proc/locks").read_text().splitlines() if f":{inode} " in line]


@pytest.mark.costs("it starts servers of PostgreSQL")
@on_linux
async def test_server_is_shared_and_outlives_a_killed_user(data_dir: Path) -> None:
    """Two that start at once get one server; it serves until the second one ends."""
    async with holding(data_dir) as first, holding(data_dir) as second:
        url = await first.says()
        assert await second.says() == url
        server = postmaster(data_dir)
        await first.kill()
        await guard_has_looked(data_dir)
        assert ask(url, "SELECT 1") == 1
        assert postmaster(data_dir) == server
        await second.end()
        await stopped(data_dir)
    with pytest.raises(psycopg.OperationalError):
        ask(url, "SELECT 1")


async def test_server_stops_after_its_last_user_was_killed_and_starts_again(
    data_dir: Path,
) -> None:
    """The guard sees the end of a process that could not say goodbye; nothing stored is lost."""
    async with holding(data_dir) as first:
        url = await first.says()
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS value")
        await first.kill()
        await stopped(data_dir)
    with EmbeddedPostgres(data_dir) as server:
        assert ask(server.url(), "SELECT value FROM kept") == 42


@pytest.mark.costs("it starts commands, and servers of PostgreSQL")
async def test_commands_in_a_row_start_the_server_once(data_dir: Path) -> None:
    """It waits for the next command, even if that is killed, and stops at once when told to."""
    env = {"PATH": os.environ["PATH"], "DATA_DIR": str(data_dir)}
    servers = set()
    for _ in range(3):
        command = (sys.executable, "-m", "ingest.cli", "list", "--json")
        listing = await asyncio.create_subprocess_exec(
            *command, env=env, cwd=data_dir.parent, stdout=asyncio.subprocess.PIPE
        )
        output, _ = await listing.communicate()
        assert output == b"[]\n"
        servers.add(postmaster(data_dir))
    async with holding(data_dir) as user:
        await user.says()
        servers.add(postmaster(data_dir))
        await user.kill()
        await guard_has_looked(data_dir)
    assert servers == {postmaster(data_dir)}
    EmbeddedPostgres.stop_lingering(data_dir)
    await stopped(data_dir)
    assert not (data_dir / LINGER).exists()


async def test_server_lingers_as_long_as_its_last_user_wishes(data_dir: Path) -> None:
    """A bot that ends has it stop at once, so that its folder can be copied; others wait."""
    with EmbeddedPostgres(data_dir, linger_s=2):
        server = postmaster(data_dir)
    with EmbeddedPostgres(data_dir, linger_s=1):
        assert postmaster(data_dir) == server
    begin = time.monotonic()
    await stopped(data_dir)
    assert time.monotonic() - begin >= 1
    with EmbeddedPostgres(data_dir, linger_s=LINGER_S), EmbeddedPostgres(data_dir):
        pass
    with EmbeddedPostgres(data_dir):
        pass
    await stopped(data_dir)


@on_linux
async def test_server_of_a_removed_folder_ends(data_dir: Path) -> None:
    """A folder that is deleted right after a command leaves no server behind."""
    with EmbeddedPostgres(data_dir, linger_s=LINGER_S):
        server = postmaster(data_dir)
    await asyncio.to_thread(shutil.rmtree, data_dir)
    await until(lambda: b"postgres" not in _command(Path(f"/proc/{server}")))


async def test_server_starts_after_a_power_cut(data_dir: Path) -> None:
    """The file that names the old server's process names, by now, another program of its user."""
    with EmbeddedPostgres(data_dir):
        owner = (data_dir / "postgres").stat().st_uid
    await stopped(data_dir)
    other = await asyncio.create_subprocess_exec("sleep", "600", user=owner)
    try:
        pid_file = data_dir / "postgres" / "postmaster.pid"
        pid_file.write_text(f"{other.pid}\n{data_dir}/postgres\n0\n5432\n")
        with EmbeddedPostgres(data_dir) as server:
            assert ask(server.url(), "SELECT 1") == 1
            assert postmaster(data_dir) != other.pid
    finally:
        other.kill()
        await other.wait()


@pytest.mark.costs("it starts servers of PostgreSQL")
@on_linux
async def test_starter_waits_while_the_server_is_being_stopped(data_dir: Path) -> None:
    """It gets a server that runs, not the one that ends."""
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(holding(data_dir))
        await first.says()
        old = postmaster(data_dir)
        os.kill(old, signal.SIGSTOP)
        try:
            await first.end()
            await until(lambda: any(" WRITE " in line for line in locks(data_dir)))
            second = await stack.enter_async_context(holding(data_dir))
            await until(lambda: any("->" in line for line in locks(data_dir)))
        finally:
            os.kill(old, signal.SIGCONT)
        url = await second.says()
        assert ask(url, "SELECT 1") == 1
        assert postmaster(data_dir) != old


@on_linux
async def test_server_ignores_a_ctrl_c_in_the_terminal_of_its_starter(data_dir: Path) -> None:
    """SIGINT goes to a whole process group, and the server is not in it."""
    async with holding(data_dir) as holder:
        url = await holder.says()
        server = postmaster(data_dir)
        os.killpg(holder.process.pid, signal.SIGINT)
        assert await holder.says() == "interrupted"
        await guard_has_looked(data_dir)
        assert ask(url, "SELECT 1") == 1
        assert postmaster(data_dir) == server


async def test_server_that_dies_is_started_again(data_dir: Path) -> None:
    """Whoever uses it finds it again at the same address."""
    with EmbeddedPostgres(data_dir) as server:
        url, old = server.url(), postmaster(data_dir)
        os.kill(old, signal.SIGKILL)

        def serves() -> bool:
            try:
                return ask(url, "SELECT 1") == 1
            except psycopg.OperationalError:
                return False

        await until(lambda: serves() and postmaster(data_dir) != old)


async def test_server_has_vectors_from_its_first_connection(data_dir: Path) -> None:
    """A pool that opens before any migration knows the types, also in a very long path."""
    long_path = data_dir / ("a very long path " * 8)
    with EmbeddedPostgres(long_path) as server:
        async with open_pool(server.url(), max_size=1) as pool, pool.connection() as connection:
            vector = HalfVector([1.0, 2.0])
            found = await connection.execute("SELECT %s AS vector", (vector,))
            assert await found.fetchone() == {"vector": vector}
    await stopped(long_path)


def test_data_dir_and_its_log_are_private(tmp_path: Path) -> None:
    """Nobody else lists the folders that were made, or reads the statements of errors."""
    data_dir = tmp_path / "one" / "two"
    with EmbeddedPostgres(data_dir):
        modes = [path.stat().st_mode & 0o066 for path in (data_dir.parent, data_dir)]
        assert modes == [0, 0]
        assert (data_dir / "postgres.log").stat().st_mode & 0o077 == 0


def test_data_dir_of_another_version_is_refused(tmp_path: Path) -> None:
    """The error names DATA_DIR and both versions; nothing is touched."""
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("17\n")
    with (
        pytest.raises(SettingsError, match=r"^DATA_DIR: .*17.*18") as caught,
        EmbeddedPostgres(tmp_path),
    ):
        pass
    assert "DATA_DIR" in caught.value.hint
    assert [path.name for path in tmp_path.iterdir()] == ["postgres"]


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_data_dir_that_cannot_be_made_is_refused(tmp_path: Path, place: str) -> None:
    """The error names DATA_DIR and says what stands in the way."""
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(SettingsError, match=r"^DATA_DIR: .*file") as caught,
        EmbeddedPostgres(tmp_path / place),
    ):
        pass
    assert "DATABASE_URL" in caught.value.hint


async def test_data_dir_that_holds_no_database_is_refused(data_dir: Path) -> None:
    """PostgreSQL's own words are shown, with DATA_DIR and the log."""
    (data_dir / "postgres").mkdir(parents=True, mode=0o700)
    (data_dir / "postgres" / "PG_VERSION").write_text("18\n")
    with (
        pytest.raises(DatabaseUnavailableError, match="DATA_DIR") as caught,
        EmbeddedPostgres(data_dir),
    ):
        pass
    assert "postgres.log" in caught.value.hint
