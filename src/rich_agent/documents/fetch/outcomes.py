"""Results of listing a source and of reading a document."""

from collections import Counter
from dataclasses import dataclass, field

from rich_agent.documents.media import MediaType

_NAMED = 3


@dataclass(frozen=True, slots=True)
class RawDocument:
    """The raw bytes of a document."""

    url: str
    data: bytes
    media_type: MediaType
    charset: str | None = None
    """Charset that the server named, if any."""
    etag: str | None = None
    last_modified: str | None = None
    name: str = ""
    """File name or title, if the address does not contain it."""
    is_noindex: bool = False
    """Whether the server says that programs may not index it."""


@dataclass(frozen=True, slots=True)
class NotModified:
    """The server says that the document has not changed."""

    url: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that could not be read; `is_gone` tells that it was removed."""

    url: str
    reason: str
    is_gone: bool = False


Outcome = RawDocument | NotModified | Unreadable


@dataclass(frozen=True, slots=True)
class Validators:
    """HTTP validators of a page, by which the server tells whether the page has changed."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(slots=True)
class Skipped:
    """Entries of a source that are no documents: their number by reason, and first examples."""

    counts: Counter[str] = field(default_factory=Counter)
    names: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, name: str) -> None:
        """Count an entry; `reason` follows the number, as in "3 png"."""
        self.counts[reason] += 1
        file_names = self.names.setdefault(reason, [])
        if len(file_names) < _NAMED:
            file_names.append(name)

    def include(self, others: "Skipped") -> None:
        """Add the entries of another count."""
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

    If the listing is not complete, no document counts as removed. `problem` tells why, "" if the
    source never names all its documents.
    """

    urls: tuple[str, ...]
    is_complete: bool
    skipped: Skipped = field(default_factory=Skipped)
    problem: str = ""
