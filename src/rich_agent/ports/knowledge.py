"""Interfaces for the sources of answers: the registered documents, and the web.

Methods that read the documents may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import Passage, VectorSpace, label_place
from rich_agent.domain.retrieval.reordering import Reordering
from rich_agent.domain.rights import ANYBODY, Reader


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """A search for passages. `internal` None searches all active sources, else only (not) internal.

    Found is what the `reader` may read; with `files`, also in the reader's private files. `spaces`
    are the ids of those that the question names; None means all that the reader did not put away.
    `source_ids` narrows the search further; None means all.

    `embedding` is the query's vector in the space that `Passages.space` returned; with None, only
    words are searched. `reordering` gives the best candidates another order, before passages are
    chosen from them.
    """

    text: str
    embedding: Sequence[float] | None = None
    limit: int = 6
    internal: bool | None = None
    source_ids: tuple[str, ...] | None = None
    reader: Reader = ANYBODY
    files: bool = False
    spaces: tuple[int, ...] | None = None
    reordering: Reordering | None = None


@dataclass(frozen=True, slots=True)
class RegisteredNames:
    """The names of active sources, and of the spaces that hold some, with their ids."""

    sources: tuple[str, ...] = ()
    spaces: tuple[tuple[int, str], ...] = ()


class Passages(Protocol):
    """The chunks of active sources, to each reader those that they may read."""

    async def space(self) -> VectorSpace | None:
        """The space to embed a query in, the one with all vectors; None if there is none."""

    async def search(self, query: PassageQuery) -> list[Passage]:
        """The best passages, best first, scores 0..1; [] if nothing is near or stored.

        The best score is the strength of the evidence for the question.
        """

    async def hold_word(self, word: str, reader: Reader, /) -> bool:
        """Whether a chunk that the reader may read holds the word in a form of the word index.

        The bot's own documents count only if there are no others, because they consist of everyday
        words.
        """

    async def names(self, reader: Reader, /) -> RegisteredNames:
        """The names of what the reader may read, of each kind at most 50."""


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """An active source: its number of documents and passages, and its last sync.

    `guard` names it where its documents have rights of their own, as in `Passage.guards`.
    """

    name: str
    is_internal: bool
    documents: int
    passages: int
    synced_at: datetime | None
    guard: str = ""


@dataclass(frozen=True, slots=True)
class SourcePage:
    """One page of the active sources, and the sums over all of them."""

    sources: tuple[SourceSummary, ...]
    source_count: int
    documents: int
    passages: int
    synced_at: datetime | None


@dataclass(frozen=True, slots=True)
class DocumentTitles:
    """Titles of documents: those that match a query, best first, and others.

    `guards` are the documents among them that have rights of their own, as in `Passage.guards`.
    """

    matching: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExcerptPassage:
    """A chunk within an excerpt."""

    id: str
    section: str
    content: str


@dataclass(frozen=True, slots=True)
class DocumentExcerpt:
    """A chunk with what stands around it in its document, in order.

    `asked` is its index among the `passages`, `position` its place in the document, from 1, of
    `count`. `link` opens at its section; it may be a `file:` URL.
    """

    title: str
    source: str
    link: str
    position: int
    count: int
    asked: int
    passages: tuple[ExcerptPassage, ...]

    @property
    def passage(self) -> ExcerptPassage:
        """The chunk itself."""
        return self.passages[self.asked]

    @property
    def label(self) -> str:
        """The place of the chunk, as a reader is told: "Title › Section"."""
        return label_place(self.title, self.passage.section, self.link)


class SourceCatalogue(Protocol):
    """The registered documents as a list, to each reader those that they may read."""

    async def subjects(self, limit: int, reader: Reader, /) -> list[str]:
        """Titles of the longest documents of active sources that are not about the bot."""

    async def language_trust(self) -> tuple[LanguageTrust, ...]:
        """The knowledge that the active space's model has of each language, commonest first.

        Empty until a sync has learned it.
        """

    async def titles(self, query: str, limit: int, reader: Reader, /) -> DocumentTitles:
        """At most `limit` distinct titles of documents of active sources.

        First the ones that the word index finds for the query, then the longest of the others,
        with those about the bot last. A third of the places is for the others, if there are any.
        """

    async def excerpt(
        self, chunk_id: str, around: int, reader: Reader, /, *, internal: bool | None = None
    ) -> DocumentExcerpt | None:
        """A chunk of an active source with up to `around` chunks on each side, None for any other.

        `internal` None means all active sources, else only (not) internal ones.
        """

    async def outline(self, chunk_id: str, limit: int, reader: Reader, /) -> list[str]:
        """The headings of the document of a chunk in their order, each once, at most `limit`.

        As paths joined by " > "; [] for a chunk that is of no active source.
        """

    async def page(self, offset: int, limit: int, reader: Reader, /) -> SourcePage:
        """Active sources by name, those about the bot last."""


class WebSearch(Protocol):
    """Searches the web. May raise an UpstreamError."""

    async def search(self, query: str, limit: int) -> list[Passage]:
        """At most `limit` results as passages `web:1`, `web:2`, ..., best first."""
