"""Syncs of connected services that are killed at random moments: `python -m bench.rights.killing`.

A service is filled, then changed; each time syncs are killed, and one goes to its end. Then the
database is compared with one of which no sync was killed. At each kill it is looked at whether a
document has another place, or is another document, than the service said last, and whether Bob
finds what he may not read.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row

from bench.rights.services import BOB, SERVICES, Service
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.settings.settings import all_settings
from tests.database import PostgresServer, temporary_data_dir
from tests.forking import ForkedProcess, Launch, run_to_end

_DEADLINE_S = 120.0
_KEY = "kW0Zr1oJtC0u3mJm3yq2mU2b1y0mJ2m4m8b1e7l2p9A="
_SOURCE = "team"
_LEFT: Mapping[str, LiteralString] = {
    "documents": """
    SELECT url, identity, title, raw_hash, etag, chunk_count, key, principals
    FROM rag_documents AS document LEFT JOIN rag_places AS place ON place.id = place_id
    LEFT JOIN LATERAL (
        SELECT array_agg(name ORDER BY name) AS principals
        FROM rag_audiences AS audience JOIN rag_principals AS one ON one.id = ANY(principals)
        WHERE audience.id = audience_id
    ) AS readers ON true
    ORDER BY url
    """,
    "chunks": "SELECT id, section, link, chunk_index, content FROM rag_chunks ORDER BY id",
    "entries": "SELECT key, url, version, place, problem FROM rag_entries ORDER BY key",
    "listing": "SELECT is_whole FROM rag_connections",
}
"""The rows that one sync leaves; ids that are counted, and times, are left out."""
_WRONG: LiteralString = """
SELECT document.url FROM rag_documents AS document
JOIN rag_entries AS entry ON (entry.source_id, entry.url) = (document.source_id, document.url)
LEFT JOIN rag_places AS place ON place.id = document.place_id
WHERE place.key <> entry.place OR document.identity <> document.source_id || ' ' || entry.key
"""
_FOUND_BY: LiteralString = """
SELECT document.title FROM rag_documents AS document
JOIN rag_places AS place ON place.id = place_id
JOIN rag_audiences AS audience ON audience.id = audience_id
JOIN rag_principals AS reader ON reader.id = ANY(principals)
WHERE reader.name = %s
"""


@dataclass(frozen=True, slots=True)
class Library:
    """A database and a folder into which `ingest` reads a service."""

    url: str
    folder: Path
    environment: Mapping[str, str]

    def run(self, *arguments: str) -> None:
        """Run a command to its end."""
        line = ["ingest.cli", *arguments]
        done = run_to_end(line, self.environment, self.folder, deadline_s=_DEADLINE_S)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"

    def begin(self) -> ForkedProcess:
        """Begin a sync."""
        silence = Path("/dev/null")
        return ForkedProcess(Launch(["ingest.cli", "sync"], self.environment, silence, silence))

    def rows(self, query: LiteralString, *values: object) -> list[dict[str, Any]]:
        """The rows that a query finds."""
        with psycopg.connect(self.url, row_factory=dict_row) as connection:
            return connection.execute(query, values).fetchall()

    def left(self) -> dict[str, list[dict[str, Any]]]:
        """All that syncs left."""
        return {name: self.rows(query) for name, query in _LEFT.items()}


@contextmanager
def library(
    server: PostgresServer, template: str, folder: Path, service: Service
) -> Iterator[Library]:
    """A library that is connected with a service and has read nothing."""
    folder.mkdir()
    secret = folder / "secret"
    secret.write_text(service.secret, "utf-8")
    base = {name: value for name, value in os.environ.items() if name not in all_settings()}
    with server.database(template) as url:
        own = {"DATABASE_URL": url, "CREDENTIALS_KEY": _KEY, "DATA_DIR": str(folder)}
        own |= {"EMBEDDING_MODEL": "none", "INTRANET_HOSTS": "127.0.0.1"}
        made = Library(url, folder, {**base, **own})
        made.run("connect", *service.connect, "--name", _SOURCE, "--secret-file", str(secret))
        yield made


@dataclass(slots=True)
class Killings:
    """Kills of the syncs of a service that has so many notes; what went wrong is in `wrong`."""

    service: Service
    random: Random
    notes: int
    kills: int
    killed: int = 0
    wrong: list[str] = field(default_factory=list)

    def disturb(self, disturbed: Library, undisturbed: Library) -> None:
        """Fill and change the service; compare what both libraries hold after one sync each."""
        for step in (self._fill, self._change):
            step()
            self.service.settle()
            began = time.monotonic()
            undisturbed.run("sync")
            lasts_s = time.monotonic() - began
            for _ in range(self.kills // 2):
                self._kill(disturbed, self.random.uniform(0, lasts_s))
            disturbed.run("sync")
            left, expected = disturbed.left(), undisturbed.left()
            self.wrong += [f"{name} differ" for name in expected if left[name] != expected[name]]

    def _fill(self) -> None:
        for number in range(self.notes):
            self.service.write(number, _text(number, "first"))
            if self.service.hide and _is_secret(number):
                self.service.hide(number)

    def _change(self) -> None:
        numbers = [number for number in range(self.notes) if not _is_secret(number)]
        self.random.shuffle(numbers)
        few = max(1, self.notes // 10)
        for at, number in enumerate(numbers[: 4 * few]):
            if at < few:
                self.service.write(number, _text(number, "second"))
            elif at < 2 * few:
                self.service.rename(number)
            elif at < 3 * few:
                self.service.delete(number)
            elif self.service.hide:
                self.service.hide(number)
        self.service.write(self.notes, _text(self.notes, "late"))

    def _kill(self, disturbed: Library, after_s: float) -> None:
        process = disturbed.begin()
        try:
            process.wait(after_s)
        except TimeoutError:
            self.killed += 1
        process.kill()
        process.wait(_DEADLINE_S)
        self.wrong += [f"{row['url']} is not where it was" for row in disturbed.rows(_WRONG)]
        found = {row["title"] for row in disturbed.rows(_FOUND_BY, f"external:{_SOURCE}:{BOB}")}
        secret = {f"Note {number}" for number in filter(_is_secret, range(self.notes))}
        self.wrong += [f"Bob finds {title}" for title in found & secret]


def _is_secret(number: int) -> bool:
    """Whether Bob may never read it, where the service knows rights."""
    return number % 5 == 0


def _text(number: int, edition: str) -> str:
    return f"# Note {number}\n\nWords of the {edition} edition of note {number}.\n"


def main() -> None:
    """Kill syncs of every kind, with databases of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=SERVICES, default=list(SERVICES))
    parser.add_argument("--notes", type=int, default=400)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wrong = 0
    with (
        temporary_data_dir() as data,
        EmbeddedPostgres(data) as postgres,
        TemporaryDirectory() as directory,
    ):
        folder, server = Path(directory), PostgresServer(postgres.url)
        template = server.migrated_template()
        for kind in given.kinds:
            with SERVICES[kind](folder / kind) as service:
                random = Random(given.seed)  # noqa: S311 - the same moments each time
                killings = Killings(service, random, given.notes, given.kills)
                one, other = folder / f"{kind}-one", folder / f"{kind}-other"
                began = time.perf_counter()
                with (
                    library(server, template, one, service) as disturbed,
                    library(server, template, other, service) as undisturbed,
                ):
                    killings.disturb(disturbed, undisturbed)
            print(
                f"{kind:12}{given.notes} documents, {killings.killed} syncs killed, "
                f"{len(killings.wrong)} differences; {time.perf_counter() - began:.0f} s",
                *killings.wrong[:10],
                sep="\n  ",
                flush=True,
            )
            wrong += len(killings.wrong)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
