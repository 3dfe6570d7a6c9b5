"""The documents that an operator asks about, and who may read them."""

from dataclasses import asdict, dataclass
from typing import Any

from rich_agent.documents.source import SourceError
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.knowledge.rights import CURRENT

_MOST_FOUND = 20
_DOCUMENTS = f"""
SELECT document.id, document.title, document.url, source.name AS source, source.status,
    source.has_rights, {CURRENT} AS is_current, coalesce(space.name, '') AS space,
    coalesce(space.readers, '{{}}') AS space_readers, coalesce(place.key, '') AS place, ARRAY(
        SELECT name FROM rag_principals WHERE id = ANY(audience.principals) ORDER BY name
    ) AS readers
FROM rag_documents AS document JOIN rag_sources AS source ON source.id = document.source_id
LEFT JOIN rag_spaces AS space ON space.id = source.space_id
LEFT JOIN rag_places AS place ON place.id = document.place_id
LEFT JOIN rag_audiences AS audience ON audience.id = place.audience_id
WHERE source.status <> 'private' AND
"""
_NAMED = f"""
{_DOCUMENTS} %(words)s IN (document.url, canonical_url, title)
ORDER BY source.name, document.url LIMIT {_MOST_FOUND}
"""
_ONE = f"{_DOCUMENTS} document.id = %s"
# Users whom the bot knows as one of the readers, or as a member of a group among the readers.
_PEOPLE = """
WITH reader AS (
    SELECT unnest(audience.principals) AS id
    FROM rag_documents AS document JOIN rag_places AS place ON place.id = document.place_id
    JOIN rag_audiences AS audience ON audience.id = place.audience_id WHERE document.id = %s
), known AS (
    SELECT id, id AS reader_id FROM reader
    UNION SELECT member_id, group_id FROM rag_members JOIN reader ON reader.id = group_id
)
SELECT DISTINCT membership.user_id, one.name AS is_known_as, whole.name AS reader
FROM known JOIN rag_principals AS one USING (id)
JOIN rag_principals AS whole ON whole.id = reader_id
JOIN rag_memberships AS membership ON membership.principal = one.name AND is_member
ORDER BY 1, 2, 3
"""


@dataclass(frozen=True, slots=True)
class KnownReader:
    """A user who may read a document.

    `is_known_as`: the principal by which the bot knows the user.
    `reader`: the reader of the document: this principal, or a group that contains it.
    """

    user_id: int
    is_known_as: str
    reader: str


@dataclass(frozen=True, slots=True)
class ExplainedDocument:
    """A document and its readers.

    `place`: its place in a source that has rights.
    `readers`: the principals who may read that place.
    `people`: the users whom the bot knows among the readers.
    """

    title: str
    url: str
    source: str
    status: str
    has_rights: bool
    is_current: bool
    space: str
    space_readers: tuple[str, ...]
    place: str
    readers: tuple[str, ...]
    people: tuple[KnownReader, ...]

    def to_json(self) -> dict[str, Any]:
        """The document as `ingest rights --json` prints it."""
        return asdict(self)


class PostgresDocumentRights(PostgresRepository):
    """Explains the rights of documents."""

    async def explain(self, words: str) -> list[ExplainedDocument]:
        """Explain who may read the documents with this address or title.

        Raises: SourceError if there are none.
        """
        rows = await self._rows(_NAMED, {"words": words})
        if not rows:
            hint = "Write its address or its title, or the number of a user."
            raise SourceError(f"no document is called {words}", hint=hint)
        return [await self._explained(row) for row in rows]

    async def of(self, document_id: int) -> ExplainedDocument | None:
        """Explain who may read a document, None if there is none."""
        row = await self._row(_ONE, (document_id,))
        return await self._explained(row) if row else None

    async def _explained(self, row: dict[str, Any]) -> ExplainedDocument:
        people_rows = await self._rows(_PEOPLE, (row.pop("id"),))
        for name in ("space_readers", "readers"):
            row[name] = tuple(row[name])
        readers = tuple(KnownReader(**person_row) for person_row in people_rows)
        return ExplainedDocument(**row, people=readers)
