"""Interfaces of what answers are drawn from: the registered documents, and the web.

What reads the documents may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rich_agent.domain.retrieval.passage import Passage, VectorSpace


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """What to look for. `internal` None searches all active sources, else only (not) internal.

    `source_ids` narrows the search further; None: all.

    `embedding` is the query's vector in the space that `Passages.space` named, None without one:
    by words alone then.
    """

    text: str
    embedding: Sequence[float] | None = None
    limit: int = 6
    internal: bool | None = None
    source_ids: tuple[str, ...] | None = None


class Passages(Protocol):
    """The chunks of active sources."""

    async def space(self) -> VectorSpace | None:
        """The space whose vectors are complete, which a query is to be embedded in, if any."""

    async def search(self, query: PassageQuery) -> list[Passage]:
        """The best passages, best first, scores 0..1; [] when nothing is near or stored.

        The best score says how strongly the documents speak of the question.
        """

    async def hold_word(self, word: str) -> bool:
        """Whether some chunk holds the word, in any of its forms, as the index of words has it.

        The bot's own documents are looked at only where there are no others: they are made of
        everyday words.
        """

    async def source_titles(self) -> list[str]:
        """Name of each active source, for the planner (at most 50)."""


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """An active source: how much of it is known, and when it was last synced."""

    name: str
    is_internal: bool
    documents: int
    passages: int
    synced_at: datetime | None


@dataclass(frozen=True, slots=True)
class SourcePage:
    """Some of the active sources, and the sums of all of them."""

    sources: tuple[SourceSummary, ...]
    source_count: int
    documents: int
    passages: int
    synced_at: datetime | None


@dataclass(frozen=True, slots=True)
class DocumentTitles:
    """Titles of registered documents: those that hold words of a query, best first, and others."""

    matching: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A chunk as it stands in its document: where, and its text in Markdown."""

    label: str
    content: str


class SourceCatalogue(Protocol):
    """What the bot knows."""

    async def subjects(self, limit: int, /) -> list[str]:
        """Titles of the longest documents of active sources that are not about the bot."""

    async def titles(self, query: str, limit: int, /) -> DocumentTitles:
        """At most `limit` titles of documents of active sources, each once.

        Those that the index of words finds for the query; what is left is filled up with the
        longest of the others, those about the bot last.
        """

    async def passage(self, chunk_id: str, /) -> StoredPassage | None:
        """A chunk of an active source, None for any other."""

    async def page(self, offset: int, limit: int, /) -> SourcePage:
        """Active sources by name, those about the bot last."""


class WebSearch(Protocol):
    """Searches the web. May raise an UpstreamError."""

    async def search(self, query: str, limit: int) -> list[Passage]:
        """At most `limit` results as passages `web:1`, `web:2`, ..., best first."""
