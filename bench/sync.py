"""`ingest sync` compared with LangChain's index(): `python -m bench.sync [DOCUMENTS]`.

Markdown documents in a folder, the sandbox's embedding endpoint, one PostgreSQL: the first sync,
one with nothing changed, and one with a sentence more in 1 % of the documents. Each sync is a
process of its own; "seconds" begin where it begins to sync, "process" counts its start too.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import psycopg

from bench.ingesting import Sync, add_folder, ingest_settings, sync_sources
from bench.measured import run_measured
from bench.peers import ROOT, peer_python
from bench.programs import running_program
from bench.prose import Prose, read_prose
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.migration import migrate
from tests.database import temporary_data_dir

MODEL = "sandbox-embedding"
DIMENSIONS = 1536
CHANGED = 100  # one document in so many


@dataclass(frozen=True, slots=True)
class Bench:
    """The folder, the databases and the model server of both."""

    folder: Path
    server: EmbeddedPostgres
    upstream: str

    def ours(self) -> Sync:
        """`ingest sync`."""
        return sync_sources(self._settings())

    def peers(self) -> Sync:
        """LangChain's index()."""
        task = {
            "folder": str(self.folder),
            "database_url": self.server.url("peer").replace("://", "+psycopg://", 1),
            "openai_base_url": f"{self.upstream}/v1",
            "model": MODEL,
        }
        command = [str(peer_python()), "-m", "bench.langchain_sync", json.dumps(task)]
        measured = run_measured(command, os.environ | {"PYTHONWARNINGS": "ignore"})
        report = json.loads(measured.output)
        return Sync(report["seconds"], report["embedded"], measured)

    def prepare(self) -> None:
        """Make both databases, and register the folder."""
        migrate(self.server.url(), self.server.url())
        with psycopg.connect(self.server.url(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE peer")
        add_folder(self.folder, self._settings())

    def _settings(self) -> Mapping[str, str]:
        return ingest_settings(self.server.url(), f"{self.upstream}/v1", MODEL, DIMENSIONS)


@contextmanager
def running_sandbox() -> Iterator[str]:
    """The stand-in of the model server; its address."""
    command = ["-m", "rich_agent_sandbox.cli", "--port", "0"]
    with running_program(command, ready="sandbox at ") as program:
        yield program.ready_line.removeprefix("sandbox at ")


def write_documents(prose: Prose, folder: Path, documents: int) -> None:
    """Write the documents as they are at first, a hundred to a folder."""
    for number in range(documents):
        path = _path(folder, number)
        path.parent.mkdir(exist_ok=True)
        path.write_text(prose.document(number), encoding="utf-8")


def change_documents(prose: Prose, folder: Path, documents: int) -> None:
    """Change one document in a hundred."""
    for number in range(0, documents, CHANGED):
        _path(folder, number).write_text(prose.document(number, version=1), encoding="utf-8")


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number // 100:04}" / f"{number:06}.md"


def main() -> None:
    """Print a table: three syncs of each."""
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    prose = read_prose([ROOT / "docs", ROOT / "sample"])
    with (
        temporary_data_dir() as data,
        EmbeddedPostgres(Path(data) / "data") as server,
        running_sandbox() as upstream,
    ):
        bench = Bench(Path(data) / "documents", server, upstream)
        bench.folder.mkdir()
        write_documents(prose, bench.folder, documents)
        bench.prepare()
        heading = f"{documents:,} documents, {DIMENSIONS} dimensions"
        print(f"{heading:44}{'seconds':>9}{'process':>9}{'peak MB':>9}{'embedded':>10}")
        for change in ("first", "nothing changed", "1 % changed"):
            if change == "1 % changed":
                change_documents(prose, bench.folder, documents)
            _print("ingest sync", change, bench.ours)
            _print(f"LangChain {version('langchain-core')} index()", change, bench.peers)


def _print(name: str, change: str, sync: Callable[[], Sync]) -> None:
    done = sync()
    times = f"{done.seconds:9.2f}{done.measured.seconds:9.2f}"
    memory = f"{done.measured.peak_mb:9.0f}"
    print(f"{f'{name}, {change}':44}{times}{memory}{done.embedded:10}", flush=True)


if __name__ == "__main__":
    main()
