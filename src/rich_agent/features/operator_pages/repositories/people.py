"""People who use the bot, and invitations, for the page People."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rich_agent.feature import PostgresRepository, RichAgentError
from rich_agent.feature.database import NEWS_CHANNEL, OPERATORS
from rich_agent.feature.usage import ModelUse, Usage
from rich_agent.feature.web import hash_token, make_secret
from rich_agent.features.operator_pages.repositories.usage_days import USAGE_SUMS

INVITE = "rai_"
"""Begins the secrets of invitations."""
Shown = Literal["all", "blocked", "roles"]
_COLUMNS = """
telegram_user_id AS user_id, coalesce(first_name, '') AS name, coalesce(username, '') AS username,
created_at AS since, last_seen_at AS seen_at, blocked_at IS NOT NULL AS is_blocking,
listed.is_allowed, role
"""
_FITS = """
(%(text)s = '' OR first_name ILIKE %(pattern)s OR username ILIKE %(pattern)s
    OR telegram_user_id::text = %(text)s)
AND (%(shown)s = 'all' OR %(shown)s = 'blocked' AND NOT listed.is_allowed
    OR %(shown)s = 'roles' AND (role IS NOT NULL OR telegram_user_id = ANY(%(admins)s)))
"""
_SEEN = f"""
SELECT {_COLUMNS} FROM users
LEFT JOIN access_list AS listed USING (telegram_user_id)
LEFT JOIN operator_roles ON user_id = telegram_user_id
WHERE last_seen_at IS NOT NULL AND {_FITS} AND (
    %(seen_at)s::timestamptz IS NULL
    OR (last_seen_at, telegram_user_id) < (%(seen_at)s, %(user_id)s)
)
ORDER BY last_seen_at DESC, telegram_user_id DESC LIMIT %(limit)s
"""
# Those who have never written, and whom the operator let in, blocked, or gave a role.
_NEVER_SEEN = f"""
SELECT {_COLUMNS} FROM (
    SELECT telegram_user_id FROM access_list UNION SELECT user_id FROM operator_roles
) AS named
LEFT JOIN users USING (telegram_user_id)
LEFT JOIN access_list AS listed USING (telegram_user_id)
LEFT JOIN operator_roles ON user_id = telegram_user_id
WHERE last_seen_at IS NULL AND {_FITS}
    AND (%(user_id)s::bigint IS NULL OR telegram_user_id < %(user_id)s)
ORDER BY telegram_user_id DESC LIMIT %(limit)s
"""
_FIND = f"""
SELECT {_COLUMNS}, locale, spoken_locale, time_zone, changed_by, changed_at
FROM (SELECT %(user_id)s::bigint AS telegram_user_id) AS asked
LEFT JOIN users USING (telegram_user_id)
LEFT JOIN access_list AS listed USING (telegram_user_id)
LEFT JOIN operator_roles ON user_id = telegram_user_id
"""
_USE = f"""
SELECT model, {USAGE_SUMS} FROM usage_days
WHERE user_id = %s AND day > (now() AT TIME ZONE 'UTC')::date - 7 GROUP BY kind, model
"""
_INVITE = """
INSERT INTO operator_invites (code_hash, role, made_by, expires_at)
VALUES (%(hash)s, %(role)s, %(by)s, clock_timestamp() + make_interval(days => %(days)s))
RETURNING id
"""
_OPEN = """
SELECT id, role, made_by, made_at, expires_at FROM operator_invites
WHERE used_at IS NULL AND expires_at > clock_timestamp() ORDER BY id DESC LIMIT 100
"""
_WITHDRAW = f"""
WITH gone AS (DELETE FROM operator_invites WHERE id = %s AND used_at IS NULL RETURNING id)
SELECT pg_notify('{NEWS_CHANNEL}', '{OPERATORS}') FROM gone
"""
# Whoever is blocked stays so: a link that was passed on to them lets nobody back in. Nor does one
# whose maker may not invite any more.
_IS_OPEN = """
used_at IS NULL AND expires_at > clock_timestamp()
AND NOT EXISTS (
    SELECT FROM access_list WHERE telegram_user_id = %(user_id)s AND NOT is_allowed
)
AND (made_by = ANY(%(admins)s) OR EXISTS (
    SELECT FROM operator_roles AS maker
    WHERE maker.user_id = made_by AND (
        maker.role = 'owner' OR maker.role = 'operator' AND operator_invites.role IS NULL
    )
) AND NOT EXISTS (
    SELECT FROM access_list WHERE telegram_user_id = made_by AND NOT is_allowed
))
"""
_IS_FOR = f"""
SELECT id FROM operator_invites
WHERE code_hash = %(hash)s AND (used_by = %(user_id)s OR {_IS_OPEN})
"""
_TAKE = f"""
WITH used AS (
    UPDATE operator_invites SET used_by = %(user_id)s, used_at = clock_timestamp()
    WHERE id = %(id)s AND {_IS_OPEN} RETURNING made_by, role
), admitted AS (
    INSERT INTO access_list (telegram_user_id, is_allowed, changed_by)
    SELECT %(user_id)s, true, made_by FROM used
    ON CONFLICT (telegram_user_id) DO NOTHING
), given AS (
    INSERT INTO operator_roles (user_id, role, given_by)
    SELECT %(user_id)s, role, made_by FROM used WHERE role IS NOT NULL
    ON CONFLICT (user_id) DO NOTHING
)
SELECT EXISTS (SELECT FROM used) OR EXISTS (
    SELECT FROM operator_invites WHERE id = %(id)s AND used_by = %(user_id)s
) AS is_theirs, (
    SELECT count(pg_notify('{NEWS_CHANNEL}', listener::text))
    FROM used, unnest(ARRAY[%(user_id)s::bigint, {OPERATORS}]) AS listener
) AS told
"""


class InviteUsedError(RichAgentError):
    """An invitation that somebody else has used."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has written to the bot, or whom the operator named."""

    user_id: int
    name: str
    username: str
    since: datetime | None
    seen_at: datetime | None
    is_blocking: bool
    """Whether the person has blocked the bot in Telegram."""
    is_allowed: bool | None
    """The entry in the access list."""
    role: str | None
    """The role that an owner gave."""


@dataclass(frozen=True, slots=True)
class PersonDetails(Person):
    """The page of a person."""

    locale: str | None = None
    spoken_locale: str | None = None
    time_zone: str | None = None
    changed_by: int | None = None
    """Who last let the person in or blocked them."""
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PeopleQuery:
    """A part of the list of people: those that fit, from behind a place on."""

    text: str = ""
    shown: Shown = "all"
    seen_at: datetime | None = None
    user_id: int | None = None
    admins: Sequence[int] = ()
    limit: int = 50

    def to_parameters(self) -> Mapping[str, object]:
        """The parameters of the statements."""
        pattern = self.text.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
        return {
            "text": self.text,
            "pattern": f"%{pattern}%",
            "shown": self.shown,
            "seen_at": self.seen_at,
            "user_id": self.user_id,
            "admins": list(self.admins),
            "limit": self.limit,
        }


@dataclass(frozen=True, slots=True)
class Invite:
    """An invitation that nobody has used yet."""

    id: int
    role: str | None
    made_by: int
    made_at: datetime
    expires_at: datetime


class PeopleRows(PostgresRepository):
    """People and invitations. Every method may raise DatabaseUnavailableError."""

    async def page(self, query: PeopleQuery) -> Sequence[Person]:
        """People, last seen first; those who have never written come last."""
        parameters = query.to_parameters()
        rows = []
        if query.seen_at is not None or query.user_id is None:
            rows = await self._rows(_SEEN, parameters)
        if left := query.limit - len(rows):
            is_behind_seen = query.seen_at is None
            others = {
                **parameters,
                "limit": left,
                "user_id": query.user_id if is_behind_seen else None,
            }
            rows += await self._rows(_NEVER_SEEN, others)
        return [Person(**row) for row in rows]

    async def find(self, user_id: int) -> PersonDetails:
        """A person, known or not."""
        return PersonDetails(**await self._one(_FIND, {"user_id": user_id}))

    async def use(self, user_id: int) -> Sequence[ModelUse]:
        """The use of the last 7 days, today included (UTC), by model."""
        rows = await self._rows(_USE, (user_id,))
        return [ModelUse(row.pop("model"), Usage(**row)) for row in rows]

    async def invite(self, role: str | None, days: int, *, by: int) -> str:
        """The secret of a new invitation; only its hash is stored."""
        secret = make_secret(INVITE)
        parameters = {"hash": hash_token(secret), "role": role, "by": by, "days": days}
        await self._one(_INVITE, parameters)
        return secret

    async def open_invites(self) -> Sequence[Invite]:
        """Invitations that can be used, newest first, at most 100."""
        return [Invite(**row) for row in await self._rows(_OPEN)]

    async def withdraw(self, invite_id: int) -> None:
        """Delete an invitation, unless it was used."""
        await self._run(_WITHDRAW, (invite_id,))

    async def invite_for(self, secret: str, user_id: int, admins: Sequence[int]) -> int | None:
        """The id of an invitation that the user may use, or has used; None if there is none."""
        parameters = {"hash": hash_token(secret), "user_id": user_id, "admins": admins}
        row = await self._row(_IS_FOR, parameters)
        return row["id"] if row else None

    async def take(self, invite_id: int, user_id: int, admins: Sequence[int]) -> None:
        """Let a user in by an invitation, once, with the role that it gives.

        Raises: InviteUsedError if somebody else was faster.
        """
        parameters = {"id": invite_id, "user_id": user_id, "admins": admins}
        if not (await self._one(_TAKE, parameters))["is_theirs"]:
            raise InviteUsedError("The invitation was used already.")
