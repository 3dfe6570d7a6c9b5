"""Shows the progress of a sync on stderr: a bar on a terminal, else occasional lines."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from rich_agent.domain.text import counted, printable
from rich_agent.terminal.console import err

_LINE_EVERY_S = 10.0


class ProgressBar:
    """Implements `SyncProgress` on a terminal."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task: TaskID | None = None

    def begin(self, name: str, number: int, noun: str = "document") -> None:  # noqa: ARG002 - a bar has no room for it
        """See `SyncProgress.begin`."""
        self._task = self._bar.add_task(
            escape(printable(name)), total=number, chunks=0, expected=0, tokens=0, rate=0.0
        )

    def expect(self, chunks: int) -> None:
        """See `SyncProgress.expect`."""
        if self._task is not None:
            total = self._bar.tasks[self._task].fields["expected"] + chunks
            self._bar.update(self._task, expected=total)

    def advance(self, *, documents: int = 0, chunks: int = 0, tokens: int = 0) -> None:
        """See `SyncProgress.advance`."""
        if self._task is None:
            return
        task = self._bar.tasks[self._task]
        total = task.completed + documents
        self._bar.update(
            self._task,
            advance=documents,
            chunks=task.fields["chunks"] + chunks,
            tokens=task.fields["tokens"] + tokens,
            rate=total / task.elapsed if task.elapsed else 0.0,
        )

    def say(self, words: str) -> None:
        """See `SyncProgress.say`."""
        self._bar.console.print(Text(printable(words)))


class ProgressLines:
    """Implements `SyncProgress` without a terminal; `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._name = self._noun = ""
        self._total = self._documents = self._chunks = self._expected = self._tokens = 0
        self._began = self._spoke = 0.0

    def begin(self, name: str, number: int, noun: str = "document") -> None:
        """See `SyncProgress.begin`."""
        self._name, self._total, self._noun = name, number, noun
        self._documents = self._chunks = self._expected = self._tokens = 0
        self._began = self._spoke = self._clock()
        self.say(f"{name}: {counted(number, noun)}")

    def expect(self, chunks: int) -> None:
        """See `SyncProgress.expect`."""
        self._expected += chunks

    def advance(self, *, documents: int = 0, chunks: int = 0, tokens: int = 0) -> None:
        """See `SyncProgress.advance`."""
        self._documents += documents
        self._chunks += chunks
        self._tokens += tokens
        now = self._clock()
        if now - self._spoke >= _LINE_EVERY_S:
            self._spoke = now
            rate = self._documents / (now - self._began)
            self.say(
                f"{self._name}: {self._documents:,} of {counted(self._total, self._noun)}, "
                f"{rate:.1f} in a second; "
                f"{self._chunks:,} of {self._expected:,} embedded "
                f"({counted(self._tokens, 'token')})"
            )

    def say(self, words: str) -> None:
        """See `SyncProgress.say`."""
        err(words)


@contextmanager
def open_progress() -> Iterator[ProgressBar | ProgressLines]:
    """Open a progress display: a bar on a terminal, else lines."""
    if not sys.stderr.isatty():
        yield ProgressLines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]:.1f}/s"),
        TextColumn("{task.fields[chunks]:,} of {task.fields[expected]:,} embedded"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield ProgressBar(bar)
