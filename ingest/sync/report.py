"""The progress of a running sync, and its report with counts and failures."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from time import monotonic
from typing import Any, Protocol

from ingest.sync.scans import PageCounts
from rich_agent.documents.fetch.outcomes import Skipped
from rich_agent.documents.registry.outcomes import SourceOutcome, StoredContent, causes_of
from rich_agent.documents.source import Source
from rich_agent.domain.inventory import Inventory

_EXAMPLES = 3


class SyncProgress(Protocol):
    """Receives the progress of a sync."""

    def begin(self, name: str, number: int, noun: str = "document") -> None:
        """Begin a source with this name.

        `number` is its number of documents, or of other things named by `noun`.
        """
        ...

    def expect(self, chunks: int) -> None:
        """Add to the number of chunks that will be embedded."""
        ...

    def advance(self, *, documents: int = 0, chunks: int = 0, tokens: int = 0) -> None:
        """Add to the numbers of processed documents, embedded chunks and embedded tokens."""
        ...

    def say(self, words: str) -> None:
        """Show a message to the person, such as that a document takes long."""
        ...


@dataclass(slots=True)
class DocumentCounts:
    """Numbers of documents by result. `failed` is the number of `SyncReport.failures`."""

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
    """Estimated tokens of the embedded texts, and tokens that the vision model read and wrote."""

    embedded: int = 0
    vision: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A document, or the address of a source, that could not be updated."""

    url: str
    reason: str


@dataclass(slots=True)
class UnreadParts:
    """Parts of one kind that were not read, in the documents that a sync stored.

    `examples`: the addresses of the first of these documents.
    """

    parts: int = 0
    documents: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Planned:
    """The addresses of documents that a sync would change.

    `new`, `changed`, `removed`: documents that the sync would store or remove.
    `opened`: documents that more people could read.
    `closed`: documents that fewer people could read.
    """

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class SyncReport:
    """The report of one process's part in a sync; it grows while the sync runs.

    `sources`: the names of the inspected sources.
    `unread`: what a person sees in the stored documents and was not read, by kind of part.
    `left_out`: the addresses of pages that could be read and are not stored, by the reason.
    `planned`: the result of a dry run, None for a sync.
    """

    sources: list[str] = field(default_factory=list)
    documents: DocumentCounts = field(default_factory=DocumentCounts)
    chunks: ChunkCounts = field(default_factory=ChunkCounts)
    tokens: TokenCounts = field(default_factory=TokenCounts)
    embedding_calls: int = 0
    vision_calls: int = 0
    pages: PageCounts = field(default_factory=PageCounts)
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)
    unread: dict[str, UnreadParts] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    planned: Planned | None = None
    model_is_away: bool = False

    def causes(self) -> dict[str, list[str]]:
        """The failed addresses by reason, in order of the first occurrence."""
        causes: dict[str, list[str]] = {}
        for failure in self.failures:
            causes.setdefault(failure.reason, []).append(failure.url)
        return causes

    def note_skipped(self, source: Source, skips: Skipped) -> None:
        """Add a note about entries of a source that are not documents.

        Of an internal source with patterns, whoever added it named what is read.
        """
        if skips.total and not (source.internal and source.include):
            self.notes.append(f"{source.name}: skipped {skips.in_words()}")

    def note_unread(self, url: str, inventory: Inventory) -> None:
        """Count the parts of a stored document that were not read."""
        for kind, count in inventory.unread.items():
            unread = self.unread.setdefault(kind, UnreadParts())
            unread.parts += count
            unread.documents += 1
            if len(unread.examples) < _EXAMPLES:
                unread.examples.append(url)

    def leave_out(self, url: str, reason: str) -> None:
        """Note a page that is not stored."""
        self.left_out.setdefault(reason, []).append(url)

    def fail(self, url: str, reason: str) -> None:
        """Add a failure."""
        self.failures.append(Failure(url, reason))
        self.documents.failed += 1

    @property
    def is_failure(self) -> bool:
        """Whether nothing succeeded, or no chunk could be embedded though some had to be."""
        document_counts = self.documents
        successes = (
            document_counts.new
            + document_counts.changed
            + document_counts.unchanged
            + document_counts.removed
        )
        has_no_vectors = self.model_is_away and not self.chunks.embedded
        return has_no_vectors or (bool(self.failures) and not successes)

    def to_json(self) -> dict[str, Any]:
        """The output of `ingest sync --json`."""
        report = asdict(self)
        del report["model_is_away"]
        if self.planned is None:
            del report["planned"]
        return report


class ReportPart:
    """The part of a report that one source adds to it, from now on."""

    def __init__(self, report: SyncReport) -> None:
        self._report = report
        self._began = monotonic()
        self._counts = asdict(report.documents)
        self._failures = len(report.failures)
        self._notes = len(report.notes)
        self._left_out = {reason: len(urls) for reason, urls in report.left_out.items()}

    def outcome(
        self, at: datetime, problem: str, content: StoredContent, notes: tuple[str, ...]
    ) -> SourceOutcome:
        """The outcome of the source; `notes` are those that the report gets only in the end."""
        failures = self._report.failures[self._failures :]
        left_out = (
            (url, reason)
            for reason, urls in self._report.left_out.items()
            for url in urls[self._left_out.get(reason, 0) :]
        )
        counts = asdict(self._report.documents)
        return SourceOutcome(
            at=at,
            seconds=round(monotonic() - self._began, 1),
            changes={name: count - self._counts[name] for name, count in counts.items()},
            problem=problem,
            failures=causes_of((failure.url, failure.reason) for failure in failures),
            left_out=causes_of(left_out),
            notes=(*self._report.notes[self._notes :], *notes),
            content=content,
        )
