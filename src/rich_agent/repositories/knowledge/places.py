"""Rights of documents as their services give them: places, audiences, and groups of principals.

Each read of documents checks these rows. So a right that is removed here is removed everywhere,
whatever the size of a folder.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, LiteralString

import structlog

from rich_agent.domain.rights import PlaceReaders, ServiceGroup, is_account, is_principal
from rich_agent.domain.rights_changes import Rights, RightsChanges
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.pools import Connection, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all

_LONGEST_KEY = 1_000
# Audiences and principals are shared by sources, and what nobody uses any more is deleted.
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('rag_places', 0))"

# Ids are not wasted on what is known: most rights are stored again every few minutes.
_ADD_PRINCIPALS = """
INSERT INTO rag_principals (name)
SELECT name FROM unnest(%(names)s::text[]) AS given (name)
WHERE NOT EXISTS (SELECT FROM rag_principals WHERE name = given.name)
"""
_IDS = "SELECT name, id FROM rag_principals WHERE name = ANY(%(names)s)"
_KNOWN_AUDIENCES = "SELECT digest FROM rag_audiences WHERE digest = ANY(%s)"
_ADD_AUDIENCE = "INSERT INTO rag_audiences (digest, principals) VALUES (%s, %s)"
_GIVEN_PLACES = """
WITH given AS MATERIALIZED (
    SELECT key, audience.id AS audience_id
    FROM unnest(%(keys)s::text[], %(digests)s::text[]) AS given (key, digest)
    LEFT JOIN rag_audiences AS audience USING (digest)
)
"""
_CHANGE_PLACES = f"""
{_GIVEN_PLACES}
UPDATE rag_places AS place SET audience_id = given.audience_id FROM given
WHERE place.source_id = %(source)s AND place.key = given.key
    AND place.audience_id IS DISTINCT FROM given.audience_id
"""
_ADD_PLACES = f"""
{_GIVEN_PLACES}
INSERT INTO rag_places (source_id, key, audience_id)
SELECT %(source)s, key, audience_id FROM given WHERE NOT EXISTS (
    SELECT FROM rag_places WHERE source_id = %(source)s AND key = given.key
)
"""
_CLOSE_OTHER_PLACES = """
UPDATE rag_places AS place SET audience_id = NULL
WHERE source_id = %(source)s AND audience_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM unnest(%(keys)s::text[]) AS given (key) WHERE given.key = place.key
)
"""
_GIVEN_MEMBERS = """
WITH given AS MATERIALIZED (
    SELECT * FROM unnest(%(groups)s::integer[], %(members)s::integer[])
        AS given (group_id, member_id)
)
"""
_REMOVE_MEMBERS = f"""
{_GIVEN_MEMBERS}
DELETE FROM rag_members AS known
WHERE source_id = %(source)s AND (%(is_whole)s OR group_id = ANY(%(named)s::integer[]))
    AND NOT EXISTS (
        SELECT FROM given
        WHERE given.group_id = known.group_id AND given.member_id = known.member_id
    )
"""
_ADD_MEMBERS = f"""
{_GIVEN_MEMBERS}
INSERT INTO rag_members (source_id, group_id, member_id)
SELECT %(source)s, group_id, member_id FROM given ON CONFLICT DO NOTHING
"""
_GUARD = "UPDATE rag_sources SET has_rights = true WHERE id = %(source)s AND NOT has_rights"
_NOTE_TIME = "UPDATE rag_sources SET rights_read_at = now() WHERE id = %(source)s"
# Those of a source without rights may lack it.
_NOTE_DOCUMENTS = """
UPDATE rag_embeddings AS vector SET document_id = chunk.document_id FROM rag_chunks AS chunk
WHERE chunk.id = chunk_id AND vector.source_id = %(source)s AND vector.document_id IS NULL
"""

_ASSIGN = (
    """
    INSERT INTO rag_places (source_id, key)
    SELECT %(source)s, key FROM (SELECT DISTINCT unnest(%(keys)s::text[]) AS key) AS given
    WHERE key <> '' AND NOT EXISTS (
        SELECT FROM rag_places WHERE source_id = %(source)s AND key = given.key
    )
    """,
    """
    UPDATE rag_documents AS document SET place_id = place.id
    FROM unnest(%(urls)s::text[], %(keys)s::text[]) AS given (url, key)
    LEFT JOIN rag_places AS place ON place.source_id = %(source)s AND place.key = given.key
    WHERE document.source_id = %(source)s AND document.url = given.url
        AND document.place_id IS DISTINCT FROM place.id
    """,
)
_STORED_READERS = """
SELECT place.key, array_agg(principal.name) AS readers FROM rag_places AS place
JOIN rag_audiences AS audience ON audience.id = place.audience_id
JOIN rag_principals AS principal ON principal.id = ANY(audience.principals)
WHERE place.source_id = %s GROUP BY place.id
"""
_STORED_MEMBERS = """
SELECT holder.name, array_agg(member.name) AS members FROM rag_members AS known
JOIN rag_principals AS holder ON holder.id = known.group_id
JOIN rag_principals AS member ON member.id = known.member_id
WHERE known.source_id = %s GROUP BY holder.name
"""
_STORED_DOCUMENTS = """
SELECT document.url, coalesce(place.key, '') AS place FROM rag_documents AS document
LEFT JOIN rag_places AS place ON place.id = document.place_id WHERE document.source_id = %s
"""
_FORGET_UNUSED: tuple[LiteralString, ...] = (
    """
    DELETE FROM rag_places AS place WHERE audience_id IS NULL
        AND NOT EXISTS (SELECT FROM rag_documents WHERE place_id = place.id)
    """,
    """
    DELETE FROM rag_audiences AS audience
    WHERE NOT EXISTS (SELECT FROM rag_places WHERE audience_id = audience.id)
    """,
    """
    DELETE FROM rag_principals WHERE id NOT IN (
        SELECT unnest(principals) FROM rag_audiences UNION ALL SELECT group_id FROM rag_members
        UNION ALL SELECT member_id FROM rag_members
    )
    """,
)
_log = structlog.get_logger(__name__)


class PostgresPlaces(PostgresRepository):
    """Stores the rights that services report; they apply to the next statement that reads."""

    async def store(
        self,
        source_id: str,
        accesses: Iterable[PlaceReaders],
        groups: Iterable[ServiceGroup],
        *,
        is_whole: bool,
    ) -> None:
        """Store who may read places of a source, and who is in groups of its service.

        With `is_whole`, places that are not named are nobody's from now on, and groups empty; only
        then is it all known for a day again. A
        source of which a place was ever named has rights: what is in no place is nobody's.
        Principals that cannot be are left out. Raises: DatabaseUnavailableError.
        """
        rights = _NewRights.of(accesses, groups)
        async with one_transaction(self._pool) as connection:
            await connection.execute(_ONE_AT_A_TIME)
            await connection.execute(_ADD_PRINCIPALS, {"names": sorted(rights.names)})
            rows = await fetch_all(connection, _IDS, {"names": sorted(rights.names)})
            ids = {row["name"]: row["id"] for row in rows}
            values = {"source": source_id, "is_whole": is_whole}
            changes = await _store_places(connection, rights, ids, values)
            changes += await _store_members(connection, rights, ids, values)
            if rights.readers and (await connection.execute(_GUARD, values)).rowcount:
                await connection.execute(_NOTE_DOCUMENTS, values)
            if is_whole:
                await connection.execute(_NOTE_TIME, values)
            if changes and is_whole:
                await delete_orphans(connection)

    async def compare(
        self,
        source_id: str,
        accesses: Iterable[PlaceReaders],
        groups: Iterable[ServiceGroup],
        places: Mapping[str, str],
    ) -> RightsChanges:
        """The changes that `store` would make with these rights, and `assign` with these places.

        Raises: DatabaseUnavailableError.
        """
        readers = await self._rows(_STORED_READERS, (source_id,))
        members = await self._rows(_STORED_MEMBERS, (source_id,))
        documents = await self._rows(_STORED_DOCUMENTS, (source_id,))
        stored_rights = Rights(
            {row["key"]: frozenset(row["readers"]) for row in readers},
            {row["name"]: frozenset(row["members"]) for row in members},
            {row["url"]: row["place"] for row in documents},
        )
        new_rights = _NewRights.of(accesses, groups)
        place_by_url = {url: stored_key(place) for url, place in places.items()}
        return RightsChanges.between(
            stored_rights, Rights(new_rights.readers, new_rights.members, place_by_url)
        )

    async def assign(self, source_id: str, places: Mapping[str, str]) -> None:
        """Set the places of documents by their urls; "" stands for no place.

        A new place is open to nobody yet. Urls of unknown documents are ignored.

        Raises: DatabaseUnavailableError.
        """
        async with one_transaction(self._pool) as connection:
            await assign_places(connection, source_id, places)


async def assign_places(connection: Connection, source_id: str, places: Mapping[str, str]) -> None:
    """Set the places of documents in the caller's transaction; see `PostgresPlaces.assign`."""
    keys = [stored_key(key) for key in places.values()]
    values = {"source": source_id, "urls": list(places), "keys": keys}
    await connection.execute(_ONE_AT_A_TIME)
    for statement in _ASSIGN:
        await connection.execute(statement, values)


async def delete_orphans(connection: Connection) -> None:
    """Delete places, audiences and names of principals that nothing refers to any more."""
    await connection.execute(_ONE_AT_A_TIME)
    for statement in _FORGET_UNUSED:
        await connection.execute(statement)


@dataclass(frozen=True, slots=True)
class _NewRights:
    """Readers by the key of a place, and members by group."""

    readers: Mapping[str, frozenset[str]]
    members: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, accesses: Iterable[PlaceReaders], groups: Iterable[ServiceGroup]) -> "_NewRights":
        readers_by_place = {stored_key(one.place): _possible(one.readers) for one in accesses}
        members_by_group = {one.principal: _possible(one.members) for one in groups}
        return cls(
            readers_by_place,
            {name: members_by_group[name] for name in filter(is_account, members_by_group)},
        )

    @property
    def names(self) -> frozenset[str]:
        return frozenset().union(self.members, *self.readers.values(), *self.members.values())


async def _store_places(
    connection: Connection, rights: _NewRights, ids: Mapping[str, int], scope: Mapping[str, Any]
) -> int:
    """Store the audiences of places; return the number of places whose audience changed."""
    audience_by_key = {
        place_key: sorted(ids[name] for name in names)
        for place_key, names in rights.readers.items()
    }
    digest_by_key = {
        place_key: _digest(principals)
        for place_key, principals in audience_by_key.items()
        if principals
    }
    audience_by_digest = {
        digest: audience_by_key[place_key] for place_key, digest in digest_by_key.items()
    }
    rows = await fetch_all(connection, _KNOWN_AUDIENCES, (list(audience_by_digest),))
    new_digests = audience_by_digest.keys() - {row["digest"] for row in rows}
    async with connection.cursor() as cursor:
        await cursor.executemany(
            _ADD_AUDIENCE, [(digest, audience_by_digest[digest]) for digest in new_digests]
        )
    place_keys = list(audience_by_key)
    values = {
        **scope,
        "keys": place_keys,
        "digests": [digest_by_key.get(place_key) for place_key in place_keys],
    }
    change_count = (await connection.execute(_CHANGE_PLACES, values)).rowcount
    change_count += (await connection.execute(_ADD_PLACES, values)).rowcount
    if scope["is_whole"]:
        change_count += (await connection.execute(_CLOSE_OTHER_PLACES, values)).rowcount
    return change_count


async def _store_members(
    connection: Connection, rights: _NewRights, ids: Mapping[str, int], scope: Mapping[str, Any]
) -> int:
    """Store the members of groups; return the number of added and removed members."""
    pairs = [(ids[group], ids[one]) for group, members in rights.members.items() for one in members]
    values = {
        **scope,
        "groups": [group for group, _ in pairs],
        "members": [member for _, member in pairs],
        "named": [ids[group] for group in rights.members],
    }
    changes = (await connection.execute(_REMOVE_MEMBERS, values)).rowcount
    return changes + (await connection.execute(_ADD_MEMBERS, values)).rowcount


def _possible(principals: Iterable[str]) -> frozenset[str]:
    """The valid principals; leaving out the others gives nobody more rights."""
    principal_names = frozenset(principals)
    valid_names = frozenset(
        name for name in principal_names if is_principal(name) or is_account(name)
    )
    if len(valid_names) < len(principal_names):
        _log.warning("places.odd_principals", count=len(principal_names) - len(valid_names))
    return valid_names


def stored_key(key: str) -> str:
    """The key in a form that can be stored and indexed; different keys stay different."""
    clean = clean_text(key)
    if clean == key and len(key.encode()) <= _LONGEST_KEY:
        return key
    return f"{clean[: _LONGEST_KEY // 8]} {_digest(key.encode('utf-8', 'surrogatepass'))}"


def _digest(value: object) -> str:
    """A short hash of a value, which identifies it."""
    return sha256(value if isinstance(value, bytes) else repr(value).encode()).hexdigest()
