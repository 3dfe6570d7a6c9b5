"""The vector spaces: the space that queries use, and a space that is being built."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.database.repository import fetch_all, fetch_one

_REGISTER = """
INSERT INTO rag_vector_spaces (model, dimensions) VALUES (%(model)s, %(dimensions)s)
ON CONFLICT DO NOTHING
"""

# A new id, because vectors of the retired space may be missing: every document is checked.
_REVIVE = """
UPDATE rag_vector_spaces SET id = DEFAULT, status = 'building', created_at = now()
WHERE model = %(model)s AND dimensions = %(dimensions)s AND status = 'retired'
"""

_FIND = """
SELECT id, model, dimensions, status FROM rag_vector_spaces
WHERE model = %(model)s AND dimensions = %(dimensions)s
"""

_ACTIVATE_FIRST = """
UPDATE rag_vector_spaces SET status = 'active', switched_at = now()
WHERE id = %s AND NOT EXISTS (SELECT FROM rag_vector_spaces WHERE status = 'active')
"""

_IS_MISSING = """
SELECT EXISTS (
    SELECT FROM rag_chunks AS chunk JOIN rag_sources AS source ON source.id = chunk.source_id
    WHERE source.status = 'active' AND NOT EXISTS (
        SELECT FROM rag_embeddings AS vector WHERE vector.chunk_id = chunk.id
            AND model = %(model)s AND dimensions = %(dimensions)s
    ) AND NOT EXISTS (
        SELECT FROM rag_refused_chunks AS refused WHERE refused.chunk_id = chunk.id
            AND model = %(model)s AND dimensions = %(dimensions)s
    )
) AS is_missing
"""

_RETIRE = """
UPDATE rag_vector_spaces SET status = 'retired', switched_at = clock_timestamp()
WHERE status = 'active' AND id <> %s
"""
_ACTIVATE = """
UPDATE rag_vector_spaces SET status = 'active', switched_at = clock_timestamp() WHERE id = %s
"""

# Queries that began before a switch still need the old vectors, so these are not deleted at once.
_SUPERFLUOUS = """
SELECT id, model, dimensions FROM rag_vector_spaces
WHERE status = 'retired' AND switched_at < %(began)s
    OR status = 'building' AND created_at < now() - interval '7 days'
        AND id IS DISTINCT FROM %(configured)s
"""
_DELETE_SOME = """
WITH portion AS (
    SELECT chunk_id FROM rag_embeddings
    WHERE model = %(model)s AND dimensions = %(dimensions)s AND chunk_id > %(after)s
    ORDER BY chunk_id LIMIT 5000
), deleted AS (
    DELETE FROM rag_embeddings AS vector USING portion
    WHERE vector.chunk_id = portion.chunk_id AND model = %(model)s AND dimensions = %(dimensions)s
)
SELECT max(chunk_id) AS last FROM portion
"""


@dataclass(frozen=True, slots=True)
class OpenSpace:
    """A space that receives vectors.

    A document records the `id` of the space in which all its chunks have vectors.
    """

    id: int
    model: str
    dimensions: int
    is_active: bool
    is_retired: bool = False


async def open_space(connection: Connection, space: VectorSpace) -> OpenSpace:
    """The configured space, registered if it is new, and built again if it was retired."""
    await connection.execute(_REGISTER, asdict(space))
    await connection.execute(_REVIVE, asdict(space))
    return await find_space(connection, space)


async def register_space(connection: Connection, space: VectorSpace) -> OpenSpace:
    """The space, registered if it is new; one that a sync has retired stays so."""
    await connection.execute(_REGISTER, asdict(space))
    return await find_space(connection, space)


async def find_space(connection: Connection, space: VectorSpace) -> OpenSpace:
    """The space. If it was never opened, its id is 0, which no document has."""
    row = await (await connection.execute(_FIND, asdict(space))).fetchone()
    if row is None:
        return OpenSpace(0, space.model, space.dimensions, is_active=False)
    status = row["status"]
    return OpenSpace(
        row["id"], space.model, space.dimensions, status == "active", status == "retired"
    )


async def activate_first(connection: Connection, space: OpenSpace) -> None:
    """Make the space active for queries if no space is active."""
    if not space.is_active:
        await connection.execute(_ACTIVATE_FIRST, (space.id,))


async def note_documents(
    connection: Connection, space: OpenSpace, document_ids: Sequence[int]
) -> None:
    """Record that all chunks of these documents have vectors in the space."""
    await connection.execute(
        "UPDATE rag_documents SET space_id = %s WHERE id = ANY(%s)", (space.id, list(document_ids))
    )


async def is_complete(connection: Connection, space: OpenSpace) -> bool:
    """Whether all chunks of active sources have vectors in the space, or can have none."""
    return not (await fetch_one(connection, _IS_MISSING, asdict(space)))["is_missing"]


async def switch_to(connection: Connection, space: OpenSpace) -> None:
    """Make the space the active one for queries, and retire the previous one."""
    async with connection.transaction():
        await connection.execute(_RETIRE, (space.id,))
        await connection.execute(_ACTIVATE, (space.id,))


async def superfluous_spaces(
    connection: Connection, began: datetime, current: OpenSpace | None
) -> list[OpenSpace]:
    """Spaces that were retired before `began`, or not completed within a week."""
    parameters = {"began": began, "configured": current.id if current else None}
    rows = await fetch_all(connection, _SUPERFLUOUS, parameters)
    return [OpenSpace(**row, is_active=False) for row in rows]


async def delete_space(connection: Connection, space: OpenSpace) -> None:
    """Delete a space and its vectors, in portions."""
    last_chunk_id: str | None = ""
    while last_chunk_id is not None:
        parameters = {**asdict(space), "after": last_chunk_id}
        last_chunk_id = (await fetch_one(connection, _DELETE_SOME, parameters))["last"]
    await connection.execute("DELETE FROM rag_vector_spaces WHERE id = %s", (space.id,))
