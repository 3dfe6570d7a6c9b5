"""The registered sources, in PostgreSQL."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from psycopg.types.json import Jsonb
from pydantic import BaseModel

from rich_agent.documents.source import SITEMAP_DEPTH, Source, SourceError, root_address
from rich_agent.domain.inventory import VISIBLE_PARTS
from rich_agent.repositories.database.pools import Connection, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.knowledge.places import delete_orphans

_OF_SOURCE = ("id", "type", "root_url", "name", "status", "internal", "space")
_COLUMNS = """
source.id, source.type, source.root_url, source.name, source.status, source.internal,
source.config, coalesce(space.name, '') AS space
"""
_FROM = "FROM rag_sources AS source LEFT JOIN rag_spaces AS space ON space.id = source.space_id"

_OVERVIEW = f"""
SELECT {_COLUMNS}, source.last_synced_at, source.updated_at,
    count(DISTINCT document.id) AS documents, count(chunk.id) AS chunks,
    (
        SELECT count(*) FROM rag_documents AS stored
        WHERE stored.source_id = source.id AND stored.inventory <> '{{}}' AND EXISTS (
            SELECT FROM jsonb_each(stored.inventory) AS part (kind, counts)
            WHERE kind = ANY(%(visible)s) AND (counts->>0)::integer > (counts->>1)::integer
        )
    ) AS incomplete
{_FROM}
LEFT JOIN rag_documents AS document ON document.source_id = source.id
LEFT JOIN rag_chunks AS chunk ON chunk.document_id = document.id
WHERE source.status <> 'private'
GROUP BY source.id, space.id
ORDER BY source.name, source.id
"""

_ALL = f"""
SELECT {_COLUMNS} {_FROM} WHERE source.status <> 'private' ORDER BY source.name, source.id
"""

_ONE = f"SELECT {_COLUMNS} {_FROM} WHERE source.status <> 'private' AND source.id = %s"

_SAVE = """
INSERT INTO rag_sources (id, type, root_url, name, internal, config, space_id)
VALUES (%(id)s, %(type)s, %(root_url)s, %(name)s, %(internal)s, %(config)s, %(space_id)s)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, internal = excluded.internal,
    config = excluded.config, space_id = excluded.space_id, updated_at = now()
"""

# In two steps, by a prefix that no address has, because old and new addresses may overlap. A
# document that is already at a new address was left there by an earlier sync.
_MOVE = (
    """
    UPDATE rag_documents SET url = 'moving:' || substr(url, length(%(old)s) + 1)
    WHERE source_id = %(source)s AND starts_with(url, %(old)s)
    """,
    """
    DELETE FROM rag_documents WHERE source_id = %(source)s AND url IN (
        SELECT %(new)s || substr(url, length('moving:') + 1) FROM rag_documents
        WHERE source_id = %(source)s AND starts_with(url, 'moving:')
    )
    """,
    """
    UPDATE rag_chunks SET link = %(new)s || substr(link, length(%(old)s) + 1)
    WHERE starts_with(link, %(old)s) AND document_id IN (
        SELECT id FROM rag_documents
        WHERE source_id = %(source)s AND starts_with(url, 'moving:')
    )
    """,
    """
    UPDATE rag_documents SET url = %(new)s || substr(url, length('moving:') + 1)
    WHERE source_id = %(source)s AND starts_with(url, 'moving:')
    """,
)


class _Config(BaseModel):
    """The column `config`; rows of older versions lack newer fields."""

    base_url: str = ""
    strip_suffix: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    depth: int = SITEMAP_DEPTH


@dataclass(frozen=True, slots=True)
class SourceOverview:
    """A source with the counts of its stored documents and chunks."""

    source: Source
    documents: int
    chunks: int
    incomplete: int
    """Documents in which a person sees something that was not read."""
    last_synced_at: datetime | None
    updated_at: datetime

    def to_json(self) -> dict[str, Any]:
        """The overview as `ingest list --json` prints it."""
        return {
            **asdict(self.source),
            "documents": self.documents,
            "chunks": self.chunks,
            "incomplete": self.incomplete,
            "last_synced_at": self.last_synced_at and self.last_synced_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }


class PostgresSources(PostgresRepository):
    """Reads and writes `rag_sources`."""

    async def all(self) -> list[Source]:
        """All sources except users' files, by name."""
        rows = await self._rows(_ALL)
        return [_source(row) for row in rows]

    async def overview(self) -> list[SourceOverview]:
        """All sources except users' files, by name, with their counts."""
        count_columns = ("documents", "chunks", "incomplete", "last_synced_at", "updated_at")
        values = {"visible": list(VISIBLE_PARTS)}
        return [
            SourceOverview(_source(row), **{column: row[column] for column in count_columns})
            for row in await self._rows(_OVERVIEW, values)
        ]

    async def get(self, source_id: str) -> Source | None:
        """The source with this id, None if there is none."""
        row = await self._row(_ONE, (source_id,))
        return _source(row) if row else None

    async def find(self, word: str) -> Source:
        """The source with this id, name, URL or path.

        Raises: SourceError if there is none, or more than one.
        """
        roots = _possible_roots(word)
        matches = [
            source
            for source in await self.all()
            if word in {source.id, source.name} or source.root_url in roots
        ]
        if not matches:
            raise SourceError(f"no source is called {word}", hint="`ingest list` shows them all.")
        if len(matches) > 1:
            id_list = ", ".join(source.id for source in matches)
            raise SourceError(
                f"{word} names {len(matches)} sources", hint=f"Write an id: {id_list}."
            )
        return matches[0]

    async def save(self, source: Source, prefixes: tuple[str, str] | None = None) -> None:
        """Store a new or changed source, without its status.

        `prefixes` are the old and the new beginning of its addresses. Documents and chunks get the
        new beginning, so that nothing has to be read or embedded again.

        Raises: SourceError for an unknown space.
        """
        config = {name: getattr(source, name) for name in _Config.model_fields}
        async with one_transaction(self._pool) as connection:
            if prefixes:
                parameters = {"source": source.id, "old": prefixes[0], "new": prefixes[1]}
                for statement in _MOVE:
                    await connection.execute(statement, parameters)
            columns = {name: getattr(source, name) for name in _OF_SOURCE}
            space_id = (
                (await require_space(connection, source.space))["id"] if source.space else None
            )
            row: dict[str, Any] = {**columns, "config": Jsonb(config), "space_id": space_id}
            await connection.execute(_SAVE, row)

    async def set_status(self, source_id: str, status: Literal["active", "inactive"]) -> None:
        """Include the source in sync and retrieval, or exclude it."""
        await self._run(
            "UPDATE rag_sources SET status = %s, updated_at = now() WHERE id = %s",
            (status, source_id),
        )

    async def remove(self, source_id: str) -> None:
        """Delete the source with its documents, chunks, vectors and rights, and its description."""
        async with one_transaction(self._pool) as connection:
            await connection.execute("DELETE FROM rag_domain WHERE %s = ANY(sources)", (source_id,))
            await connection.execute("DELETE FROM rag_sources WHERE id = %s", (source_id,))
            await delete_orphans(connection)


async def find_space(connection: Connection, name: str) -> Mapping[str, Any] | None:
    """The id, name and readers of a space, None if there is none.

    Case and repeated spaces in the name do not matter.
    """
    query = "SELECT id, name, readers FROM rag_spaces WHERE lower(name) = lower(%s)"
    return await (await connection.execute(query, (" ".join(name.split()),))).fetchone()


async def require_space(connection: Connection, name: str) -> Mapping[str, Any]:
    """The id, name and readers of a space. Raises: SourceError if there is none."""
    space = await find_space(connection, name)
    if space is None:
        hint = "`ingest space list` shows them all; `ingest space add` makes one."
        raise SourceError(f"there is no space called {name}", hint=hint)
    return space


def _possible_roots(word: str) -> set[str]:
    """The roots that `word` may mean, even if the file no longer exists."""
    roots = {word, Path(word).absolute().as_uri(), Path(word).resolve().as_uri()}
    with suppress(SourceError):
        roots.add(root_address(word))
    return roots


def _source(row: Mapping[str, Any]) -> Source:
    config = _Config.model_validate(row["config"]).model_dump()
    return Source(**{name: row[name] for name in _OF_SOURCE}, **config)
