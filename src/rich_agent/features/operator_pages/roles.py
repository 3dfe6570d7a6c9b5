"""OperatorRoles of the operator's pages, and what each may see and change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from rich_agent.feature import PostgresRepository
from rich_agent.feature.accounts import Access
from rich_agent.feature.database import NEWS_CHANNEL, OPERATORS

Role = Literal["owner", "operator", "viewer", "author"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
OWNERS: Final = frozenset({"owner"})
"""May give roles and change settings that concern everybody's rights."""
CHANGERS: Final = OWNERS | {"operator"}
"""May change what all pages show."""
READERS: Final = CHANGERS | {"viewer"}
"""May see all pages."""
KNOWLEDGE_CHANGERS: Final = CHANGERS | {"author"}
"""May change sources and documents, and work on questions without an answer."""
KNOWLEDGE_READERS: Final = READERS | KNOWLEDGE_CHANGERS
"""May see the pages on documents and on questions without an answer."""

_FIND = "SELECT role FROM operator_roles WHERE user_id = %s"
_ALL = "SELECT user_id, role FROM operator_roles ORDER BY user_id"
_TELL = f"""
SELECT pg_notify('{NEWS_CHANNEL}', listener::text)
FROM changed, unnest(ARRAY[user_id, {OPERATORS}]) AS listener
"""
_GIVE = f"""
WITH changed AS (
    INSERT INTO operator_roles (user_id, role, given_by) VALUES (%(user_id)s, %(role)s, %(by)s)
    ON CONFLICT (user_id) DO UPDATE SET
        role = excluded.role, given_by = excluded.given_by, given_at = clock_timestamp()
    RETURNING user_id
)
{_TELL}
"""
_TAKE = f"""
WITH changed AS (DELETE FROM operator_roles WHERE user_id = %(user_id)s RETURNING user_id)
{_TELL}
"""


class GivenRoles(PostgresRepository):
    """OperatorRoles in the database. Every method may raise DatabaseUnavailableError."""

    async def find(self, user_id: int) -> str | None:
        """The role of a user, None without one."""
        row = await self._row(_FIND, (user_id,))
        return row["role"] if row else None

    async def all_of_them(self) -> Mapping[int, str]:
        """All roles by user id."""
        return {row["user_id"]: row["role"] for row in await self._rows(_ALL)}

    async def give(self, user_id: int, role: Role | None, *, by: int) -> None:
        """Give a user a role, or take it back; it counts at once in every process."""
        statement = _TAKE if role is None else _GIVE
        await self._run(statement, {"user_id": user_id, "role": role, "by": by})


@dataclass(frozen=True, slots=True)
class OperatorRoles:
    """The role of each user. Admins of the settings are owners, whatever the database says."""

    access: Access
    given: GivenRoles

    async def of(self, user_id: int) -> str | None:
        """The role of a user, None if the pages are not for them."""
        return "owner" if self.access.is_admin(user_id) else await self.given.find(user_id)

    async def reads_all(self, user_id: int) -> bool:
        """Whether the user may see all of the pages."""
        return await self.of(user_id) in READERS

    async def is_author(self, user_id: int) -> bool:
        """Whether the user may see the pages on documents and questions alone."""
        return await self.of(user_id) in KNOWLEDGE_READERS - READERS
