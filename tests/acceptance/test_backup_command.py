"""`rich-agent backup` and `restore`, with a bot that writes meanwhile, and with what goes wrong."""

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest

from rich_agent.repositories.database.embedded import EmbeddedPostgres
from tests.acceptance.world import (
    ROOT,
    Sandbox,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer, fast_storage, temporary_data_dir

USER, WRITERS = 9_710_000, range(9_710_001, 9_710_005)
KEY = "The spare key of the workshop lies under the blue flower pot."
STORED = "SELECT user_id, role, content FROM messages ORDER BY id"
LEFT = "SELECT datname FROM pg_database WHERE datname LIKE 'rich_agent_%'"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for databases and backups."""
    with temporary_data_dir(parent=fast_storage()) as directory:
        yield directory


@contextmanager
def writing(sandbox: Sandbox) -> Iterator[None]:
    """Users write all the time while the block runs."""
    end = Event()

    def write() -> None:
        for number in count():
            for user in WRITERS:
                if end.wait(0.05):
                    return
                sandbox.say(user, f"hi {number}")

    writer = Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        end.set()
        writer.join()


def rows(data_dir: Path, query: str, database: str = "rich_agent") -> list[tuple[object, ...]]:
    """The rows that a query finds in the database of a folder."""
    with (
        EmbeddedPostgres(data_dir) as server,
        psycopg.connect(server.url(database)) as connection,
    ):
        return connection.execute(query.encode()).fetchall()


@pytest.mark.costs("it starts bots, commands and servers of its own")
def test_backup_of_a_bot_that_is_written_to_is_whole(folder: Path) -> None:
    """Each conversation ends in its midst, not before, and another bot goes on from there."""
    documents, file = folder / "documents", folder / "bot.backup"
    documents.mkdir()
    (documents / "workshop.md").write_text(f"# Workshop\n\n{KEY}\n")
    with running_sandbox() as sandbox:
        first, second = (
            environment(sandbox.url, "", DATA_DIR=str(folder / name)) for name in ("one", "two")
        )
        command(["ingest.cli", "add-source", str(documents)], first)
        command(["ingest.cli", "sync"], first)
        with running_bot(first), writing(sandbox):
            wait_until(lambda: all(map(sandbox.replies, WRITERS)) or None, "all are answered")
            told = command(["rich_agent.cli", "backup", str(file), "--json"], first)
            refusal = command(["rich_agent.cli", "restore", str(file)], first, expect=1)
            assert "in use" in refusal.stderr
            before = {user: len(sandbox.replies(user)) for user in WRITERS}
            wait_until(
                lambda: all(len(sandbox.replies(one)) > before[one] for one in WRITERS) or None,
                "further messages are answered",
            )
        assert file.stat().st_mode & 0o777 == 0o600
        assert json.loads(told.stdout)["version"]
        command(["rich_agent.cli", "restore", str(file)], second)
        shutil.rmtree(documents)
        _assert_begins_alike(folder / "two", folder / "one")
        with running_bot(second):
            sent = sandbox.say(USER, "Where does the spare key of the workshop lie?")
            wait_until(
                lambda: "flower pot" in str(sandbox.replies(USER, sent.message_id)) or None,
                "the bot answers from the documents",
            )


def _assert_begins_alike(restored: Path, original: Path) -> None:
    """Each user's conversation is the beginning of the original one."""
    early, all_messages = rows(restored, STORED), rows(original, STORED)
    assert 0 < len(early) < len(all_messages)
    for user in WRITERS:
        of_user = [row for row in all_messages if row[0] == user]
        early_of_user = [row for row in early if row[0] == user]
        assert early_of_user
        assert early_of_user == of_user[: len(early_of_user)]


@pytest.mark.costs("it starts commands and servers of its own")
def test_restore_changes_nothing_until_all_is_right(
    folder: Path, database_server: PostgresServer
) -> None:
    """A damaged file, data that are there, or a kill leaves the old data; then it is done.

    The same file fills the empty database of a server.
    """
    data_dir, file, damaged = folder / "data", folder / "a.backup", folder / "b.backup"
    variables = environment("http://127.0.0.1:9", "", DATA_DIR=str(data_dir))

    def restore(*words: str, expect: int = 1) -> str:
        return command(["rich_agent.cli", "restore", *words], variables, expect=expect).stderr

    assert "no database" in command(["rich_agent.cli", "backup"], variables, expect=1).stderr
    command(["ingest.cli", "add-source", str(ROOT / "sample"), "--name", "old"], variables)
    part = folder / ".rich-agent-2026-01-01T00-00-00Z.backup.part"
    part.touch()
    command(["rich_agent.cli", "backup", str(file)], variables)
    assert not part.exists()
    assert "exists" in command(["rich_agent.cli", "backup", str(file)], variables, expect=1).stderr
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    command(["ingest.cli", "add-source", str(ROOT / "docs"), "--name", "new"], variables)

    assert "no whole backup" in restore(str(damaged), "--replace")
    assert "no whole backup" in restore(str(ROOT / "README.md"), "--replace")
    assert "--replace" in restore(str(file))
    restore(str(file), "--dry-run", expect=0)
    assert _names(data_dir) == {"old", "new"}

    with EmbeddedPostgres(data_dir) as server:
        _kill_in_the_middle(server, file, variables)
    assert rows(data_dir, LEFT, "postgres") == []
    assert _names(data_dir) == {"old", "new"}
    restore(str(file), "--replace", expect=0)
    assert _names(data_dir) == {"old"}
    assert rows(data_dir, LEFT, "postgres") == []

    with database_server.database() as url:
        _move_into_server(file, url)
    _make_newer(file)
    assert "does not know (app_9999)" in restore(str(file), "--replace")


def _names(data_dir: Path) -> set[object]:
    """The names of the registered sources."""
    return {row[0] for row in rows(data_dir, "SELECT name FROM rag_sources")}


def _kill_in_the_middle(server: EmbeddedPostgres, file: Path, variables: dict[str, str]) -> None:
    """Kill a restore with its programs while it fills the new database."""
    words = [sys.executable, "-m", "rich_agent.cli", "restore", str(file), "--replace"]
    with (
        psycopg.connect(server.url("postgres"), autocommit=True) as connection,
        subprocess.Popen(words, env=variables, start_new_session=True) as process,
    ):
        filling = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'pg_restore'"
        wait_until(lambda: connection.execute(filling).fetchone(), "it fills a new database")
        os.killpg(process.pid, signal.SIGKILL)
        wait_until(lambda: not connection.execute(filling).fetchone() or None, "it has ended")


def _move_into_server(file: Path, url: str) -> None:
    """Restore a backup into the empty database of a server: once, and it can be backed up too."""
    with psycopg.connect(url) as connection:
        connection.execute("CREATE EXTENSION vector")
    served = environment("http://127.0.0.1:9", url)
    words = ["rich_agent.cli", "restore", str(file)]
    command(words, served)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT name FROM rag_sources").fetchall() == [("old",)]
    assert "tables already" in command([*words, "--replace"], served, expect=1).stderr
    command(["rich_agent.cli", "backup", str(file.with_name("of-server"))], served)
    command([*words[:2], str(file.with_name("of-server")), "--dry-run"], served)


def _make_newer(file: Path) -> None:
    """Write into a backup that its tables are of a later version."""
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(content["manifest.json"])
    manifest["dumps"][0]["revisions"]["alembic_version_app"] = "app_9999"
    content["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
