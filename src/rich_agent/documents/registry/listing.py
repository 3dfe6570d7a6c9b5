"""Lists of sources, documents and passages for the people who look after them, page by page.

A reader who does not see all gets only the documents that they may read.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, get_args

from rich_agent.documents.registry.outcomes import SourceOutcome
from rich_agent.documents.source import SourceType
from rich_agent.domain.inventory import Inventory
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.knowledge.rights import (
    OPEN,
    PRINCIPAL_IDS,
    READABLE,
    SPACE_PRINCIPALS,
    rights_of,
)

DocumentState = Literal["failed", "empty", "unread"]
"""What may be wrong with a document: its last reading failed, it has no passage, or a person sees
something in it that was not read."""
DOCUMENT_STATES: Final[tuple[DocumentState, ...]] = get_args(DocumentState)
_ESCAPES: Final = str.maketrans({char: f"\\{char}" for char in "\\%_"})
# These are the conditions of indexes.
_OF_STATE: Mapping[str, str] = {
    "": "true",
    "failed": "document.last_error IS NOT NULL",
    "empty": "document.chunk_count = 0",
    "unread": "jsonb_path_exists(document.inventory, '$.keyvalue() "
    '?(!(@."key" starts with "hidden_") && @."value"[0] > @."value"[1])\')',
}
_LISTED = f"""
SELECT source.id, source.type, source.root_url, source.name, source.status, source.internal,
    coalesce(space.name, '') AS space, coalesce(space.readers, '{{}}') AS readers,
    coalesce(connected.kind, '') AS service, source.has_rights, source.last_synced_at,
    source.last_sync, lower(source.name) AS sort_key, {READABLE} AS is_readable
FROM rag_sources AS source LEFT JOIN rag_spaces AS space ON space.id = source.space_id
LEFT JOIN rag_connections AS connected ON connected.source_id = source.id
WHERE source.status <> 'private'
"""
# Only a source that an older version read has its documents counted here.
_COUNTED = """
SELECT listed.*, CASE WHEN last_sync = '{{}}'
    THEN (SELECT count(*) FROM rag_documents WHERE source_id = listed.id) END AS documents
FROM ({0}) AS listed ORDER BY sort_key, id
"""
_SOURCES = _COUNTED.format(
    f"""
{_LISTED}
    AND (lower(source.name), source.id) > (%(name)s, %(id)s)
    AND (%(words)s = '' OR strpos(lower(source.name), lower(%(words)s)) > 0
        OR strpos(lower(source.root_url), lower(%(words)s)) > 0)
ORDER BY lower(source.name), source.id LIMIT %(limit)s
"""
)
_SOURCE = _COUNTED.format(f"{_LISTED} AND source.id = %(source)s")
_SUMS = """
SELECT count(*) AS sources,
    coalesce(sum((last_sync->'content'->>'documents')::bigint), 0)::bigint AS documents,
    coalesce(sum((last_sync->'content'->>'passages')::bigint), 0)::bigint AS passages
FROM rag_sources WHERE status <> 'private'
"""
_COLUMNS = """
document.id, document.source_id, document.title, document.url, document.canonical_url,
document.chunk_count AS passages, document.last_error AS problem, document.inventory,
document.fetched_at
"""
_FROM = f"""
FROM rag_documents AS document JOIN rag_sources AS source ON source.id = document.source_id
WHERE source.status <> 'private' AND {OPEN}
"""
_DOCUMENTS = f"""
SELECT {_COLUMNS} {_FROM}
    AND document.source_id = %(source)s AND document.url > %(after)s AND {{0}}
    AND (%(words)s = '' OR document.title ILIKE %(words)s OR document.url ILIKE %(words)s)
ORDER BY document.url LIMIT %(limit)s
"""
_DOCUMENT = f"SELECT {_COLUMNS} {_FROM} AND document.id = %(document)s"
_PASSAGES = f"""
SELECT chunk.id, chunk.chunk_index AS number, chunk.section, chunk.content
FROM rag_chunks AS chunk JOIN rag_documents AS document ON document.id = chunk.document_id
JOIN rag_sources AS source ON source.id = document.source_id
WHERE source.status <> 'private' AND {OPEN}
    AND chunk.document_id = %(document)s AND chunk.chunk_index > %(after)s
ORDER BY chunk.chunk_index LIMIT %(limit)s
"""
_REASONS = f"""
SELECT chunk.id, chunk.document_id, source.id AS source_id, source.name AS source,
    coalesce(space.name, '') AS space, source.has_rights, ARRAY(
        SELECT unnest(space.readers) INTERSECT SELECT unnest({SPACE_PRINCIPALS}) ORDER BY 1
    ) AS by, ARRAY(
        SELECT name FROM rag_principals
        WHERE id = ANY(audience.principals) AND id = ANY({PRINCIPAL_IDS}) ORDER BY name
    ) AS through
FROM rag_chunks AS chunk JOIN rag_documents AS document ON document.id = chunk.document_id
JOIN rag_sources AS source ON source.id = document.source_id
LEFT JOIN rag_spaces AS space ON space.id = source.space_id
LEFT JOIN rag_places AS place ON place.id = document.place_id
LEFT JOIN rag_audiences AS audience ON audience.id = place.audience_id
WHERE chunk.id = ANY(%(ids)s) AND {OPEN}
"""


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A source in a list.

    `readers`: the principals who may read its space, () without a space.
    `service`: the kind of service that it is read from, "" for none.
    `documents`: the number of its documents, as of its last sync.
    `is_readable`: whether the person who looks may read it.
    `position`: its place in the list.
    """

    id: str
    type: SourceType
    root_url: str
    name: str
    status: Literal["active", "inactive"]
    internal: bool
    space: str
    readers: tuple[str, ...]
    service: str
    has_rights: bool
    last_synced_at: datetime | None
    outcome: SourceOutcome | None
    documents: int
    is_readable: bool
    position: str

    @property
    def kind(self) -> str:
        """The service, or the type if there is none."""
        return self.service or self.type


@dataclass(frozen=True, slots=True)
class DocumentChoice:
    """A choice of documents: after an address, with `words` in title or address, or of a state."""

    state: DocumentState | Literal[""] = ""
    words: str = ""
    after: str = ""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class KnowledgeSums:
    """The numbers of sources, documents and passages, as of the last sync of each source."""

    sources: int
    documents: int
    passages: int


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document in a list; `problem` tells why its last reading failed, "" if it did not."""

    id: int
    source_id: str
    title: str
    url: str
    address: str
    """The address at which people find it."""
    passages: int
    problem: str
    unread: Mapping[str, int]
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class ListedPassage:
    """A passage as it was read; `number` counts from 0."""

    id: str
    number: int
    section: str
    content: str


@dataclass(frozen=True, slots=True)
class ReadingReason:
    """The reason why a reader may read a passage.

    `by`: their principals among the readers of the source's space, () without a space.
    `through`: their principals among the readers of the document's place, () if it has no rights.
    """

    id: str
    document_id: int
    source_id: str
    source: str
    space: str
    has_rights: bool
    by: tuple[str, ...]
    through: tuple[str, ...]


class KnowledgeListing(PostgresRepository):
    """Reads the lists. Every method may raise DatabaseUnavailableError."""

    async def sources(
        self, reader: Reader, *, words: str = "", after: str = "", limit: int = 50
    ) -> list[ListedSource]:
        """Sources by name, after a position, with `words` in their names or addresses."""
        source_id, _, name = clean_text(after).partition(" ")
        values = {"words": clean_text(words), "id": source_id, "name": name, "limit": limit}
        rows = await self._rows(_SOURCES, {**rights_of(reader), **values})
        return [_source(row) for row in rows]

    async def source(self, source_id: str, reader: Reader) -> ListedSource | None:
        """A source, None if there is none."""
        values = {**rights_of(reader), "source": clean_text(source_id)}
        row = await self._row(_SOURCE, values)
        return _source(row) if row else None

    async def sums(self) -> KnowledgeSums:
        """The sums over all sources."""
        return KnowledgeSums(**await self._one(_SUMS))

    async def documents(
        self, source_id: str, reader: Reader, choice: DocumentChoice
    ) -> list[ListedDocument]:
        """Documents of a source by address."""
        values = {
            "source": source_id,
            "words": _pattern(choice.words),
            "after": clean_text(choice.after),
            "limit": choice.limit,
        }
        query = _DOCUMENTS.format(_OF_STATE[choice.state])
        return [_document(row) for row in await self._rows(query, {**rights_of(reader), **values})]

    async def document(self, document_id: int, reader: Reader) -> ListedDocument | None:
        """A document, None if there is none that the reader may read."""
        row = await self._row(_DOCUMENT, {**rights_of(reader), "document": document_id})
        return _document(row) if row else None

    async def passages(
        self, document_id: int, reader: Reader, *, after: int = -1, limit: int = 50
    ) -> list[ListedPassage]:
        """Passages of a document in their order, after a number."""
        values = {"document": document_id, "after": after, "limit": limit}
        rows = await self._rows(_PASSAGES, {**rights_of(reader), **values})
        return [ListedPassage(**row) for row in rows]

    async def reasons(
        self, passage_ids: Collection[str], reader: Reader
    ) -> Mapping[str, ReadingReason]:
        """The reasons why the reader may read these passages, by the ids of the passages."""
        rows = await self._rows(_REASONS, {**rights_of(reader), "ids": list(passage_ids)})
        return {
            row["id"]: ReadingReason(
                **{**row, "by": tuple(row["by"]), "through": tuple(row["through"])}
            )
            for row in rows
        }


def _pattern(words: str) -> str:
    """The pattern of ILIKE for texts that contain the words, "" without words."""
    return f"%{clean_text(words).translate(_ESCAPES)}%" if words else ""


def _source(row: dict[str, Any]) -> ListedSource:
    outcome = SourceOutcome.from_json(row.pop("last_sync"))
    documents = outcome.content.documents if outcome else row["documents"]
    position = f"{row['id']} {row.pop('sort_key')}"
    changes = {"documents": documents, "outcome": outcome, "position": position}
    return ListedSource(**{**row, **changes, "readers": tuple(row["readers"])})


def _document(row: dict[str, Any]) -> ListedDocument:
    unread = Inventory.from_json(row.pop("inventory")).unread
    address, problem = row.pop("canonical_url") or row["url"], row.pop("problem") or ""
    return ListedDocument(**row, address=address, problem=problem, unread=unread)
