"""Identities, sign-ins and codes in PostgreSQL; of secrets, only hashes or sealed forms."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import psycopg

from rich_agent.feature.accounts import id_without_telegram
from rich_agent.feature.database import (
    NEWS_CHANNEL,
    PostgresRepository,
    checkout,
    clean_text,
)

SIGN_IN_LASTS_S: Final = 600
CODE_LASTS_S: Final = 600
_CHECK_LASTS_S: Final = 15
_MOST_TRIES: Final = 5

_COLUMNS = """
issuer, subject, user_id, name, email, groups, tokens, session,
extract(epoch FROM clock_timestamp() - checked_at)::float8 AS age_s
"""
_BEGIN = """
WITH gone AS (
    DELETE FROM oidc_sign_ins WHERE begun_at < clock_timestamp() - interval '1 hour'
)
INSERT INTO oidc_sign_ins (secret_hash, page) VALUES (%s, %s)
"""
_TAKE = f"""
DELETE FROM oidc_sign_ins WHERE secret_hash = %s
RETURNING CASE WHEN begun_at > clock_timestamp() - interval '{SIGN_IN_LASTS_S} s' THEN page END
    AS page
"""
_SIGN_IN = """
INSERT INTO oidc_identities AS known
    (issuer, subject, user_id, name, email, groups, tokens, session)
VALUES (%(issuer)s, %(subject)s, %(user_id)s, %(name)s, %(email)s, %(groups)s, %(tokens)s,
    %(session)s)
ON CONFLICT (issuer, subject) DO UPDATE SET name = excluded.name, email = excluded.email,
    groups = excluded.groups, tokens = excluded.tokens, session = excluded.session,
    checked_at = clock_timestamp(), checking_at = NULL
RETURNING user_id
"""
_OF_USER = f"SELECT {_COLUMNS} FROM oidc_identities WHERE user_id = %s"
_OF_SUBJECT = f"SELECT {_COLUMNS} FROM oidc_identities WHERE issuer = %s AND subject = %s"
_OF_LOGOUT = f"""
SELECT {_COLUMNS} FROM oidc_identities
WHERE issuer = %(issuer)s AND (
    subject = %(subject)s OR (%(subject)s = '' AND session = %(session)s AND session <> '')
)
"""
# Another process may have died meanwhile.
_CLAIM = f"""
UPDATE oidc_identities SET checking_at = clock_timestamp()
WHERE issuer = %(issuer)s AND subject = %(subject)s AND (checking_at IS NULL
    OR checking_at < clock_timestamp() - interval '{_CHECK_LASTS_S} s')
RETURNING 1 AS claimed
"""
# A logout or a sign-in may have come meanwhile; the tokens that were asked with are gone then.
_STILL = """
WHERE issuer = %(issuer)s AND subject = %(subject)s
    AND tokens IS NOT DISTINCT FROM %(seen)s::bytea
RETURNING 1 AS changed
"""
_CHECKED = f"""
UPDATE oidc_identities SET groups = %(groups)s, tokens = %(tokens)s, checking_at = NULL,
    checked_at = clock_timestamp()
{_STILL}
"""
_RELEASE = f"UPDATE oidc_identities SET checking_at = NULL {_STILL}"
_DROP_TOKENS = """
UPDATE oidc_identities SET groups = '{}', tokens = NULL, checking_at = NULL
WHERE issuer = %(issuer)s AND subject = %(subject)s
"""
_WITH_TOKENS = f"""
SELECT {_COLUMNS} FROM oidc_identities WHERE tokens IS NOT NULL ORDER BY checked_at DESC LIMIT %s
"""
# An entry that the provider's word made names its own user, so that it overrides no admin's.
_ADMIT = f"""
WITH changed AS (
    INSERT INTO access_list AS listed (telegram_user_id, is_allowed, changed_by)
    VALUES (%(user_id)s, %(is_allowed)s, %(user_id)s)
    ON CONFLICT (telegram_user_id) DO UPDATE
    SET is_allowed = excluded.is_allowed, changed_at = clock_timestamp()
    WHERE listed.changed_by = listed.telegram_user_id
        AND listed.is_allowed <> excluded.is_allowed
    RETURNING telegram_user_id
)
SELECT count(pg_notify('{NEWS_CHANNEL}', telegram_user_id::text)) AS changed FROM changed
"""
_DISMISS = f"""
WITH gone AS (
    DELETE FROM access_list
    WHERE telegram_user_id = %(user_id)s AND changed_by = %(user_id)s AND is_allowed
    RETURNING telegram_user_id
)
SELECT count(pg_notify('{NEWS_CHANNEL}', telegram_user_id::text)) AS changed FROM gone
"""
_IS_USED = "SELECT 1 AS used FROM oidc_logouts WHERE token_hash = %s"
_NOTE_USED = """
WITH gone AS (
    DELETE FROM oidc_logouts WHERE used_at < clock_timestamp() - interval '1 day'
)
INSERT INTO oidc_logouts (token_hash) VALUES (%s) ON CONFLICT DO NOTHING
"""
_OFFER_CODE = f"""
INSERT INTO oidc_link_codes (user_id, code_hash, expires_at)
VALUES (%s, %s, clock_timestamp() + interval '{CODE_LASTS_S} s')
ON CONFLICT (user_id) DO UPDATE
SET code_hash = excluded.code_hash, expires_at = excluded.expires_at
"""
_BY_CODE = f"""
SELECT {_COLUMNS} FROM oidc_identities WHERE user_id = (
    SELECT user_id FROM oidc_link_codes WHERE code_hash = %s AND expires_at > clock_timestamp()
)
"""
_USE_CODE = """
DELETE FROM oidc_link_codes WHERE code_hash = %s AND expires_at > clock_timestamp()
RETURNING user_id
"""
_MOVE = "UPDATE oidc_identities SET user_id = %s WHERE user_id = %s RETURNING 1 AS moved"
_FORGET_ENTRY = """
DELETE FROM access_list WHERE telegram_user_id = %(user_id)s AND changed_by = %(user_id)s
"""


@dataclass(frozen=True, slots=True)
class ProviderIdentity:
    """A person at the provider, and the user of the bot who they are.

    - `tokens`: the sealed tokens with which the provider is asked again, None without any.
    - `session`: the provider's name for the session that the tokens come from.
    - `age_s`: the seconds since the provider last said who they are and in which groups.
    """

    issuer: str
    subject: str
    user_id: int
    name: str = ""
    email: str = ""
    groups: Sequence[str] = ()
    tokens: bytes | None = None
    session: str = ""
    age_s: float = 0.0

    @property
    def label(self) -> str:
        """The name, and the address of mail as the provider knows it."""
        return " · ".join(filter(None, (self.name, self.email))) or self.subject

    @property
    def key(self) -> dict[str, str]:
        """The parameters that find it."""
        return {"issuer": self.issuer, "subject": self.subject}


class OidcIdentities(PostgresRepository):
    """Identities, sign-ins, codes. Every method may raise DatabaseUnavailableError."""

    async def begin(self, secret_hash: bytes, page: str) -> None:
        """Note a sign-in that begins, and the page to show afterwards."""
        await self._run(_BEGIN, (secret_hash, page))

    async def take(self, secret_hash: bytes) -> str | None:
        """The page of a sign-in, which is over then; None if it is unknown, old or over."""
        row = await self._row(_TAKE, (secret_hash,))
        return row["page"] if row else None

    async def sign_in(self, identity: ProviderIdentity) -> int:
        """Insert or update an identity; return its user, who is a new one if it is new."""
        values = {
            **identity.key,
            "name": clean_text(identity.name),
            "email": clean_text(identity.email),
            "groups": list(identity.groups),
            "tokens": identity.tokens,
            "session": clean_text(identity.session),
        }
        for number in count():
            name = f"{identity.issuer}\n{identity.subject}" + f"\n{number}" * bool(number)
            try:
                row = await self._one(_SIGN_IN, {**values, "user_id": id_without_telegram(name)})
            except psycopg.errors.UniqueViolation:
                if number == _MOST_TRIES:
                    raise
            else:
                return int(row["user_id"])
        raise AssertionError("the loop ends by itself")

    async def of_user(self, user_id: int) -> ProviderIdentity | None:
        """The identity of a user, None without one."""
        row = await self._row(_OF_USER, (user_id,))
        return ProviderIdentity(**row) if row else None

    async def of_subject(self, issuer: str, subject: str) -> ProviderIdentity | None:
        """An identity by the provider's name for the person."""
        row = await self._row(_OF_SUBJECT, (issuer, clean_text(subject)))
        return ProviderIdentity(**row) if row else None

    async def of_logout(self, issuer: str, subject: str, session: str) -> ProviderIdentity | None:
        """The identity that a logout is about, by the person or the session."""
        values = {"issuer": issuer, "subject": clean_text(subject), "session": clean_text(session)}
        row = await self._row(_OF_LOGOUT, values)
        return ProviderIdentity(**row) if row else None

    async def claim_check(self, identity: ProviderIdentity) -> bool:
        """Whether this process is the one to ask the provider about a person now."""
        return await self._row(_CLAIM, identity.key) is not None

    async def note_check(self, identity: ProviderIdentity, seen: bytes | None) -> bool:
        """Record what the provider said of a person now: groups and tokens.

        False, and nothing is recorded, if the tokens are not those that were `seen` any more.
        """
        values = {"groups": list(identity.groups), "tokens": identity.tokens, "seen": seen}
        return await self._row(_CHECKED, {**identity.key, **values}) is not None

    async def release_check(self, identity: ProviderIdentity) -> bool:
        """Let another process ask, because this one got no answer; as `note_check`."""
        return await self._row(_RELEASE, {**identity.key, "seen": identity.tokens}) is not None

    async def drop_tokens(self, identity: ProviderIdentity) -> None:
        """Forget the tokens and the groups of a person."""
        await self._run(_DROP_TOKENS, identity.key)

    async def with_tokens(self, limit: int) -> Sequence[ProviderIdentity]:
        """The identities about which the provider is asked, the latest first."""
        async with checkout(self._pool) as connection:
            rows = await (await connection.execute(_WITH_TOKENS, (limit,))).fetchall()
        return [ProviderIdentity(**row) for row in rows]

    async def admit(self, user_id: int, *, is_allowed: bool) -> None:
        """Let a user in, or keep them out, on the provider's word; an admin's word stays."""
        await self._run(_ADMIT, {"user_id": user_id, "is_allowed": is_allowed})

    async def dismiss(self, user_id: int) -> None:
        """Take back that the provider's word lets a user in; the settings decide then."""
        await self._run(_DISMISS, {"user_id": user_id})

    async def is_used(self, token_hash: bytes) -> bool:
        """Whether a logout token was used before."""
        return await self._row(_IS_USED, (token_hash,)) is not None

    async def note_used(self, token_hash: bytes) -> None:
        """Note that a logout token was used."""
        await self._run(_NOTE_USED, (token_hash,))

    async def offer_code(self, user_id: int, code_hash: bytes) -> None:
        """Keep a code with which a user's identity can be linked; it replaces an earlier one."""
        await self._run(_OFFER_CODE, (user_id, code_hash))

    async def of_code(self, code_hash: bytes) -> ProviderIdentity | None:
        """The identity that a code stands for, None if it is unknown, used or old."""
        row = await self._row(_BY_CODE, (code_hash,))
        return ProviderIdentity(**row) if row else None

    async def link(self, code_hash: bytes, user_id: int) -> int | None:
        """Give the identity of a code to a user, and use the code up; return its former user.

        None if the code is unknown, used or old, or the user has an identity already.
        """
        try:
            async with checkout(self._pool) as connection:
                row = await (await connection.execute(_USE_CODE, (code_hash,))).fetchone()
                former_id = int(row["user_id"]) if row else None
                if former_id is not None:
                    await connection.execute(_MOVE, (user_id, former_id))
                    await connection.execute(_FORGET_ENTRY, {"user_id": former_id})
        except psycopg.errors.UniqueViolation:
            return None
        return former_id

    async def unlink(self, identity: ProviderIdentity) -> None:
        """Give an identity to a user of its own again, whose admission goes along."""
        await self.dismiss(identity.user_id)
        for number in range(_MOST_TRIES):
            name = f"{identity.issuer}\n{identity.subject}" + f"\n{number}" * bool(number)
            try:
                await self._run(_MOVE, (id_without_telegram(name), identity.user_id))
            except psycopg.errors.UniqueViolation:
                continue
            return
