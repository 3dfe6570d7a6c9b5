"""Results of listing a source and of reading a document."""

from collections import Counter
from dataclasses import dataclass, field

from rich_agent.documents.media import MediaType

_NAMED = 3


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document's raw bytes; `charset` is the one that the server named, if any.

    `name` is its file name or title where the address does not have it.
    """

    url: str
    data: bytes
    media_type: MediaType
    charset: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class NotModified:
    """The server says that the document has not changed."""

    url: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that could not be read; `is_gone` if it is known to have been removed."""

    url: str
    reason: str
    is_gone: bool = False


Outcome = RawDocument | NotModified | Unreadable


@dataclass(frozen=True, slots=True)
class Validators:
    """A page's HTTP validators, with which the server can tell whether it has changed."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(slots=True)
class Skipped:
    """Entries of a source that are not documents: their number by reason, with first examples."""

    counts: Counter[str] = field(default_factory=Counter)
    names: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, name: str) -> None:
        """Count an entry; `reason` follows the number, as in "3 png"."""
        self.counts[reason] += 1
        names = self.names.setdefault(reason, [])
        if len(names) < _NAMED:
            names.append(name)

    def include(self, others: "Skipped") -> None:
        """Count others, too."""
        self.counts += others.counts
        for reason, names in others.names.items():
            examples = self.names.setdefault(reason, [])
            examples += names[: _NAMED - len(examples)]

    @property
    def total(self) -> int:
        """The number of all skipped entries."""
        return self.counts.total()

    def in_words(self) -> str:
        """The reasons, the most frequent first: "2 png (a.png, b.png), 1 yaml (c.yaml)"."""
        return ", ".join(
            f"{count:,} {reason} ({', '.join(self.names[reason])}{', …' * (count > _NAMED)})"
            for reason, count in self.counts.most_common()
        )


@dataclass(frozen=True, slots=True)
class Listing:
    """The distinct addresses of a source's documents.

    If it is not complete, `problem` says why, and no document may be treated as removed.
    """

    urls: tuple[str, ...]
    is_complete: bool
    skipped: Skipped = field(default_factory=Skipped)
    problem: str = ""
