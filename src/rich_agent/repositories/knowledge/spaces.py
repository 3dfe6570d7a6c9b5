"""The spaces that users may read, in PostgreSQL."""

from collections.abc import Collection, Mapping, Sequence

from rich_agent.domain.rights import Reader, group_of, group_principal
from rich_agent.ports.spaces import ReadableSpace
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.knowledge.rights import (
    AUDIENCES,
    OPEN,
    READABLE,
    SHOWN,
    SPACE_PRINCIPALS,
    of_anybody,
    rights_of,
)

_READABLE = f"""
SELECT space.id, space.name, count(*) AS sources, NOT EXISTS (
    SELECT FROM rag_unchosen_spaces WHERE user_id = %(reader)s::bigint AND space_id = space.id
) AS is_chosen
FROM rag_spaces AS space JOIN rag_sources AS source ON source.space_id = space.id
WHERE source.status = 'active' AND {SHOWN}
GROUP BY space.id
ORDER BY lower(space.name)
"""
# With rights of documents, a place may be open to the reader whose source is open to everybody.
_READS_MORE = f"""
SELECT EXISTS (
    SELECT FROM rag_sources AS source
    WHERE source.status = 'active' AND {SHOWN} AND (
        NOT {of_anybody(READABLE)} OR source.has_rights AND EXISTS (
            SELECT FROM rag_places AS place
            JOIN rag_documents AS document ON document.place_id = place.id
            WHERE place.source_id = source.id AND place.audience_id IN ({AUDIENCES})
                AND place.audience_id NOT IN ({of_anybody(AUDIENCES)})
        )
    )
) AS reads_more
"""
_CHOOSE = "DELETE FROM rag_unchosen_spaces WHERE user_id = %s AND space_id = %s"
_PUT_AWAY = """
INSERT INTO rag_unchosen_spaces (user_id, space_id) SELECT %s, id FROM rag_spaces WHERE id = %s
ON CONFLICT DO NOTHING
"""
_GROUPS = """
SELECT DISTINCT principal FROM (
    SELECT unnest(readers) AS principal FROM rag_spaces UNION ALL SELECT name FROM rag_principals
) AS reading
WHERE starts_with(principal, 'telegram_group:')
"""
_OPEN = f"""
SELECT 'space:' || id AS guard FROM rag_spaces AS space
WHERE id = ANY(%(space)s::integer[]) AND (%(sees_all)s OR readers && {SPACE_PRINCIPALS})
    AND EXISTS (SELECT FROM rag_sources WHERE space_id = space.id AND status = 'active')
UNION ALL SELECT 'source:' || id FROM rag_sources AS source
WHERE id = ANY(%(source)s::text[]) AND status = 'active' AND {SHOWN}
UNION ALL SELECT 'document:' || document.id
FROM rag_documents AS document JOIN rag_sources AS source ON source.id = document.source_id
WHERE document.id = ANY(%(document)s::bigint[]) AND source.status = 'active' AND {OPEN}
"""
# Half of the time for which an answer of Telegram holds, so that a turn never outlives it.
_FRESH = """
SELECT principal FROM rag_memberships
WHERE user_id = %s AND principal = ANY(%s) AND checked_at > now() - interval '5 minutes'
"""
_NOTE = """
INSERT INTO rag_memberships (user_id, principal, checked_at, is_member)
SELECT %s, principal, now(), is_member FROM unnest(%s::text[], %s::boolean[])
    AS told (principal, is_member)
ON CONFLICT (user_id, principal) DO UPDATE
SET checked_at = excluded.checked_at, is_member = excluded.is_member
"""

# What the operator wrote stays.
_NOTE_NAMES = """
WITH gone AS (
    DELETE FROM rag_memberships
    WHERE user_id = %(user_id)s AND starts_with(principal, %(prefix)s)
        AND principal <> ALL(%(names)s::text[]) AND checked_at IS NOT NULL
)
INSERT INTO rag_memberships (user_id, principal, checked_at, is_member, holds_until)
SELECT %(user_id)s::bigint, name, now(), true, now() + make_interval(secs => %(holds_s)s)
FROM unnest(%(names)s::text[]) AS given (name)
ON CONFLICT (user_id, principal) DO UPDATE
SET checked_at = excluded.checked_at, is_member = true, holds_until = excluded.holds_until
WHERE rag_memberships.checked_at IS NOT NULL
"""


class PostgresSpaces(PostgresRepository):
    """Implements `Spaces`."""

    async def readable(self, reader: Reader) -> list[ReadableSpace]:
        return [ReadableSpace(**row) for row in await self._rows(_READABLE, rights_of(reader))]

    async def open_of(self, reader: Reader, guards: Collection[str]) -> frozenset[str]:
        kinds: dict[str, list[str]] = {"space": [], "source": [], "document": []}
        for kind, _, name in (guard.partition(":") for guard in guards):
            kinds[kind].append(name)
        rows = await self._rows(_OPEN, {**rights_of(reader), **kinds})
        return frozenset(row["guard"] for row in rows)

    async def reads_more(self, user_id: int) -> bool:
        row = await self._one(_READS_MORE, rights_of(Reader(user_id)))
        return bool(row["reads_more"])

    async def choose(self, user_id: int, space_id: int, *, is_chosen: bool) -> None:
        await self._run(_CHOOSE if is_chosen else _PUT_AWAY, (user_id, space_id))

    async def groups(self) -> Sequence[int]:
        ids = (group_of(row["principal"]) for row in await self._rows(_GROUPS))
        return [group for group in ids if group is not None]

    async def stale_groups(self, user_id: int, groups: Sequence[int]) -> list[int]:
        principals = [group_principal(group) for group in groups]
        fresh_principals = {
            row["principal"] for row in await self._rows(_FRESH, (user_id, principals))
        }
        return [group for group in groups if group_principal(group) not in fresh_principals]

    async def note_members(self, user_id: int, groups: Mapping[int, bool]) -> None:
        principals = [group_principal(group) for group in groups]
        await self._run(_NOTE, (user_id, principals, list(groups.values())))

    async def note_names(
        self, user_id: int, prefix: str, names: Collection[str], holds_s: float
    ) -> None:
        values = {"user_id": user_id, "prefix": prefix, "names": [*names], "holds_s": holds_s}
        await self._run(_NOTE_NAMES, values)
