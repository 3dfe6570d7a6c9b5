"""Git repositories as sources, from Git's own server over HTTP."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.forking import Ended, run_to_end
from tests.integration.git_server import GitServer, GitWork, serve_git
from tests.integration.test_ingest_cli import Command, command
from tests.sandbox_server import RunningSandbox

KEY = "kW0Zr1oJtC0u3mJm3yq2mU2b1y0mJ2m4m8b1e7l2p9A="


@pytest.fixture
def ingest(database_url: str, sandbox: RunningSandbox, tmp_path: Path) -> Command:
    """The command without sources, by words only."""
    folder = tmp_path / "ingest"
    folder.mkdir()
    settings = {"CREDENTIALS_KEY": KEY, "DATA_DIR": str(tmp_path / "data")}
    return command(database_url, sandbox, folder).having(**settings).without_model()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitServer]:
    """A server without repositories."""
    folder = tmp_path / "git"
    folder.mkdir()
    with serve_git(folder) as server:
        yield server


@pytest.fixture
def handbook(server: GitServer) -> GitWork:
    """A repository with two documents, and what is none."""
    work = server.make("handbook")
    work.write("docs/travel.md", "# Travel\n\nTrains are booked by the assistant.")
    work.write("docs/holidays.md", "# Holidays\n\nThere are thirty days of holidays.")
    work.write("main.py", "print()")
    work.push()
    return work


def connect(ingest: Command, work: GitWork, *options: str, token: str = "") -> Ended:
    """Connect a repository, with the token in a file."""
    file = ingest.folder / "token"
    file.write_text(f"{token}\n", "utf-8")
    return ingest.run("connect", "git", work.address, "--secret-file", file, *options)


def counts(report: dict[str, Any]) -> dict[str, int]:
    """The numbers of documents that are not zero."""
    return {name: number for name, number in report["documents"].items() if number}


def stored(ingest: Command) -> list[str]:
    """The addresses of the stored documents."""
    return [row["url"] for row in ingest.rows("SELECT url FROM rag_documents ORDER BY url")]


@pytest.mark.costs("git and each sync are processes of their own")
def test_repository_is_read_and_kept_in_step(
    ingest: Command, server: GitServer, handbook: GitWork
) -> None:
    """A push is read, a deleted file is removed, and the rest costs nothing."""
    server.token = "secret-token"
    refused = ingest.run("connect", "git", handbook.address, expect=1)
    assert "asks for a token" in refused.stderr
    assert ingest.rows("SELECT id FROM rag_sources") == []
    connected = connect(ingest, handbook, token="secret-token")
    assert "branch main" in connected.stdout
    assert all(
        b"secret" not in row["secret"] for row in ingest.rows("SELECT * FROM rag_connections")
    )
    assert counts(ingest.json("sync")) == {"new": 2}
    page = handbook.address.removesuffix(".git") + "/blob/main/docs"
    assert stored(ingest) == [f"{page}/holidays.md", f"{page}/travel.md"]
    assert ingest.found("how many days of holidays") >= {f"{page}/holidays.md"}
    before = server.requests
    assert counts(ingest.json("sync")) == {"unchanged": 2}
    assert server.requests == before + 2
    handbook.write("docs/travel.md", "# Travel\n\nFlights are booked by the assistant.")
    handbook.write("docs/new.md", "# New\n\nSomething else.")
    handbook.git("rm", "docs/holidays.md")
    handbook.push()
    assert counts(ingest.json("sync")) == {"new": 1, "changed": 1, "removed": 1}
    assert stored(ingest) == [f"{page}/new.md", f"{page}/travel.md"]
    ingest.run("remove-source", "handbook")
    assert not any(Path(ingest.environment["DATA_DIR"], "connected").iterdir())


@pytest.mark.costs("git and each sync are processes of their own")
def test_renamed_files_are_not_embedded_again(ingest: Command, handbook: GitWork) -> None:
    """A rename, and a history that was written anew, move documents but cost no tokens."""
    embedding = ingest.having(EMBEDDING_MODEL="sandbox-embedding")
    ingest.run("connect", "git", handbook.address)
    assert embedding.json("sync")["chunks"]["embedded"] == 2
    handbook.git("mv", "docs", "guide")
    handbook.git("commit", "--amend", "-m", "Rename")
    handbook.push(force=True)
    report = embedding.json("sync", "--force")
    assert report["tokens"]["embedded"] == 0, report
    assert [url.partition("/main/")[2] for url in stored(ingest)] == [
        "guide/holidays.md",
        "guide/travel.md",
    ]


@pytest.mark.costs("git and each sync are processes of their own")
@pytest.mark.parametrize(
    ("failure", "words"),
    [
        ((500, {}), "answers 500"),
        ((429, {"Retry-After": "7200"}), "answers 429"),
        ((401, {}), "has expired"),
        ((404, {}), "there is no such repository"),
    ],
)
def test_failing_server_costs_no_documents(
    ingest: Command, server: GitServer, handbook: GitWork, failure: Any, words: str
) -> None:
    """Nothing is removed, the operator reads why, and it is left alone as long as it wants."""
    connect(ingest, handbook, token="token")
    ingest.run("sync")
    server.failure = failure
    report = ingest.run("sync", expect=1)
    assert words in report.stderr
    assert len(stored(ingest)) == 2
    (clock,) = ingest.rows(
        """SELECT problem, is_refused, tries, problem = last_error AS is_same,
        extract(epoch FROM due_at - now())::integer AS wait_s
        FROM rag_clocks JOIN due_work ON key = source_id"""
    )
    assert words in clock["problem"]
    assert (clock["tries"], clock["is_same"]) == (1, True)
    assert clock["is_refused"] is (failure[0] in {401, 404})
    assert clock["wait_s"] > (7_000 if failure[1] else 800)
    server.failure = None
    ingest.run("sync")
    after = ingest.rows("SELECT problem, tries FROM rag_clocks JOIN due_work ON key = source_id")
    assert after == [{"problem": "", "tries": 0}]


@pytest.mark.costs("git and each sync are processes of their own")
def test_deleted_branch_and_mass_deletion_wait_for_a_word(
    ingest: Command, handbook: GitWork
) -> None:
    """Without its branch nothing is removed; more than a quarter only with --force."""
    for number in range(8):
        handbook.write(f"docs/{number}.md", f"# Page {number}\n\nWords of page {number}.")
    handbook.push()
    ingest.run("connect", "git", handbook.address, "-o", "branch=main")
    ingest.run("sync")
    handbook.git("push", "origin", "HEAD:other")
    handbook.git("push", "origin", "--delete", "main")
    told = ingest.run("sync", expect=1).stderr
    assert "there is no branch main" in told
    assert "-o branch=NAME, one of: other" in told
    assert len(stored(ingest)) == 10
    handbook.git("rm", "-r", "docs")
    handbook.write("README.md", "# Read me\n\nWords.")
    handbook.push()
    said = ingest.run("sync").stderr
    assert "10 of 11 documents would be removed" in said
    assert "--force" in ingest.run("sync").stderr
    assert len(stored(ingest)) == 11
    assert counts(ingest.json("sync", "--force")) == {"unchanged": 1, "removed": 10}


@pytest.mark.costs("git and each sync are processes of their own")
def test_odd_names_and_large_files(ingest: Command, handbook: GitWork) -> None:
    """Names of any bytes are read; links, submodules and what is too large are not."""
    handbook.write("docs/ä ö?#%.md", "# Odd\n\nA name with marks.")
    handbook.write(b"docs/\xff\xfe.md", "# Bytes\n\nA name that is no text.")
    handbook.write("docs/new\nline.md", "# Line\n\nA name of two lines.")
    handbook.write("docs/large.md", "word " * 300_000)
    (handbook.folder / "docs" / "link.md").symlink_to("/etc/passwd")
    handbook.write("docs/pointer.md", "version https://git-lfs.github.com/spec/v1\noid sha256:1\n")
    handbook.push()
    ingest.run("connect", "git", handbook.address, "-o", "exclude=holidays.md")
    report = ingest.having(MAX_FILE_MB="1").json("sync")
    assert counts(report) == {"new": 4, "failed": 2}
    assert sorted(one["reason"] for one in report["failures"]) == [
        "it has 1.5 MB, and at most 1 MB are read",
        "it is kept in Git LFS, which is not read",
    ]
    names = [url.rpartition("/docs/")[2] for url in stored(ingest)]
    assert sorted(names) == [
        "%C3%A4%20%C3%B6%3F%23%25.md",
        "%FF%FE.md",
        "new%0Aline.md",
        "travel.md",
    ]
    assert counts(ingest.json("sync")) == {"new": 1, "unchanged": 4, "failed": 1}


@pytest.mark.costs("git and each sync are processes of their own")
def test_huge_file_is_not_even_fetched(ingest: Command, handbook: GitWork) -> None:
    """A file above 128 MB, however large, stays at the server."""
    huge = handbook.folder / "docs" / "huge.md"
    with huge.open("wb") as file:
        file.truncate(160_000_000)
    handbook.git("config", "core.bigFileThreshold", "1m")
    handbook.git("config", "core.compression", "0")
    handbook.push()
    ingest.run("connect", "git", handbook.address)
    assert counts(ingest.json("sync")) == {"new": 2, "failed": 1}
    data = Path(ingest.environment["DATA_DIR"], "connected")
    assert sum(file.stat().st_size for file in data.rglob("*") if file.is_file()) < 1_000_000


@pytest.mark.costs("git and each sync are processes of their own")
def test_dry_runs_store_nothing(ingest: Command, handbook: GitWork) -> None:
    """They say what would be read, before the repository is connected and after."""
    tried = ingest.run("connect", "git", handbook.address, "--dry-run").stdout
    assert "would read 2 documents" in tried
    assert "would skip 1 py (main.py)" in tried
    assert ingest.rows("SELECT id FROM rag_sources") == []
    connect(ingest, handbook)
    planned = ingest.json("sync", "--dry-run")
    assert counts(planned) == {"new": 2}
    assert stored(ingest) == []
    assert ingest.rows("SELECT key FROM rag_entries") == []
    ingest.run("sync")
    assert counts(ingest.json("sync", "--dry-run")) == {"unchanged": 2}


@pytest.mark.costs("git and each sync are processes of their own")
def test_status_shows_ages_and_doctor_asks_the_service(
    ingest: Command, server: GitServer, handbook: GitWork
) -> None:
    """An operator sees how old documents are, and what the token may do."""
    server.token = "good"
    connect(ingest, handbook, "--every", "6h", token="good")
    assert "content: never read, every 6 h, due" in ingest.run("status").stdout
    ingest.run("sync")
    (clock,) = ingest.json("status")["clocks"]
    assert (clock["job"], clock["every"], clock["problem"]) == ("content", "21600", "")
    assert clock["age_s"] < 60
    settings = {
        "TELEGRAM_BOT_TOKEN": f"123456789:{35 * 'A'}",
        "TELEGRAM_API_BASE_URL": "http://127.0.0.1:1",
    }
    environment = ingest.having(**settings).environment
    line = ["rich_agent.cli", "doctor"]
    asked = run_to_end(line, environment, ingest.folder, deadline_s=60).stdout
    assert f"ok    source handbook: reads {handbook.address}, branch main" in asked
    server.token = "renewed"
    asked = run_to_end(line, environment, ingest.folder, deadline_s=60).stdout
    assert "warn  source handbook" in asked
    assert "has expired" in asked


def test_connection_needs_a_key_and_a_name(ingest: Command, handbook: GitWork) -> None:
    """A secret is never stored without a key, and every mistake is told."""
    keyless = ingest.having(CREDENTIALS_KEY="")
    file = ingest.folder / "token"
    file.write_text("token", "utf-8")
    line = ["connect", "git", handbook.address, "--secret-file", str(file)]
    assert "CREDENTIALS_KEY" in keyless.run(*line, expect=1).stderr
    assert ingest.rows("SELECT id FROM rag_sources") == []
    assert "one word" in ingest.run(*line, "--name", "two words", expect=1).stderr
    assert "not an option" in ingest.run(*line, "-o", "tag=1", expect=1).stderr
    assert "begins with https" in ingest.run("connect", "git", "ssh://a/b", expect=1).stderr
    assert "cannot be connected" in ingest.run("connect", "gopher", expect=1).stderr
    assert "address, required" in ingest.run("connect").stdout
