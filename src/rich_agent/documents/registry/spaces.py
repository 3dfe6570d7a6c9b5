"""Spaces for the operator: their sources, who may read them, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from rich_agent.documents.registry.sources import PostgresSources, find_space, require_space
from rich_agent.documents.source import SourceError
from rich_agent.domain.rights import LIST_KIND, PrincipalError, Reader, is_account, principal_of
from rich_agent.repositories.database.pools import Connection, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all
from rich_agent.repositories.knowledge.rights import (
    CURRENT,
    OPEN,
    PRINCIPAL_IDS,
    SHOWN,
    SPACE_PRINCIPALS,
    rights_of,
)

SpaceOutcome = Literal["added", "changed", "unchanged", "removed"]
NOBODY_YET = "nobody may read it yet (--grant)"
_MOST_NAME_CHARS = 60

_ALL = """
SELECT space.name, space.readers, coalesce(
    array_agg(source.name ORDER BY source.name) FILTER (WHERE source.id IS NOT NULL), '{}'
) AS sources
FROM rag_spaces AS space LEFT JOIN rag_sources AS source ON source.space_id = space.id
GROUP BY space.id ORDER BY lower(space.name)
"""
_UNKNOWN = """
SELECT name FROM unnest(%s::text[]) AS given (name)
WHERE starts_with(name, 'external:') AND NOT EXISTS (
    SELECT FROM rag_principals WHERE rag_principals.name = given.name
    UNION ALL SELECT FROM rag_memberships WHERE principal = given.name
)
"""
_MEMBERS = """
SELECT user_id FROM rag_memberships WHERE principal = %s AND is_member ORDER BY user_id
"""
_LISTS = """
SELECT wanted.principal, user_id
FROM unnest(%(lists)s::text[], %(after)s::bigint[]) AS wanted (principal, after_id)
CROSS JOIN LATERAL (
    SELECT user_id FROM rag_memberships
    WHERE principal = wanted.principal AND is_member AND user_id > after_id
    ORDER BY user_id LIMIT %(most)s
) AS listed
ORDER BY 1, 2
"""
_ADD_MEMBERS = """
INSERT INTO rag_memberships (user_id, principal) SELECT unnest(%s::bigint[]), %s
ON CONFLICT DO NOTHING
"""
_REMOVE_MEMBERS = "DELETE FROM rag_memberships WHERE user_id = ANY(%s::bigint[]) AND principal = %s"
_ACCOUNTS = """
SELECT principal FROM rag_memberships
WHERE user_id = %s AND starts_with(principal, 'external:') ORDER BY principal
"""
_ADD_ACCOUNTS = """
INSERT INTO rag_memberships (user_id, principal) SELECT %s, unnest(%s::text[])
ON CONFLICT DO NOTHING
"""
_REMOVE_ACCOUNTS = "DELETE FROM rag_memberships WHERE user_id = %s AND principal = ANY(%s::text[])"

_RIGHTS = f"""
SELECT source.name AS source, coalesce(space.name, '') AS space, {SHOWN} AS is_readable,
    source.status, source.has_rights, {CURRENT} AS is_current, ARRAY(
        SELECT unnest(space.readers) INTERSECT SELECT unnest({SPACE_PRINCIPALS}) ORDER BY 1
    ) AS by, ARRAY(
        SELECT name FROM rag_principals WHERE id IN (
            SELECT unnest(principals) FROM rag_audiences WHERE id IN (
                SELECT audience_id FROM rag_places WHERE source_id = source.id
            )
        ) AND id = ANY({PRINCIPAL_IDS}) ORDER BY name
    ) AS through, (
        SELECT count(*) FROM rag_documents AS document
        WHERE source_id = source.id AND {OPEN}
    ) AS readable, (
        SELECT count(*) FROM rag_documents WHERE source_id = source.id
    ) AS documents
FROM rag_sources AS source LEFT JOIN rag_spaces AS space ON space.id = source.space_id
WHERE source.status <> 'private' AND (%(source)s::text IS NULL OR source.id = %(source)s)
ORDER BY source.name
"""


@dataclass(frozen=True, slots=True)
class SpaceOverview:
    """A space with the principals who may read it, and the names of its sources."""

    name: str
    readers: tuple[str, ...]
    sources: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The space as `ingest space list --json` prints it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SpaceChange:
    """A change of a space by a command.

    `readers`: the principals who may read it from now on.
    `unknown`: those of them that no service has mentioned yet.
    """

    name: str
    outcome: SpaceOutcome
    readers: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The change as the commands print it with `--json`."""
        return asdict(self)

    def in_words(self) -> str:
        """The change for a person; the names that are unknown are on a line of their own."""
        if self.outcome == "removed":
            return f"removed the space {self.name}"
        change = "added" if self.outcome == "added" else f"{self.outcome}:"
        readers = f"read by {', '.join(self.readers)}" if self.readers else NOBODY_YET
        lines = [f"{change} the space {self.name}; {readers}"]
        if self.unknown:
            advice = "`ingest rights DOCUMENT` shows its names"
            lines.append(f"note: no service has told of {', '.join(self.unknown)} yet; {advice}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class ExplainedRight:
    """The right of a user, or of anybody, to read a source.

    `by`: the principals through which the space is open to the user, () without a space.
    `has_rights`: whether the source's service tells who may read each document.
    `is_current`: whether the service has done so lately; if not, nobody may read the source.
    `readable`: the number of documents that are open to the user.
    `documents`: the number of all documents.
    `through`: the readers in the source that the user is, or belongs to.
    """

    source: str
    space: str
    status: str
    is_readable: bool
    by: tuple[str, ...]
    has_rights: bool
    is_current: bool
    readable: int
    documents: int
    through: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The right as `ingest rights --json` prints it."""
        return asdict(self)


class PostgresSpaceRegistry(PostgresRepository):
    """Reads and writes spaces, and the lists of people who read them."""

    async def all(self) -> list[SpaceOverview]:
        """All spaces, by name."""
        return [
            SpaceOverview(row["name"], tuple(row["readers"]), tuple(row["sources"]))
            for row in await self._rows(_ALL)
        ]

    async def add(
        self, name: str, grant: Sequence[str] = (), revoke: Sequence[str] = ()
    ) -> "SpaceChange":
        """Add a space, or change who may read one. A new space has no readers.

        Raises: SourceError for an invalid name, PrincipalError.
        """
        name = " ".join(name.split())
        if not name or len(name) > _MOST_NAME_CHARS:
            hint = f"Give it a name of at most {_MOST_NAME_CHARS} characters."
            raise SourceError("a space needs a short name", hint=hint)
        grants, revocations = [*map(principal_of, grant)], {*map(principal_of, revoke)}
        async with one_transaction(self._pool) as connection:
            space = await find_space(connection, name)
            previous_readers = list(space["readers"]) if space else []
            readers = [
                reader
                for reader in dict.fromkeys([*previous_readers, *grants])
                if reader not in revocations
            ]
            if space is None:
                query = "INSERT INTO rag_spaces (name, readers) VALUES (%s, %s)"
                await connection.execute(query, (name, readers))
            else:
                name = space["name"]
                query = "UPDATE rag_spaces SET readers = %s WHERE id = %s"
                await connection.execute(query, (readers, space["id"]))
            unknown_names = await _unknown(connection, grants)
        outcome: SpaceOutcome = "changed" if readers != previous_readers else "unchanged"
        return SpaceChange(
            name, "added" if space is None else outcome, tuple(readers), unknown_names
        )

    async def remove(self, name: str) -> "SpaceChange":
        """Remove a space without sources.

        Raises: SourceError for an unknown space, and for a space with sources, which everybody
        could read without it.
        """
        async with one_transaction(self._pool) as connection:
            space = await require_space(connection, name)
            query = "SELECT name FROM rag_sources WHERE space_id = %s ORDER BY name"
            sources = [row["name"] for row in await fetch_all(connection, query, (space["id"],))]
            if sources:
                hint = "Remove these sources, or register them again with another --space."
                raise SourceError(f"{space['name']} still has {', '.join(sources)}", hint=hint)
            await connection.execute("DELETE FROM rag_spaces WHERE id = %s", (space["id"],))
        return SpaceChange(space["name"], "removed")

    async def change_members(
        self, name: str, add: Sequence[int] = (), remove: Sequence[int] = ()
    ) -> list[int]:
        """Add users to a list of people, and remove others; return the ids of all members.

        Raises: PrincipalError for an invalid name.
        """
        principal = principal_of(f"{LIST_KIND}:{name}")
        async with one_transaction(self._pool) as connection:
            await connection.execute(_ADD_MEMBERS, (list(add), principal))
            await connection.execute(_REMOVE_MEMBERS, (list(remove), principal))
            rows = await fetch_all(connection, _MEMBERS, (principal,))
        return [row["user_id"] for row in rows]

    async def members(self, lists: Mapping[str, int], most: int) -> dict[str, list[int]]:
        """The ids of members of lists of people, sorted, by the principals of the lists.

        Of each list, given with the id after which its page begins, at most `most`.
        """
        members: dict[str, list[int]] = {principal: [] for principal in lists}
        values = {"lists": [*lists], "after": [*lists.values()], "most": most}
        for row in await self._rows(_LISTS, values):
            members[row["principal"]].append(row["user_id"])
        return members

    async def change_accounts(
        self, user_id: int, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> list[str]:
        """Add and remove the accounts of a user at services; return all accounts.

        Raises: PrincipalError for a name that is not an account.
        """
        for name in (*add, *remove):
            if not is_account(name):
                hint = "Write external:SOURCE:NAME, as `ingest rights DOCUMENT` shows them."
                raise PrincipalError(f"{name}: this is no account at a service", hint=hint)
        async with one_transaction(self._pool) as connection:
            await connection.execute(_ADD_ACCOUNTS, (user_id, list(add)))
            await connection.execute(_REMOVE_ACCOUNTS, (user_id, list(remove)))
            rows = await fetch_all(connection, _ACCOUNTS, (user_id,))
        return [row["principal"] for row in rows]

    async def explain(self, user_id: int | None, source: str | None = None) -> list[ExplainedRight]:
        """Explain whether a user, or anybody, may read each source, or the given source.

        Raises: SourceError for an unknown source.
        """
        source_id = (await PostgresSources(self._pool).find(source)).id if source else None
        rows = await self._rows(_RIGHTS, {**rights_of(Reader(user_id)), "source": source_id})
        return [
            ExplainedRight(**{**row, "by": tuple(row["by"]), "through": tuple(row["through"])})
            for row in rows
        ]


async def _unknown(connection: Connection, grants: Sequence[str]) -> tuple[str, ...]:
    """The names that no service has mentioned yet."""
    rows = await fetch_all(connection, _UNKNOWN, (list(grants),))
    return tuple(row["name"] for row in rows)
