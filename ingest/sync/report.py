"""Progress of a running sync, and its report: numbers, and failures with reasons."""

from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from rich_agent.documents.fetch.outcomes import Skipped


class SyncProgress(Protocol):
    """Receives the progress of a sync."""

    def begin(self, name: str, number: int, noun: str = "document") -> None:
        """A source with this name and `number` documents (or another `noun`) begins."""
        ...

    def expect(self, chunks: int) -> None:
        """This many more chunks will be embedded."""
        ...

    def advance(self, *, documents: int = 0, chunks: int = 0, tokens: int = 0) -> None:
        """This many more documents are done, and chunks and tokens embedded."""
        ...

    def say(self, words: str) -> None:
        """A message for the person, such as that something takes long."""
        ...


@dataclass(slots=True)
class DocumentCounts:
    """Numbers of documents by result; `failed` is the number of `SyncReport.failures`."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: int = 0


@dataclass(slots=True)
class ChunkCounts:
    """Numbers of chunks that were embedded, kept and removed."""

    embedded: int = 0
    kept: int = 0
    removed: int = 0


@dataclass(slots=True)
class TokenCounts:
    """Estimated tokens of the embedded texts."""

    embedded: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A document, or the address of a source, that could not be updated."""

    url: str
    reason: str


@dataclass(slots=True)
class Planned:
    """The addresses of the documents that a sync would store or remove.

    `opened` are those that somebody more could read, `closed` those that somebody could not any
    more.
    """

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class SyncReport:
    """The report of what one process did in a sync; it grows while the sync runs.

    `sources` are the names of the inspected sources; `planned` is set by a dry run.
    """

    sources: list[str] = field(default_factory=list)
    documents: DocumentCounts = field(default_factory=DocumentCounts)
    chunks: ChunkCounts = field(default_factory=ChunkCounts)
    tokens: TokenCounts = field(default_factory=TokenCounts)
    embedding_calls: int = 0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    planned: Planned | None = None
    model_is_away: bool = False

    def causes(self) -> dict[str, list[str]]:
        """The failed addresses by reason, in order of the first occurrence."""
        causes: dict[str, list[str]] = {}
        for failure in self.failures:
            causes.setdefault(failure.reason, []).append(failure.url)
        return causes

    def note_skipped(self, name: str, skips: Skipped) -> None:
        """Add a note about a source's entries that are not documents."""
        if skips.total:
            self.notes.append(f"{name}: skipped {skips.in_words()}")

    def fail(self, url: str, reason: str) -> None:
        """Add a failure."""
        self.failures.append(Failure(url, reason))
        self.documents.failed += 1

    @property
    def is_failure(self) -> bool:
        """Whether nothing succeeded, or nothing of what had to be embedded was embedded."""
        counts = self.documents
        successes = counts.new + counts.changed + counts.unchanged + counts.removed
        has_no_vectors = self.model_is_away and not self.chunks.embedded
        return has_no_vectors or (bool(self.failures) and not successes)

    def to_json(self) -> dict[str, Any]:
        """The output of `ingest sync --json`."""
        report = asdict(self)
        del report["model_is_away"]
        if self.planned is None:
            del report["planned"]
        return report
