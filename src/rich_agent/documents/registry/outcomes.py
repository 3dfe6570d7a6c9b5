"""The outcome of a source's last sync, stored with the source: counts, failures, what is missing.

A sync writes it once, so that lists of sources need not count anything again.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Self

from psycopg.types.json import Jsonb
from pydantic import BaseModel, ConfigDict

from rich_agent.domain.inventory import VISIBLE_PARTS
from rich_agent.domain.json_values import storable
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.database.repository import fetch_all, fetch_one

_MOST_CAUSES = 50
_EXAMPLES = 5
_MOST_REASON_CHARS = 500
_COUNTS = """
SELECT count(*) AS documents, coalesce(sum(chunk_count), 0)::bigint AS passages,
    count(*) FILTER (WHERE chunk_count = 0) AS empty,
    (array_agg(url ORDER BY url) FILTER (WHERE chunk_count = 0))[1] AS empty_example
FROM rag_documents WHERE source_id = %s
"""
_UNREAD = """
SELECT kind, sum(held - read)::integer AS parts, count(*)::integer AS documents, min(url) AS example
FROM rag_documents, jsonb_each(inventory) AS part (kind, counts),
    LATERAL (SELECT (counts->>0)::integer AS held, (counts->>1)::integer AS read) AS counted
WHERE source_id = %s AND inventory <> '{}' AND kind = ANY(%s) AND held > read
GROUP BY kind ORDER BY parts DESC, kind
"""
_NOTE = "UPDATE rag_sources SET last_sync = %s WHERE id = %s"


class _Stored(BaseModel):
    """A part of the column `last_sync`; rows of other versions lack fields, or have more."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Cause(_Stored):
    """Documents with the same problem: how many, and the addresses of the first."""

    reason: str
    documents: int
    examples: tuple[str, ...] = ()


class UnreadKind(_Stored):
    """Parts of one kind that a person sees in the stored documents, and that were not read."""

    kind: str
    parts: int
    documents: int
    example: str = ""


class StoredContent(_Stored):
    """The stored documents of a source after a sync.

    `empty`: the number of documents without a passage.
    """

    documents: int = 0
    passages: int = 0
    empty: int = 0
    empty_example: str = ""
    unread: tuple[UnreadKind, ...] = ()


class SourceOutcome(_Stored):
    """The outcome of one sync of a source.

    `changes`: numbers of documents, by `new`, `changed`, `unchanged`, `removed`, `failed`.
    `problem`: the reason why the source could not be read, or not wholly, "" without one.
    `left_out`: pages that could be read and are not stored.
    `notes`: hints for the operator.
    """

    at: datetime
    seconds: float = 0.0
    changes: Mapping[str, int] = {}
    problem: str = ""
    failures: tuple[Cause, ...] = ()
    left_out: tuple[Cause, ...] = ()
    notes: tuple[str, ...] = ()
    content: StoredContent = StoredContent()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self | None:
        """The outcome in a row, None if no sync has written one yet."""
        return cls.model_validate(value) if value else None


def causes_of(problems: Iterable[tuple[str, str]]) -> tuple[Cause, ...]:
    """Addresses with their reasons, grouped by reason, the most frequent first."""
    groups: dict[str, tuple[int, list[str]]] = {}
    for url, reason in problems:
        count, examples = groups.get(reason, (0, []))
        groups[reason] = (count + 1, [*examples, url] if len(examples) < _EXAMPLES else examples)
    ranked = sorted(groups.items(), key=lambda group: -group[1][0])[:_MOST_CAUSES]
    return tuple(
        Cause(reason=reason[:_MOST_REASON_CHARS], documents=count, examples=tuple(examples))
        for reason, (count, examples) in ranked
    )


async def measure_content(connection: Connection, source_id: str) -> StoredContent:
    """Count the stored documents of a source, and what was not read in them."""
    counts = await fetch_one(connection, _COUNTS, (source_id,))
    unread_rows = await fetch_all(connection, _UNREAD, (source_id, list(VISIBLE_PARTS)))
    empty_example = counts.pop("empty_example") or ""
    return StoredContent(
        **counts,
        empty_example=empty_example,
        unread=tuple(UnreadKind(**row) for row in unread_rows),
    )


async def note_outcome(connection: Connection, source_id: str, outcome: SourceOutcome) -> None:
    """Store the outcome of a source's sync."""
    row = Jsonb(storable(outcome.model_dump(mode="json")))
    await connection.execute(_NOTE, (row, source_id))
