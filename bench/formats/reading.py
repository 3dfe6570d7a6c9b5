"""Runs a reader over files in a process of its own, which may crash or hang."""

import json
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.formats.readers import READERS
from bench.peers import ROOT, peer_python

DEADLINE_S = 30
"""A reader that takes longer has failed for that file."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Result for a file: its text, or the reason why there is none.

    `missing` counts the parts that the reader says it did not read, None if it never says that.
    """

    text: str = ""
    error: str = ""
    missing: dict[str, int] | None = None
    seconds: float = 0.0
    memory_mb: int = 0


@dataclass(slots=True)
class Worker:
    """A process that reads with one reader, started again after it crashed or was ended."""

    name: str
    _process: subprocess.Popen[str] | None = field(default=None, init=False)

    def read(self, document: Path) -> Reading:
        """Read a file, within the deadline."""
        process = self._process = self._process or self._started()
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{json.dumps(str(document))}\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], DEADLINE_S)
        line = process.stdout.readline() if ready else ""
        if not line:
            self.close()
            return Reading(error="it crashed" if ready else f"it took more than {DEADLINE_S} s")
        answer: dict[str, Any] = json.loads(line)
        return Reading(**answer)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[str]:
        python = sys.executable if READERS[self.name].is_ours else peer_python()
        return subprocess.Popen(
            [python, "-m", "bench.formats.worker", self.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
        )


def read_all(name: str, documents: Sequence[Path]) -> Iterator[tuple[Path, Reading]]:
    """Read files with one reader; the first one is read twice, since libraries load then."""
    worker = Worker(name)
    try:
        for document in documents[:1]:
            worker.read(document)
        for document in documents:
            yield document, worker.read(document)
    finally:
        worker.close()
