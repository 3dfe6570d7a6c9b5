"""Passages: what an answer may rest on, from registered documents or from the web."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text that can be cited.

    `id` is the chunk id of a document, `web:<n>`, `photo` for what the turn's images show,
    `catalogue` for the list of what documents there are, `tool:<call>` for what a tool gave, or
    `file:<file>:<part>` for a part of a file that the user sent (a chunk id where it was searched);
    `source_url` may be a `file:` URL; `section` is the heading path joined by " > "; `link` opens
    at the section; `score` is 0..1, higher is nearer; `internal` marks the bot's own documents;
    `guards` are what the right to read it depends on, () for everybody: `space:3`, `document:77`
    where each document has rights, or `source:src_wiki` for knowing of such a source; `is_private`
    marks a page that not everybody can read.
    """

    id: str
    kind: PassageKind
    content: str
    source_url: str
    title: str
    section: str = ""
    link: str = ""
    score: float = 0.0
    internal: bool = False
    guards: Sequence[str] = ()
    is_private: bool = False

    def to_state(self) -> PassageState:
        """The passage as JSON for the graph's state."""
        return cast("PassageState", asdict(self))

    @property
    def label(self) -> str:
        """The place of the passage, as a reader is told: "Title › Section › Subsection"."""
        return label_place(self.title, self.section, self.source_url)

    @property
    def words(self) -> Words:
        """The content with who wrote it; a file with an address is a page, named by its host."""
        is_page = self.kind == "file" and bool(self.link)
        origin: Origin = "page" if is_page else _ORIGINS[self.kind]
        host = _host_of(self.link or self.source_url) if origin == "page" else ""
        origin = "private_page" if origin == "page" and self.is_private else origin
        return Words(self.content, origin, host or self.title or self.source_url)

    @classmethod
    def from_state(cls, value: PassageState) -> Self:
        """The passage that `to_state` wrote."""
        read = cls(**value)
        # In a turn that has not stopped they are what `to_state` gave.
        is_read = isinstance(read.guards, tuple)
        return read if is_read else replace(read, guards=tuple(read.guards))


def _host_of(address: str) -> str:
    """The host of an address, "" without one: a page names itself as it likes, not its host."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def label_place(title: str, section: str, source_url: str) -> str:
    """A place in a document in one line, its title not said twice."""
    path = [part for part in section.split(SECTION_SEPARATOR) if part]
    if path[:1] == [title]:
        path = path[1:]
    return " › ".join([title or source_url, *path])


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """The vectors that can be compared: those of one model, of one length."""

    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The amount that the bot reads before it answers, and what counts as weak evidence.

    `min_score` is the score below which the best passage is weak evidence; see `fusion.rank`.
    The documents are searched in so many `rounds` at most. Those after the first take `rounds_s`
    seconds and read `rounds_tokens` together.
    """

    passages: int = 6
    web_results: int = 5
    min_score: float = 0.3
    rounds: int = 3
    rounds_s: float = 10.0
    rounds_tokens: int = 12_000


def is_weak(passages: Sequence[Passage], min_score: float) -> bool:
    """Whether the registered documents hardly speak of the question."""
    return not passages or max(passage.score for passage in passages) < min_score


def are_of_files(passages: Sequence[Passage]) -> bool:
    """Whether all that was read are the user's own files."""
    return bool(passages) and all(passage.kind == "file" for passage in passages)


def interleave(rankings: Sequence[Sequence[Passage]], limit: int) -> list[Passage]:
    """One ranking of several: the best of each, then the second of each, ...; at most `limit`.

    No passage comes twice, nor does a text that another one holds.
    """
    passages: list[Passage] = []
    for row in zip_longest(*rankings):
        for passage in filter(None, row):
            is_known = any(
                passage.id == one.id or passage.content in one.content for one in passages
            )
            if not is_known and len(passages) < limit:
                passages.append(passage)
    return passages


def number_web_results(passages: Sequence[Passage]) -> list[Passage]:
    """The passages with the ids `web:1`, `web:2`, ..."""
    return [replace(passage, id=f"web:{n}") for n, passage in enumerate(passages, start=1)]
