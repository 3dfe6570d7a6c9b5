"""The connector of docs/how-to/connect-sources.md: installed with pip from the page, and used."""

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typing_extensions import override

from tests.forking import run_to_end
from tests.integration.test_ingest_cli import Command, command
from tests.packages import pip_install
from tests.sandbox_server import RunningSandbox

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "connect-sources.md"
TOKEN = "kept-by-nobody"
_BASIC = "Basic dG9rZW46a2VwdC1ieS1ub2JvZHk="
_FENCE = re.compile(r'^```\w+ title="([\w./]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@dataclass(slots=True)
class Shelf:
    """A server of notes by their ids; it counts how often each was read."""

    address: str = ""
    notes: dict[str, str] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)

    def answer(self, path: str) -> str | None:
        """The body at a path."""
        if path == "/notes.json":
            listed = [{"id": name, "version": str(hash(text))} for name, text in self.notes.items()]
            return json.dumps({"notes": listed})
        name = path.removeprefix("/").removesuffix(".md")
        self.reads.append(name)
        return self.notes.get(name)


@contextmanager
def serving(shelf: Shelf) -> Iterator[None]:
    """The server while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = shelf.answer(self.path)
            if self.headers["Authorization"] != _BASIC:
                body, status = "{}", 401
            else:
                status = 404 if body is None else 200
            data = (body or "{}").encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        @override
        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        shelf.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield
        server.shutdown()
        thread.join()


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    """A shelf with two notes."""
    shelf = Shelf(notes={"leave": "# Leave\n\nLeave needs the green form.", "b": "# B\n\nOther."})
    with serving(shelf):
        yield shelf


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip put the package of the page."""
    folder = tmp_path_factory.mktemp("shelf")
    for path, code in _FENCE.findall(PAGE.read_text("utf-8")):
        file = folder / "source" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, "utf-8")
    return pip_install(folder / "source", folder / "installed")


@pytest.fixture
def ingest(database_url: str, sandbox: RunningSandbox, tmp_path: Path, installed: Path) -> Command:
    """The command in an installation with the package, which loads it."""
    plain = command(database_url, sandbox, tmp_path).without_model()
    path = os.pathsep.join([str(installed), plain.environment["PYTHONPATH"]])
    key = "kW0Zr1oJtC0u3mJm3yq2mU2b1y0mJ2m4m8b1e7l2p9A="
    more = {"CREDENTIALS_KEY": key, "DATA_DIR": str(tmp_path / "data"), "FEATURES_ON": "shelf"}
    return plain.having(PYTHONPATH=path, **more)


def secret_file(folder: Path, secret: str) -> Path:
    """A file with a token."""
    file = folder / "token"
    file.write_text(secret, "utf-8")
    return file


@pytest.mark.costs("each command is a process of its own")
def test_package_outside_the_tree_reads_a_service(
    ingest: Command, shelf: Shelf, tmp_path: Path
) -> None:
    """Its options are listed, its token is tried, and its documents are kept in step."""
    assert "shelf (asks for: token)\n  address, required" in ingest.run("connect").stdout
    line = ["connect", "shelf", shelf.address, "--name", "shelf", "--secret-file"]
    refused = ingest.run(*line, secret_file(tmp_path, "wrong"), expect=1)
    assert "Make a new token" in refused.stderr
    done = ingest.run(*line, secret_file(tmp_path, TOKEN))
    assert "2 notes can be read" in done.stdout
    ingest.run("sync")
    assert ingest.found("green form") == {f"{shelf.address}/leave.md"}
    del shelf.notes["b"]
    shelf.notes["leave"] = "# Leave\n\nLeave needs the yellow form."
    shelf.reads.clear()
    ingest.run("sync")
    assert shelf.reads == ["leave"]
    assert ingest.found("yellow form") == {f"{shelf.address}/leave.md"}
    assert [row["url"] for row in ingest.rows("SELECT url FROM rag_documents")] == [
        f"{shelf.address}/leave.md"
    ]


def test_connector_of_another_package_is_not_loaded_unasked(ingest: Command, shelf: Shelf) -> None:
    """Only FEATURES_ON loads it; FEATURES_OFF leaves out what the project ships."""
    silent = ingest.having(FEATURES_ON="", FEATURES_OFF="s3,git")
    listing = silent.run("connect").stdout
    assert "webdav (asks for" in listing
    assert not {"shelf", "s3", "git"} & {line.split(" ")[0] for line in listing.splitlines()}
    unknown = silent.run("connect", "shelf", shelf.address, expect=1)
    assert "shelf cannot be connected" in unknown.stderr


def test_connector_that_breaks_is_named_by_doctor(ingest: Command, tmp_path: Path) -> None:
    """With its reason; the others are listed, and can be connected."""
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "shelf.py").write_text("raise RuntimeError('no notes today')", "utf-8")
    path = os.pathsep.join([str(broken), ingest.environment["PYTHONPATH"]])
    told = ingest.having(PYTHONPATH=path)
    assert "webdav (asks for" in told.run("connect").stdout
    line = ["rich_agent.cli", "doctor", "--json"]
    done = run_to_end(line, told.environment, told.folder, deadline_s=60.0)
    results = {one["name"]: one for one in json.loads(done.stdout)}
    assert results["connector shelf"]["level"] == "warn"
    assert "no notes today" in results["connector shelf"]["detail"]
    assert "webdav" in results["connectors"]["detail"]
