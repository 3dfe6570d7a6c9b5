"""Documents that are embedded and stored together: enough texts to keep the model busy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ingest.chunk.chunks import Chunk
from ingest.index.documents import KnownDocument, Version
from ingest.index.embedding import CALLS_AT_ONCE, TEXTS_PER_CALL, TOKENS_PER_CALL
from rich_agent.domain.text import estimate_tokens

MOST_TEXTS = TEXTS_PER_CALL * CALLS_AT_ONCE
_MOST_TOKENS = TOKENS_PER_CALL * CALLS_AT_ONCE
_MOST_CHUNKS = 4_096
_MOST_CHARACTERS = 8_000_000


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as it is stored, with the text that its vector is of."""

    id: str
    document_id: int
    content_hash: str
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """A document to be stored as `version`; without one, its stored chunks are to get vectors.

    `new_texts` are those that no vector is known for, by content hash.
    """

    source_id: str
    url: str
    known: KnownDocument | None
    version: Version | None
    chunks: Sequence[Chunk | StoredChunk]
    new_texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ItemGroup:
    """Items to be written in one transaction; `batches` are complete when that is done."""

    items: Sequence[Item] = ()
    batches: Sequence[int] = ()


@dataclass(slots=True)
class Collector:
    """Collects items until they make a group; nobody collects for two sources at once."""

    items: list[Item] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    _texts: int = 0
    _tokens: int = 0
    _chunks: int = 0
    _characters: int = 0

    def has_room_for(self, item: Item) -> bool:
        """Whether the item may join; any may join an empty group."""
        return not self.items or (
            self._texts + len(item.new_texts) <= MOST_TEXTS
            and self._tokens + _tokens_of(item) <= _MOST_TOKENS
            and self._chunks + len(item.chunks) <= _MOST_CHUNKS
            and self._characters + _characters_of(item) <= _MOST_CHARACTERS
        )

    def add(self, item: Item) -> None:
        """Take the item in."""
        self.items.append(item)
        self._texts += len(item.new_texts)
        self._tokens += _tokens_of(item)
        self._chunks += len(item.chunks)
        self._characters += _characters_of(item)

    def take(self) -> ItemGroup:
        """What was collected; collecting starts again."""
        group = ItemGroup(tuple(self.items), tuple(self.batches))
        self.items, self.batches = [], []
        self._texts = self._tokens = self._chunks = self._characters = 0
        return group


def _tokens_of(item: Item) -> int:
    return sum(map(estimate_tokens, item.new_texts.values()))


def _characters_of(item: Item) -> int:
    return sum(len(chunk.text) for chunk in item.chunks)
