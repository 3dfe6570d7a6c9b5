"""Groups documents to embed and store together, with enough texts to keep the model busy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich_agent.documents.chunk.chunks import Chunk
from rich_agent.documents.index.documents import KnownDocument, Version
from rich_agent.documents.index.embedding import CALLS_AT_ONCE, TEXTS_PER_CALL, TOKENS_PER_CALL
from rich_agent.domain.text import estimate_tokens

MOST_TEXTS = TEXTS_PER_CALL * CALLS_AT_ONCE
_MOST_TOKENS = TOKENS_PER_CALL * CALLS_AT_ONCE
_MOST_CHUNKS = 4_096
_MOST_CHARACTERS = 8_000_000


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A stored chunk with the text for its vector."""

    id: str
    document_id: int
    content_hash: str
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """A document to store as `version`. Without a version, its stored chunks get vectors."""

    source_id: str
    url: str
    known: KnownDocument | None
    """The stored document, None for a new one."""
    version: Version | None
    chunks: Sequence[Chunk | StoredChunk]
    new_texts: Mapping[str, str]
    """Texts without a vector, by content hash."""


@dataclass(frozen=True, slots=True)
class ItemGroup:
    """Items to write in one transaction."""

    items: Sequence[Item] = ()


@dataclass(slots=True)
class Collector:
    """Collects items of one source until they make a group."""

    items: list[Item] = field(default_factory=list)
    _texts: int = 0
    _tokens: int = 0
    _chunks: int = 0
    _characters: int = 0

    def has_room_for(self, item: Item) -> bool:
        """Whether the item fits into the group; an empty group takes any item."""
        return not self.items or (
            self._texts + len(item.new_texts) <= MOST_TEXTS
            and self._tokens + _tokens_of(item) <= _MOST_TOKENS
            and self._chunks + len(item.chunks) <= _MOST_CHUNKS
            and self._characters + _characters_of(item) <= _MOST_CHARACTERS
        )

    def add(self, item: Item) -> None:
        """Add the item to the group."""
        self.items.append(item)
        self._texts += len(item.new_texts)
        self._tokens += _tokens_of(item)
        self._chunks += len(item.chunks)
        self._characters += _characters_of(item)

    def take(self) -> ItemGroup:
        """Return the group and begin a new one."""
        group = ItemGroup(tuple(self.items))
        self.items = []
        self._texts = self._tokens = self._chunks = self._characters = 0
        return group


def _tokens_of(item: Item) -> int:
    return sum(map(estimate_tokens, item.new_texts.values()))


def _characters_of(item: Item) -> int:
    return sum(len(chunk.text) for chunk in item.chunks)
