"""What a sync tells while it runs, and what it did: numbers, and failures with reasons."""

from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from ingest.fetch.outcomes import Skipped


class SyncProgress(Protocol):
    """Is told how a sync goes on."""

    def begin(self, name: str, number: int, noun: str = "document") -> None:
        """A source of this name is looked through now, with so many documents, or what else."""
        ...

    def expect(self, chunks: int) -> None:
        """So many more chunks are to be embedded."""
        ...

    def advance(self, *, documents: int = 0, chunks: int = 0, tokens: int = 0) -> None:
        """So many more documents are done, and so much more was embedded."""
        ...

    def say(self, words: str) -> None:
        """Something takes its time."""
        ...


@dataclass(slots=True)
class DocumentCounts:
    """What became of the documents; `failed` counts the entries of `SyncReport.failures`."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: int = 0


@dataclass(slots=True)
class ChunkCounts:
    """Chunks whose text went to the embedding model, that were already there, that are gone."""

    embedded: int = 0
    kept: int = 0
    removed: int = 0


@dataclass(slots=True)
class TokenCounts:
    """Tokens of the texts that went to the embedding model, as estimated."""

    embedded: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A document, or the address of a source, that could not be brought up to date."""

    url: str
    reason: str


@dataclass(slots=True)
class Planned:
    """The addresses of the documents that a sync would store or remove."""

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class SyncReport:
    """The account of what one process did in a sync; it grows while the sync runs.

    `sources` are the names of those that were looked through; `planned` is set by a dry run.
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
        """The failed addresses by their reason, in the order in which the reasons came up."""
        found: dict[str, list[str]] = {}
        for failure in self.failures:
            found.setdefault(failure.reason, []).append(failure.url)
        return found

    def note_skipped(self, name: str, skipped: Skipped) -> None:
        """Name what a source holds that is no document of it."""
        if skipped.total:
            self.notes.append(f"{name}: skipped {skipped.in_words()}")

    def fail(self, url: str, reason: str) -> None:
        """Add a failure."""
        self.failures.append(Failure(url, reason))
        self.documents.failed += 1

    @property
    def is_failure(self) -> bool:
        """Whether nothing succeeded of what was tried, or nothing of what was to be embedded."""
        counts = self.documents
        done = counts.new + counts.changed + counts.unchanged + counts.removed
        nothing_embedded = self.model_is_away and not self.chunks.embedded
        return nothing_embedded or (bool(self.failures) and not done)

    def to_json(self) -> dict[str, Any]:
        """The report as `ingest sync --json` prints it."""
        report = asdict(self)
        del report["model_is_away"]
        if self.planned is None:
            del report["planned"]
        return report
