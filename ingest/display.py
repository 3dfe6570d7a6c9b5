"""Shows what commands found: tables and a progress bar to a person, plain lines to a program."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.table import Table

from ingest.registry import SourceOverview
from ingest.report import SyncReport
from ingest.sources import Source
from rich_agent.domain.passage import Passage
from rich_agent.domain.text import shorten

_FAILURES_SHOWN = 20
_CONTENT_SHOWN = 300


def show_sources(overviews: Sequence[SourceOverview]) -> None:
    """One line for each source; a hint when there is none."""
    if not overviews:
        typer.echo(NOTHING_REGISTERED)
        return
    rows = [
        [
            *(one.source.id, one.source.name, one.source.type, _state(one.source)),
            *(str(one.documents), str(one.chunks), _moment(one.last_synced_at)),
            one.source.root_url,
        ]
        for one in overviews
    ]
    _show_table(["id", "name", "type", "state", "documents", "chunks", "synced", "root"], rows)


def show_status(status: dict[str, Any]) -> None:
    """The counts, the last sync, and what fails."""
    sources, last = status["sources"], status["last_sync"]
    model = status["embedding_model"]
    lines = [
        f"sources    {sources['active']} active, {sources['inactive']} inactive",
        f"documents  {status['documents']}",
        f"chunks     {status['chunks']}",
        f"vectors    {status['chunks_embedded']} of {model}" if model else "vectors    none",
        f"last sync  {last['started_at']}, {last['status']}" if last else "last sync  never",
    ]
    lines += [f"failing    {one['url']}: {one['reason']}" for one in status["failing"]]
    typer.echo("\n".join(lines))


def show_passages(passages: Sequence[Passage]) -> None:
    """The passages with their places, best first."""
    if not passages:
        typer.echo("nothing found in the active sources")
    for rank, passage in enumerate(passages, start=1):
        typer.echo(f"{rank}. {passage.score:.3f}  {passage.section}  [{passage.id}]")
        typer.echo(f"   {passage.link}")
        typer.echo(f"   {shorten(passage.content, _CONTENT_SHOWN)}\n")


def show_report(report: SyncReport, *, dry_run: bool) -> None:
    """What a sync did, and the failures with their reasons."""
    documents, chunks = report.documents, report.chunks
    typer.echo(
        f"{'would be ' if dry_run else ''}"
        f"{documents.new} new, {documents.changed} changed, {documents.unchanged} unchanged, "
        f"{documents.removed} removed, {documents.failed} failed; "
        f"chunks: {chunks.embedded} embedded, {chunks.kept} kept, {chunks.removed} removed; "
        f"{report.embedding_calls} embedding calls, {report.seconds:.1f} s"
    )
    for failure in report.failures[:_FAILURES_SHOWN]:
        typer.echo(f"failed: {failure.url}: {failure.reason}", err=True)
    if len(report.failures) > _FAILURES_SHOWN:
        typer.echo(f"... and {len(report.failures) - _FAILURES_SHOWN} more (--json)", err=True)


NOTHING_REGISTERED = (
    "no sources yet: register one with `ingest add-source TARGET`, then run `ingest sync`"
)


class TerminalProgress:
    """Implements `sync.Progress` on stderr: a bar on a terminal, else a line for each source."""

    def __init__(self, bar: Progress | None) -> None:
        self._bar = bar
        self._task: TaskID | None = None

    def begin(self, source: Source, documents: int) -> None:
        """See `sync.Progress.begin`."""
        if self._bar is None:
            typer.echo(f"{source.name}: {documents} documents", err=True)
        else:
            self._task = self._bar.add_task(source.name, total=documents)

    def advance(self, documents: int) -> None:
        """See `sync.Progress.advance`."""
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task, documents)

    def wait(self) -> None:
        """Say that another sync must end first."""
        typer.echo("another sync is running; waiting until it has ended", err=True)


@contextmanager
def open_progress() -> Iterator[TerminalProgress]:
    """Progress as stderr can show it."""
    if not sys.stderr.isatty():
        yield TerminalProgress(None)
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield TerminalProgress(bar)


def _show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if not sys.stdout.isatty():
        typer.echo("\n".join("\t".join(row) for row in [columns, *rows]))
        return
    table = Table(*columns)
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def _state(source: Source) -> str:
    return f"{source.status}, internal" if source.internal else source.status


def _moment(at: datetime | None) -> str:
    return at.astimezone().strftime("%Y-%m-%d %H:%M") if at else "never"
