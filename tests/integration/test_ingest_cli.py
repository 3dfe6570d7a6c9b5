"""The command `ingest` as a process, over a migrated database and the sandbox's embeddings."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any, LiteralString

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row

from rich_agent.settings.settings import all_settings
from tests.acceptance.pseudo_terminal import at_terminal
from tests.database import PostgresServer
from tests.forking import Ended, run_to_end
from tests.integration.ingest_support import MODEL, Site, document
from tests.sandbox_server import RunningSandbox
from tests.unit.documents.documents import Pdf, Words, archive, docx, word_paragraph
from tests.unit.documents.outlook_files import compound_file, outlook_mail

DEADLINE_S = 30.0
COUNTS = {"new", "changed", "unchanged", "removed", "failed"}


@dataclass(frozen=True, slots=True)
class Command:
    """`ingest` in an environment and a folder of its own."""

    environment: dict[str, str]
    folder: Path

    def run(self, *arguments: str | Path, expect: int = 0) -> Ended:
        """Run it to its end; its exit code is checked."""
        line = ["ingest.cli", *map(str, arguments)]
        done = run_to_end(line, self.environment, self.folder, deadline_s=DEADLINE_S)
        assert done.returncode == expect, f"{arguments}: {done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
        return done

    def json(self, *arguments: str | Path) -> Any:
        """The output with --json, which is JSON and nothing else."""
        return json.loads(self.run(*arguments, "--json").stdout)

    def having(self, **settings: str) -> "Command":
        """The same with other settings."""
        return replace(self, environment={**self.environment, **settings})

    def without_model(self) -> "Command":
        """The same by words only, which saves a second for each call."""
        return self.having(EMBEDDING_MODEL="none")

    def found(self, query: str) -> set[str]:
        """The addresses of the documents that a search by words finds."""
        return {one["source_url"] for one in self.without_model().json("search", query)}

    def rows(self, query: LiteralString) -> list[dict[str, Any]]:
        """The rows of the database that a query finds."""
        url = self.environment["DATABASE_URL"]
        with psycopg.connect(url, row_factory=dict_row) as connection:
            return connection.execute(query).fetchall()


def command(database_url: str, sandbox: RunningSandbox, folder: Path) -> Command:
    """The command with the sandbox's embeddings."""
    environment = {name: value for name, value in os.environ.items() if name not in all_settings()}
    environment |= {
        "DATABASE_URL": database_url,
        "OPENAI_API_KEY": "any",
        "OPENAI_BASE_URL": f"{sandbox.url}/v1",
        "EMBEDDING_MODEL": MODEL,
        "INTRANET_HOSTS": "127.0.0.1",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    return Command(environment, folder)


@pytest.fixture
def ingest(database_url: str, sandbox: RunningSandbox, tmp_path: Path) -> Command:
    """The command without sources."""
    return command(database_url, sandbox, tmp_path)


@pytest.fixture(scope="module")
def empty_ingest(
    database_server: PostgresServer,
    database_template: str,
    sandbox: RunningSandbox,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Command]:
    """The same, for tests that store nothing."""
    with database_server.database(database_template) as url:
        yield command(url, sandbox, tmp_path_factory.mktemp("empty"))


def write(path: Path, text: str) -> Path:
    """A file with this text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def sitemap(*urls: str) -> str:
    """A sitemap of pages."""
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def sitemap_index(*urls: str) -> str:
    """A sitemap of sitemaps."""
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>"


@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.req("RAG-1", "RAG-5", "COST-2")
def test_ingest_takes_each_kind_of_source(ingest: Command, site: Site, tmp_path: Path) -> None:
    """Page, list, file, folder: one row each, however often; read once, and then not again."""
    listed = [site.publish(f"/{n}", f"# Listed {n}\n\nWords of page {n}.") for n in range(2)]
    folder = write(tmp_path / "folder" / "deep" / "note.md", "# Note\n\nWords.").parents[1]
    targets: dict[str, str | Path] = {
        "page": site.publish("/page", "# Page\n\nWords of the page."),
        "url-list": write(tmp_path / "urls.txt", "\n".join(["# two pages", *listed])),
        "file": write(tmp_path / "single.md", "# Single\n\nWords of the file."),
        "folder": folder,
    }
    for kind, target in targets.items():
        assert ingest.run("add-source", target, "--name", kind).stdout.startswith("added")
        again = ingest.run("add-source", target, "--kind", kind)
        assert again.stdout.startswith("already registered")
    sources = ingest.rows("SELECT * FROM rag_sources")
    assert {row["type"]: row["name"] for row in sources} == {kind: kind for kind in targets}
    for row in sources:
        assert row["id"].startswith("src_")
        assert row["root_url"].startswith(("http://", "file:///"))
        assert row["status"] == "active"
        assert row["updated_at"] is not None
    first = ingest.json("sync")
    assert first["documents"] == {**dict.fromkeys(COUNTS, 0), "new": 5}
    assert first["chunks"] == {"embedded": 5, "kept": 0, "removed": 0}
    assert first["embedding_calls"] == 4
    assert first["seconds"] > 0
    second = ingest.json("sync")
    assert second["documents"] == {**dict.fromkeys(COUNTS, 0), "unchanged": 5}
    assert second["chunks"] == {"embedded": 0, "kept": 5, "removed": 0}
    assert second["embedding_calls"] == 0


@pytest.mark.req("RAG-1")
def test_ingest_add_source_again_changes_what_it_is_told(ingest: Command, tmp_path: Path) -> None:
    """Options that are left out stay as they were."""
    file = write(tmp_path / "a.md", "# A\n\nWords.")
    ingest.run("add-source", file, "--internal")
    changed = ingest.run("add-source", "a.md", "--name", "mine", "--base-url", "https://a.example/")
    assert "updated" in changed.stdout
    (source,) = ingest.json("list")
    assert (source["name"], source["internal"]) == ("mine", True)
    assert source["base_url"] == "https://a.example"


@pytest.mark.req("RAG-5")
def test_ingest_moves_documents_that_are_published_elsewhere(
    ingest: Command, tmp_path: Path
) -> None:
    """Another base address moves what is stored, also onto what an earlier sync left there."""
    folder = tmp_path / "docs"
    for number in range(6):
        write(folder / f"{number}.md", f"# Page {number}\n\n## Part\n\nWords of {number}.")
    words = ingest.without_model()
    bases = [f"http://127.0.0.1:{port}/docs" for port in (8080, 9000)]
    add = "add-source", folder, "--strip-suffix", "--base-url"
    places = "SELECT url, link FROM rag_documents AS d JOIN rag_chunks ON document_id = d.id"
    words.run(*add, bases[0])
    words.json("sync")
    for base in reversed(bases):
        words.run(*add, base)
        documents = words.json("sync")["documents"]
        assert documents == {**dict.fromkeys(COUNTS, 0), "unchanged": 6}
        assert {row["url"] for row in ingest.rows(places)} == {f"{base}/{n}" for n in range(6)}
        assert all(row["link"].startswith(row["url"]) for row in ingest.rows(places))
    # As it was left by a version that read everything at the other address once more.
    with psycopg.connect(ingest.environment["DATABASE_URL"]) as connection:
        connection.execute(
            "INSERT INTO rag_documents (source_id, url, identity, title, fetched_at, raw_hash,"
            " fetched_at_bucket, content_hash, raw_text, pipeline_version) SELECT source_id,"
            " replace(url, '8080', '9000'), identity || '2', title, fetched_at, raw_hash,"
            " fetched_at_bucket, content_hash, raw_text, pipeline_version FROM rag_documents"
        )
    words.run(*add, bases[1])
    documents = words.json("sync")["documents"]
    assert documents == {**dict.fromkeys(COUNTS, 0), "unchanged": 6}
    assert len(ingest.rows(places)) == 6


@pytest.mark.req("RAG-2")
def test_ingest_gives_the_same_chunks_from_web_and_file(
    ingest: Command, site: Site, tmp_path: Path
) -> None:
    """The same text, served and read, has the same sections, contents and hashes."""
    text = document("Same", 20)
    ingest.run("add-source", site.publish("/same.md", text))
    ingest.run("add-source", write(tmp_path / "same.md", text))
    report = ingest.json("sync")
    chunks = ingest.rows(
        "SELECT url, section, content, chunk.content_hash FROM rag_chunks AS chunk "
        "JOIN rag_documents AS document ON document.id = document_id ORDER BY chunk_index"
    )
    by_url: dict[str, list[tuple[str, ...]]] = {}
    for chunk in chunks:
        by_url.setdefault(chunk.pop("url"), []).append(tuple(chunk.values()))
    one, other = by_url.values()
    assert one == other
    assert report["chunks"]["embedded"] == len(one) > 5


@pytest.mark.req("RAG-3")
def test_ingest_shows_what_is_stored_as_json(ingest: Command, tmp_path: Path) -> None:
    """`list`, `status` and `search` have the keys that programs rely on."""
    write(tmp_path / "docs" / "guide.md", "# Guide\n\n## Keys\n\nHow keys are made.")
    write(tmp_path / "docs" / "other.md", "# Other\n\nSomething else altogether.")
    assert ingest.json("list") == []
    assert ingest.json("status")["last_sync"] is None
    assert ingest.found("keys") == set()
    ingest.run("add-source", "docs", "--internal")
    summary = ingest.json("sync")
    (source,) = ingest.json("list")
    assert source.items() >= {"type": "folder", "name": "docs", "status": "active"}.items()
    assert source.items() >= {"internal": True, "documents": 2, "chunks": 2}.items()
    assert source["incomplete"] == 0
    assert {"id", "root_url", "updated_at", "last_synced_at"} <= source.keys()
    status = ingest.json("status")
    last = status.pop("last_sync")
    assert (last["status"], last["error"], last["summary"]) == ("done", None, summary)
    assert status.pop("runs") == [last]
    assert status == {
        "sources": {"active": 1, "inactive": 0},
        "documents": 2,
        "chunks": 2,
        "embedding_model": MODEL,
        "chunks_embedded": 2,
        "spaces": [{"model": MODEL, "dimensions": 1536, "status": "active", "vectors": 2}],
        "languages": [],
        "statistics_are_current": True,
        "unread": [],
        "failing": [],
        "rounds": [],
        "clocks": [],
        "domain": None,
    }
    found = ingest.json("search", "How are keys made?")
    assert [one["rank"] for one in found] == [1, 2]
    assert found[0].pop("chunk_id").startswith("chk_")
    assert 1 >= found[0].pop("score") > found[1]["score"] >= 0
    assert found[0] == {
        "rank": 1,
        "source_url": (tmp_path / "docs" / "guide.md").as_uri(),
        "title": "Guide",
        "section": "Guide > Keys",
        "link": (tmp_path / "docs" / "guide.md").as_uri(),
        "content": "How keys are made.",
    }
    assert len(ingest.without_model().json("search", "keys made something", "-k", "1")) == 1


def test_several_sources_are_registered_at_once(ingest: Command, tmp_path: Path) -> None:
    """Each gets its line; if one cannot be registered, none is; a name is for one."""
    for name in ("a", "b"):
        write(tmp_path / f"{name}.md", f"# {name}\n\nWords of {name}.")
    assert "no-such" in ingest.run("add-source", "a.md", "no-such.md", expect=1).stderr
    assert json.loads(ingest.run("list", "--json").stdout) == []
    assert "--name" in ingest.run("add-source", "a.md", "b.md", "--name", "x", expect=2).stderr
    ingest.run("add-source", "a.md", "b.md", "--every", "often", expect=1)
    assert json.loads(ingest.run("list", "--json").stdout) == []
    added = ingest.run("add-source", "a.md", "b.md", "--every", "1h").stdout
    assert added.count("added ") == 2
    assert added.count("every 1 h") == 2
    assert len(json.loads(ingest.run("list", "--json").stdout)) == 2


def test_commands_tell_programs_what_they_did(ingest: Command, tmp_path: Path) -> None:
    """Each prints one JSON value, with the source or the space as it is from now on."""
    ingest = ingest.without_model()
    write(tmp_path / "a.md", "# A\n\nWords of a.")
    write(tmp_path / "b.md", "# B\n\nWords of b.")
    added = ingest.json("add-source", "a.md", "--every", "1h", "--sync")
    (one,) = added["sources"]
    assert (one["outcome"], one["name"], one["clocks"][0]["every"]) == ("added", "a.md", "3600")
    assert added["sync"]["documents"]["new"] == 1
    again = ingest.json("add-source", "a.md", "b.md")
    assert [source["outcome"] for source in again["sources"]] == ["unchanged", "added"]
    assert again["sync"] is None
    assert ingest.json("add-source", "a.md", "--internal")["sources"][0]["outcome"] == "updated"
    off = ingest.json("deactivate", "a.md")
    assert (off["outcome"], off["status"]) == ("inactive", "inactive")
    assert ingest.json("activate", one["id"])["status"] == "active"
    assert ingest.json("schedule", "a.md", "--every", "")["clocks"] == []
    assert ingest.json("remove-source", "b.md")["outcome"] == "removed"
    assert "git" in {kind["name"] for kind in ingest.json("connect")}


def test_commands_tell_programs_who_may_read(ingest: Command) -> None:
    """Spaces, lists of people, and accounts."""
    made = ingest.json("space", "add", "Board", "--grant", "external:drive:anna")
    assert made == {
        "name": "Board",
        "outcome": "added",
        "readers": ["external:drive:anna"],
        "unknown": ["external:drive:anna"],
    }
    assert ingest.json("space", "add", "Board")["outcome"] == "unchanged"
    members = ingest.json("space", "members", "staff", "--add", "7", "--add", "8")
    assert members == {"list": "staff", "members": [7, 8]}
    accounts = ingest.json("accounts", "7", "--add", "external:drive:anna")
    assert accounts == {"user_id": 7, "accounts": ["external:drive:anna"]}
    assert ingest.json("space", "remove", "Board")["outcome"] == "removed"


@pytest.mark.costs("commands at a terminal start unforked")
def test_sync_is_offered_at_a_terminal(ingest: Command, tmp_path: Path) -> None:
    """Whoever says yes needs no second command; who pasted the next command is not asked."""
    ingest = ingest.without_model()
    write(tmp_path / "a.md", "# A\n\nWords of a.")
    line = ["ingest.cli", "add-source", "a.md"]
    with at_terminal(line, ingest.environment, tmp_path) as terminal:
        terminal.until("Read it now? [Y/n]")
        terminal.type("\n")
        terminal.until("1 new")
        assert terminal.end() == 0
    with at_terminal([*line, "--internal"], ingest.environment, tmp_path) as terminal:
        terminal.type("ingest list\n")
        terminal.until("already registered, updated")
        assert terminal.end() == 0


def test_ingest_shows_what_is_stored_as_text(ingest: Command, tmp_path: Path) -> None:
    """A person reads the same in lines; an empty library says what to type."""
    ingest = ingest.without_model()
    for command in ("list", "sync"):
        done = ingest.run(command)
        assert "ingest add-source" in done.stdout + done.stderr
    assert "nothing found" in ingest.run("search", "keys").stdout
    write(tmp_path / "guide.md", "# Guide\n\nHow keys are made.")
    ingest.run("add-source", "guide.md")
    assert "would be 1 new" in ingest.run("sync", "--dry-run").stdout
    assert "1 new" in ingest.run("sync").stdout
    assert "guide.md\tfile\tactive\t1\t1" in ingest.run("list").stdout
    assert "1 active, 0 inactive" in ingest.run("status").stdout
    assert "How keys are made." in ingest.run("search", "keys").stdout


@pytest.mark.req("RAG-5")
def test_ingest_names_what_it_skips_and_what_it_would_do(ingest: Command, tmp_path: Path) -> None:
    """Files by their kind; documents of a dry run by name; `status` tells whose sync it was."""
    ingest = ingest.without_model()
    for name in ("old.md", "kept.md", *(f"{n}.png" for n in range(5)), "compose.yaml", "LICENSE"):
        write(tmp_path / "docs" / name, f"# Title\n\nWords of {name}.")
    ingest.run("add-source", "docs", "--name", "manual")
    first = ingest.run("sync")
    assert "5 png (0.png, 1.png, 2.png, …), 1 without a suffix (LICENSE), 1 yaml (" in first.stderr
    (tmp_path / "docs" / "old.md").unlink()
    write(tmp_path / "docs" / "kept.md", "# Title\n\nOther words.")
    for number in range(25):
        write(tmp_path / "docs" / "new" / f"{number:02}.md", f"# New\n\nWords {number}.")
    lines = ingest.run("sync", "--dry-run").stdout.splitlines()
    named = {line for line in lines if line.endswith(":") or line.startswith("  ")}
    assert named >= {"new:", "changed:", "removed:", "  and 5 more (--json names them all)"}
    assert f"  {(tmp_path / 'docs' / 'old.md').as_uri()}" in named
    planned = ingest.json("sync", "--dry-run")["planned"]
    assert [len(planned[name]) for name in ("new", "changed", "removed")] == [25, 1, 1]
    assert ingest.json("status")["last_sync"]["summary"]["sources"] == ["manual"]
    assert ", manual, done, " in ingest.run("status").stdout


@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.req("RAG-1", "RAG-5")
def test_ingest_leaves_an_inactive_source_out(ingest: Command, tmp_path: Path) -> None:
    """Of sync and of search, until it is activated or removed."""
    ingest = ingest.without_model()
    one = write(tmp_path / "one.md", "# One\n\nKeys of one.")
    two = write(tmp_path / "two.md", "# Two\n\nKeys of two.")
    for file in (one, two):
        ingest.run("add-source", file)
    ingest.run("sync")
    assert ingest.run("deactivate", "one.md").stdout.startswith("inactive: one.md")
    assert ingest.found("keys") == {two.as_uri()}
    write(one, "# One\n\nKeys of one, changed.")
    passed = ingest.run("sync", "--json")
    assert json.loads(passed.stdout)["documents"]["changed"] == 0
    assert "ingest activate" in passed.stderr
    ingest.run("activate", one)
    assert ingest.json("sync", one)["documents"] == {**dict.fromkeys(COUNTS, 0), "changed": 1}
    assert ingest.found("keys") == {one.as_uri(), two.as_uri()}
    assert ingest.run("remove-source", one.as_uri()).stdout.startswith("removed one.md")
    assert ingest.found("keys") == {two.as_uri()}
    assert ingest.rows("SELECT url FROM rag_documents") == [{"url": two.as_uri()}]


@pytest.mark.req("RAG-5")
def test_ingest_keeps_a_page_that_fails_and_forgets_one_that_is_gone(
    ingest: Command, site: Site
) -> None:
    """A 500 is listed, and its last version still answers; a 404 removes it."""
    ingest = ingest.without_model()
    failing = site.publish("/failing", "# Failing\n\nKeys of the failing page.")
    gone = site.publish("/gone", "# Gone\n\nKeys of the page that goes.")
    ingest.run("add-source", failing)
    ingest.run("add-source", gone)
    ingest.run("sync")
    assert ingest.found("keys") == {failing, gone}
    site.publish("/failing", "busy", status=500)
    site.publish("/gone", "gone", status=404)
    done = ingest.run("sync")
    assert f"failed: {failing}: " in done.stderr
    assert "500" in done.stderr
    assert "1 removed, 1 failed" in done.stdout
    assert ingest.found("keys") == {failing}
    (listed,) = ingest.json("status")["failing"]
    assert (listed["url"], "500" in listed["reason"]) == (failing, True)


def test_sync_and_status_say_what_was_not_read(ingest: Command, tmp_path: Path) -> None:
    """By kind, with numbers and addresses; a sync that reads nothing new has nothing to say."""
    ingest = ingest.without_model()
    folder = tmp_path / "manuals"
    folder.mkdir()
    drawing = "".join(f"{n * 10} 100 m {n * 10} 300 l S " for n in range(9))
    for name, drawings in {"a": 1, "b": 2, "c": 3, "whole": 0}.items():
        words = [Words(f"Manual {name} of the pump.", 700)]
        (folder / f"{name}.pdf").write_bytes(Pdf([words, *[drawing] * drawings]).data())
    ingest.run("add-source", str(folder))
    told = "not read: 6 pages without text, in 3 documents"
    done = ingest.run("sync")
    assert "4 new" in done.stdout
    (line,) = [one for one in done.stderr.splitlines() if one.startswith("not read: ")]
    assert line == told
    assert (
        f"  {(folder / 'a.pdf').as_uri()}, {(folder / 'b.pdf').as_uri()} and 1 more" in done.stderr
    )
    assert "not read" not in ingest.run("sync").stderr
    (source,) = ingest.json("list")
    assert (source["documents"], source["incomplete"]) == (4, 3)
    status = ingest.json("status")["unread"]
    assert [(one["kind"], one["parts"], one["documents"]) for one in status] == [("page", 6, 3)]
    assert "6 pages without text, in 3 documents, such as file:" in ingest.run("status").stdout


@pytest.mark.costs("it runs commands as processes of their own")
def test_folder_with_mails_and_archives_is_read_file_by_file(
    ingest: Command, tmp_path: Path
) -> None:
    """Attachments and packed files are sections of what holds them; the rest is counted."""
    ingest = ingest.without_model()
    folder = tmp_path / "post"
    folder.mkdir()
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ann@x.example", "bob@x.example", "Offer"
    mail.set_content("The bilge pump costs 640 euros.", cte="base64")
    mail.add_attachment(b"# Terms\n\nPay within a fortnight.", "text", "markdown", filename="t.md")
    mail.add_attachment(b"\xff\xd8\xff" + bytes(99), "image", "jpeg", filename="photo.jpg")
    (folder / "offer.eml").write_bytes(mail.as_bytes())
    streams = outlook_mail("Reply", "We take the capstan.", attachments={"n.txt": b"By Thursday."})
    (folder / "reply.msg").write_bytes(compound_file(streams))
    packed: dict[str, str | bytes] = {
        "a/plan.md": "# Plan\n\nPaint the dinghy.",
        "b.docx": docx(word_paragraph("Oars.")),
    }
    (folder / "packed.zip").write_bytes(archive(packed))
    ingest.run("add-source", str(folder))
    done = ingest.run("sync")
    assert "3 new" in done.stdout
    assert "not read: 1 attachment" in done.stderr
    sections = {
        (Path(row["url"]).name, row["section"])
        for row in ingest.rows(
            "SELECT url, section FROM rag_chunks AS chunk "
            "JOIN rag_documents AS document ON document.id = document_id"
        )
    }
    assert sections >= {("offer.eml", "t.md > Terms"), ("reply.msg", "n.txt")}
    assert {"a/plan.md > Plan", "b.docx"} <= {name for _, name in sections}
    assert {Path(url).name for url in ingest.found("fortnight")} == {"offer.eml"}
    assert {Path(url).name for url in ingest.found("dinghy")} == {"packed.zip"}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["add-source", "no/such/folder"], 1, "there is no such file or folder"),
        (["add-source", "example.com/docs"], 1, "https://example.com/docs"),
        (["add-source", "ftp://example.com/docs"], 1, "ftp:// are not read"),
        (["add-source", "https://example.com/", "--kind", "folder"], 1, "a folder on this machine"),
        (["add-source", "https://example.com/", "--kind", "book"], 2, "'book' is not one of"),
        (["add-source"], 2, "Missing argument 'TARGET'"),
        (["remove-source", "nobody"], 1, "no source is called nobody"),
        (["activate", "nobody"], 1, "`ingest list` shows them all"),
        (["sync", "nobody"], 1, "no source is called nobody"),
        (["search", "keys", "-k", "0"], 2, "-k"),
        (["search", "keys", "-k", "many"], 2, "-k"),
        (["search", " "], 2, "QUERY"),
        (["learn"], 2, "No such command 'learn'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_ingest_refuses_wrong_input(
    empty_ingest: Command, arguments: list[str], code: int, words: str
) -> None:
    """It says on stderr what is wrong; 1 if it could not be done, 2 if it was not understood."""
    done = empty_ingest.run(*arguments, expect=code)
    assert words in done.stderr
    assert done.stdout == ""


@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.req("RAG-1", "RAG-5")
def test_ingest_follows_a_sitemap(ingest: Command, site: Site) -> None:
    """Pages that the patterns allow; one no longer named is forgotten, unless a part fails."""
    ingest = ingest.without_model()
    kept, gone = (site.publish(f"/docs/{n}", f"# Page {n}\n\nKeys of {n}.") for n in "ab")
    other = site.publish("/blog/c", "# Post\n\nKeys of a post.")
    site.publish("/sitemap.xml", sitemap_index(f"{site.url}/docs.xml", f"{site.url}/blog.xml"))
    site.publish("/docs.xml", sitemap(kept, gone))
    site.publish("/blog.xml", sitemap(other))
    target = f"{site.url}/sitemap.xml"
    ingest.run("add-source", target, "--include", "docs/**", "--include", "blog/**")
    assert ingest.json("sync")["documents"]["new"] == 3
    site.publish("/docs.xml", sitemap(kept))
    site.publish("/blog.xml", "busy", status=503)
    failed = ingest.json("sync")
    assert (failed["documents"]["removed"], failed["documents"]["failed"]) == (0, 1)
    assert ingest.found("keys") == {kept, gone, other}
    site.publish("/blog.xml", sitemap(other))
    ingest.run("add-source", target, "--include", "", "--exclude", "blog/*", "--depth", "1")
    (source,) = ingest.json("list")
    assert (source["include"], source["exclude"], source["depth"]) == ([], ["blog/*"], 1)
    assert "--exclude blog/*" in ingest.run("list").stdout
    assert ingest.json("sync")["documents"]["removed"] == 2
    assert ingest.found("keys") == {kept}


def test_ingest_reads_public_addresses_only(ingest: Command, site: Site) -> None:
    """A page of the machine itself is refused until its host is listed."""
    ingest = ingest.without_model()
    page = site.publish("/page", "# Page\n\nKeys.")
    ingest.run("add-source", page)
    done = ingest.having(INTRANET_HOSTS="").run("sync", expect=1)
    assert f"failed: {page}: " in done.stderr
    assert "set INTRANET_HOSTS=127.0.0.1" in done.stderr
    assert site.requests == 0
    ingest.run("sync")
    assert ingest.found("keys") == {page}


def test_ingest_respects_robots_unless_told_otherwise(ingest: Command, site: Site) -> None:
    """The reason says how to read the page all the same."""
    ingest = ingest.without_model()
    site.publish("/robots.txt", "User-agent: *\nDisallow: /")
    page = site.publish("/page", "# Page\n\nKeys.")
    ingest.run("add-source", page)
    assert "set RESPECT_ROBOTS=false" in ingest.run("sync", expect=1).stderr
    ingest.having(RESPECT_ROBOTS="false").run("sync")
    assert ingest.found("keys") == {page}


def test_ingest_without_a_key_names_the_setting(ingest: Command, tmp_path: Path) -> None:
    """A command that embeds needs the key, everything else does not."""
    write(tmp_path / "a.md", "# A\n\nHow keys are made.")
    ingest = ingest.having(OPENAI_API_KEY="")
    ingest.run("add-source", "a.md")
    for command in (["sync"], ["search", "keys"]):
        done = ingest.run(*command, expect=1)
        assert "OPENAI_API_KEY" in done.stderr
    assert ingest.json("list")[0]["documents"] == 0
    assert ingest.json("sync", "--dry-run")["documents"]["new"] == 1


def test_ingest_without_a_model_needs_no_key(ingest: Command, tmp_path: Path) -> None:
    """EMBEDDING_MODEL=none: full text, and nothing is called."""
    write(tmp_path / "a.md", "# A\n\nHow keys are made.")
    ingest = ingest.without_model().having(OPENAI_API_KEY="")
    ingest.run("add-source", "a.md")
    report = ingest.json("sync")
    assert (report["documents"]["new"], report["embedding_calls"]) == (1, 0)
    (found,) = ingest.json("search", "making a key")
    assert found["content"] == "How keys are made."
    assert ingest.json("status")["embedding_model"] is None


def test_ingest_over_a_database_without_tables_says_how_to_make_them(
    empty_ingest: Command, empty_database_url: str
) -> None:
    """Nothing is created in passing."""
    done = empty_ingest.having(DATABASE_URL=empty_database_url).run("list", expect=1)
    assert "rich-agent migrate" in done.stderr


def test_ingest_without_a_database_says_which(empty_ingest: Command) -> None:
    """A server that is not there is named, without its password."""
    url = "postgresql://me:secret-word@127.0.0.1:1/none"
    done = empty_ingest.having(DATABASE_URL=url).run("list", expect=1)
    assert "127.0.0.1" in done.stderr
    assert "secret-word" not in done.stderr


@pytest.mark.costs("it runs the command four times")
def test_ingest_reads_scans_within_its_setting(
    ingest: Command, sandbox: RunningSandbox, tmp_path: Path
) -> None:
    """Without it, the sync says what to set; with it, what was read can be found with its page."""
    drawing = "".join(f"{n * 10} 100 m {n * 10} 300 l S " for n in range(9))
    ingest = ingest.having(OCR_LANGUAGES="none")
    (tmp_path / "scan.pdf").write_bytes(Pdf([[Words("A fee.", 700)], drawing]).data())
    ingest.run("add-source", "scan.pdf")
    told = ingest.run("sync").stderr
    assert "not read: 1 page without text" in told
    assert "set INGEST_SCANNED_PAGES" in told
    assert "to have OCR read them on this machine, take `none` out of OCR_LANGUAGES" in told
    fault = {
        "upstream": "openai",
        "kind": "scripted",
        "method": "chat.completions",
        "containing": ["Transcribe this page"],
        "text": json.dumps({"answer": "The crossing costs 14 euros."}),
    }
    assert httpx.post(f"{sandbox.url}/sim/faults", json=fault).status_code == 200
    done = ingest.having(INGEST_SCANNED_PAGES="5", VISION_MODEL="sandbox-vision").run("sync")
    assert "1 page without text read in 1 vision call" in done.stdout
    assert "not read" not in done.stderr
    found = [hit for hit in ingest.json("search", "crossing") if "14 euros" in hit["content"]]
    assert [hit["link"].rpartition("#")[2] for hit in found] == ["page=2"]
