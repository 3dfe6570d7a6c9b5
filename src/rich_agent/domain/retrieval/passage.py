"""Passages: texts that an answer may rest on, from documents, files, tools or the web."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import zip_longest
from types import MappingProxyType
from typing import Literal, NotRequired, Self, TypedDict, cast
from urllib.parse import urlsplit

from rich_agent.domain.words import Origin, Words

PassageKind = Literal["document", "web", "photo", "catalogue", "tool", "file"]
SECTION_SEPARATOR = " > "
_ORIGINS: Mapping[PassageKind, Origin] = MappingProxyType(
    {
        "document": "document",
        "web": "page",
        "photo": "file",
        "catalogue": "document",
        "tool": "server",
        "file": "file",
    }
)


class PassageState(TypedDict):
    """A `Passage` as JSON, for the graph's state."""

    id: str
    kind: PassageKind
    content: str
    source_url: str
    title: str
    section: str
    link: str
    score: float
    internal: bool
    guards: NotRequired[list[str]]
    is_private: NotRequired[bool]
    unread: NotRequired[Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text that can be cited."""

    id: str
    """The id of its chunk, `web:<n>`, `photo`, `catalogue`, `tool:<call>` or `file:<file>:<part>`.

    `photo` is the content of the turn's images, `catalogue` the list of documents. A `file` is a
    part of a file that the user sent; if it was searched, the part is a chunk's id.
    """
    kind: PassageKind
    content: str
    source_url: str
    """The address of its source, which may be a `file:` URL."""
    title: str
    section: str = ""
    """The headings above it, joined by " > "."""
    link: str = ""
    """The address of its section."""
    score: float = 0.0
    """The nearness to the question, 0..1; higher is nearer."""
    internal: bool = False
    """Whether it is from the bot's own documents."""
    guards: Sequence[str] = ()
    """The rights that reading it needs, () if everybody may.

    `space:3`; `document:77` if each document has rights; `source:src_wiki` for knowing of a source.
    """
    is_private: bool = False
    """Whether it is from a page that not everybody can read."""
    unread: Mapping[str, int] = field(default_factory=dict)
    """The number of parts of its document that were not read, by `PartKind`."""

    def to_state(self) -> PassageState:
        """The passage as JSON for the graph's state."""
        return cast("PassageState", asdict(self))

    @property
    def label(self) -> str:
        """The place of the passage for a reader: "Title › Section › Subsection"."""
        return label_place(self.title, self.section, self.source_url)

    @property
    def words(self) -> Words:
        """The content with its author. A file with an address is a page, named by its host."""
        is_page = self.kind == "file" and bool(self.link)
        origin: Origin = "page" if is_page else _ORIGINS[self.kind]
        host = _host_of(self.link or self.source_url) if origin == "page" else ""
        origin = "private_page" if origin == "page" and self.is_private else origin
        return Words(self.content, origin, host or self.title or self.source_url)

    @classmethod
    def from_state(cls, value: PassageState) -> Self:
        """The passage that `to_state` wrote."""
        passage = cls(**value)
        # Within a running turn, the guards are still the tuple; a stored state has a list.
        has_tuple = isinstance(passage.guards, tuple)
        return passage if has_tuple else replace(passage, guards=tuple(passage.guards))


def _host_of(address: str) -> str:
    """The host of an address, "" without one.

    A host is certain, while a page can call itself anything.
    """
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def label_place(title: str, section: str, source_url: str) -> str:
    """A place in a document on one line, with its title once."""
    headings = [part for part in section.split(SECTION_SEPARATOR) if part]
    if headings[:1] == [title]:
        headings = headings[1:]
    return " › ".join([title or source_url, *headings])


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """A space of vectors that can be compared: of one model, with one length."""

    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class VectorProgress:
    """The chunks of the documents: all, those with a vector, and those that can have none."""

    chunks: int
    embedded: int
    refused: int

    @property
    def missing(self) -> int:
        """The number of chunks that will have a vector."""
        return self.chunks - self.embedded - self.refused


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The amount that the bot reads before it answers."""

    passages: int = 6
    """The most passages of documents."""
    web_results: int = 5
    min_score: float = 0.3
    """The score below which the best passage is weak evidence; see `fusion.rank`."""
    rounds: int = 3
    """The most rounds of searching the documents."""
    rounds_s: float = 10.0
    """The most seconds of all rounds after the first."""
    rounds_tokens: int = 12_000
    """The most tokens that those rounds read."""


def is_weak(passages: Sequence[Passage], min_score: float) -> bool:
    """Whether the passages hardly have anything to do with the question."""
    return not passages or max(passage.score for passage in passages) < min_score


def are_of_files(passages: Sequence[Passage]) -> bool:
    """Whether all passages are from the user's own files."""
    return bool(passages) and all(passage.kind == "file" for passage in passages)


def interleave(rankings: Sequence[Sequence[Passage]], limit: int) -> list[Passage]:
    """One ranking of several: the best of each, then the second of each, ...; at most `limit`.

    A passage comes once, and a text that another passage holds is left out.
    """
    passages: list[Passage] = []
    for same_rank in zip_longest(*rankings):
        for passage in filter(None, same_rank):
            is_known = any(
                passage.id == earlier_passage.id or passage.content in earlier_passage.content
                for earlier_passage in passages
            )
            if not is_known and len(passages) < limit:
                passages.append(passage)
    return passages


def number_web_results(passages: Sequence[Passage]) -> list[Passage]:
    """The passages with the ids `web:1`, `web:2`, ..."""
    return [
        replace(passage, id=f"web:{number}") for number, passage in enumerate(passages, start=1)
    ]
