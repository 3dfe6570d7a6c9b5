"""What listing a source and reading one of its documents can give."""

from collections import Counter
from dataclasses import dataclass, field

from ingest.sources.media import MediaType

_NAMED = 3


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document's bytes as they came; `charset` is what the server said, if it did."""

    url: str
    data: bytes
    media_type: MediaType
    charset: str | None = None
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class NotModified:
    """The server says that the document is the one we have."""

    url: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that could not be had; `is_gone` if it was there once and is known not to be."""

    url: str
    reason: str
    is_gone: bool = False


Outcome = RawDocument | NotModified | Unreadable


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server sent with a page, to ask it whether the page is still that one."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(slots=True)
class Skipped:
    """What a source holds that is no document of it: how many for each reason, and the first."""

    counts: Counter[str] = field(default_factory=Counter)
    names: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, name: str) -> None:
        """One more; `reason` follows a number, as in "3 png"."""
        self.counts[reason] += 1
        names = self.names.setdefault(reason, [])
        if len(names) < _NAMED:
            names.append(name)

    @property
    def total(self) -> int:
        """How many in all."""
        return self.counts.total()

    def in_words(self) -> str:
        """The reasons, the most frequent first: "2 png (a.png, b.png), 1 yaml (c.yaml)"."""
        return ", ".join(
            f"{count:,} {reason} ({', '.join(self.names[reason])}{', …' * (count > _NAMED)})"
            for reason, count in self.counts.most_common()
        )


@dataclass(frozen=True, slots=True)
class Listing:
    """The addresses of a source's documents, each once.

    If it is not complete, `problem` says why, and nothing may be taken for removed.
    """

    urls: tuple[str, ...]
    is_complete: bool
    skipped: Skipped = field(default_factory=Skipped)
    problem: str = ""
