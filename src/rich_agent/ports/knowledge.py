"""Interfaces for the sources of answers: the registered documents, and the web.

Methods that read documents may raise DatabaseUnavailableError.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import Passage, VectorProgress, VectorSpace, label_place
from rich_agent.domain.retrieval.reordering import Reordering
from rich_agent.domain.rights import ANYBODY, Reader
from rich_agent.domain.routing.described_domain import DescribedDomain
from rich_agent.domain.routing.plan import Domain
from rich_agent.errors import UpstreamError


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """A search for passages among those that the `reader` may read."""

    text: str
    embedding: Sequence[float] | None = None
    """The query's vector in the space from `Passages.space`; None searches words only."""
    limit: int = 6
    internal: bool | None = None
    """True for the bot's own documents only, False for all others, None for both."""
    source_ids: tuple[str, ...] | None = None
    """The sources to search, None for all."""
    reader: Reader = ANYBODY
    files: bool = False
    """Whether the reader's private files are searched, too."""
    spaces: tuple[int, ...] | None = None
    """The spaces that the question names; None for all that the reader did not put away."""
    reordering: Reordering | None = None
    """Another order of the best candidates, before passages are chosen from them."""


@dataclass(frozen=True, slots=True)
class RegisteredNames:
    """The names of active sources, and of the spaces that hold any, with their ids."""

    sources: tuple[str, ...] = ()
    spaces: tuple[tuple[int, str], ...] = ()
    about: str = ""
    """What the documents are about, as a model described them."""
    examples: tuple[str, ...] = ()
    """Questions that they answer, from the same description."""


class Passages(Protocol):
    """The chunks of active sources; each reader gets those that they may read."""

    async def space(self) -> VectorSpace | None:
        """The space for the vectors of queries, the one with all vectors; None if there is none."""

    async def search(self, query: PassageQuery) -> list[Passage]:
        """The best passages, best first, scores 0..1; [] if nothing is near or stored.

        The best score is the strength of the evidence for the question.
        """

    async def hold_word(self, word: str, reader: Reader, /) -> bool:
        """Whether a chunk that the reader may read has the word, in a form of the word index.

        The bot's own documents, which consist of everyday words, count only if there are no others.
        """

    async def names(self, reader: Reader, /) -> RegisteredNames:
        """The names of the sources and spaces that the reader may read, at most 50 of each."""


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """An active source.

    `guard` names it if its documents have rights of their own, as in `Passage.guards`.
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

    `guards` name those of their documents with rights of their own, as in `Passage.guards`.
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
    """A chunk with its neighbours in the document, in order."""

    title: str
    source: str
    link: str
    """The address of its section, which may be a `file:` URL."""
    position: int
    """The place of the chunk in the document, from 1."""
    count: int
    """The number of chunks in the document."""
    asked: int
    """The index of the chunk among the `passages`."""
    passages: tuple[ExcerptPassage, ...]
    unread: Mapping[str, int] = field(default_factory=dict)
    """What a person sees in the document and was not read, as `Inventory.unread` counts it."""

    @property
    def passage(self) -> ExcerptPassage:
        """The chunk itself."""
        return self.passages[self.asked]

    @property
    def label(self) -> str:
        """The place of the chunk for a reader: "Title › Section"."""
        return label_place(self.title, self.passage.section, self.link)


@dataclass(frozen=True, slots=True)
class DocumentBeginning:
    """The title of a document, and its first words in one line."""

    title: str
    words: str
    id: int = 0
    source_id: str = ""


@dataclass(frozen=True, slots=True)
class WrittenFrom:
    """The basis of a description: a sample of so many documents."""

    sample: Sequence[DocumentBeginning]
    documents: int


class DomainStore(Protocol):
    """The description of the documents that everybody who may use the bot may read."""

    async def read(self) -> DescribedDomain | None:
        """The description, None if nothing has been described."""

    async def count(self) -> int:
        """The number of these documents now, without those about the bot."""

    async def sample(self, limit: int, /) -> list[DocumentBeginning]:
        """The beginnings of the longest of them."""

    async def begin(self, *, at_once: bool = False) -> datetime | None:
        """Note a try to describe them, and return its time; None if it has to wait.

        It waits for a day after a try that failed, for twice as long after each further one, and
        with `at_once` only while another process may be trying.
        """

    async def keep(self, domain: Domain, written_from: WrittenFrom, tried_at: datetime, /) -> None:
        """Store a description, unless the try of that time is no longer the last one."""

    async def clear(self) -> None:
        """Forget the description, and the tries."""


class SourceCatalogue(Protocol):
    """The list of registered documents; each reader gets those that they may read."""

    async def subjects(self, limit: int, reader: Reader, /) -> list[str]:
        """Titles of the longest documents of active sources that are not about the bot."""

    async def typical_questions(self, reader: Reader, /) -> list[str]:
        """Questions that the documents answer, as a model wrote them.

        [] if it did not, or if the reader may not read what they were written from.
        """

    async def language_trust(self) -> tuple[LanguageTrust, ...]:
        """The knowledge that the space's model has of each language, the most common first.

        Empty until a sync has learned it.
        """

    async def vector_progress(self, space: VectorSpace, /) -> VectorProgress:
        """The progress of making vectors in a space, for the chunks of active sources."""

    async def titles(self, query: str, limit: int, reader: Reader, /) -> DocumentTitles:
        """At most `limit` distinct titles of documents in active sources.

        First come those that the word index finds for the query, then the longest others, those
        about the bot last. A third of the places is for the others, if there are any.
        """

    async def excerpt(
        self, chunk_id: str, around: int, reader: Reader, /, *, internal: bool | None = None
    ) -> DocumentExcerpt | None:
        """A chunk of an active source with up to `around` chunks on each side; else None.

        `internal` None means all active sources, else only (not) internal ones.
        """

    async def outline(self, chunk_id: str, limit: int, reader: Reader, /) -> list[str]:
        """The headings of a chunk's document in order, each once, at most `limit`.

        They are paths joined by " > "; [] for a chunk of no active source.
        """

    async def page(self, offset: int, limit: int, reader: Reader, /) -> SourcePage:
        """Active sources by name, those about the bot last."""


@dataclass(frozen=True, slots=True)
class WebFindings:
    """The outcome of a search of the web.

    `passages`: the results as passages `web:1`, `web:2`, ..., best first.
    `failures`: the errors of the engines that were asked before the one that answered.
    """

    passages: Sequence[Passage] = ()
    failures: Sequence[UpstreamError] = ()


class WebSearch(Protocol):
    """Searches the web. May raise an UpstreamError."""

    async def search(self, query: str, limit: int) -> WebFindings:
        """At most `limit` results."""
