"""Calendar feeds in PostgreSQL, which has the hashes of their secrets."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass

from rich_agent.feature.database import Pool, PostgresRepository, telling_pages

_MAKE = telling_pages("""
INSERT INTO calendar_feeds (user_id, nonce, token_hash) VALUES (%s, %s, %s)
ON CONFLICT (user_id) DO UPDATE
SET nonce = excluded.nonce, token_hash = excluded.token_hash, made_at = clock_timestamp()
""")
_END = telling_pages("DELETE FROM calendar_feeds WHERE user_id = %s")
_OWNER = """
SELECT feed.user_id, listed.is_allowed, coalesce(known.time_zone, '') AS time_zone
FROM calendar_feeds AS feed
LEFT JOIN users AS known ON known.telegram_user_id = feed.user_id
LEFT JOIN access_list AS listed ON listed.telegram_user_id = feed.user_id
WHERE token_hash = %s
"""


@dataclass(frozen=True, slots=True)
class FeedOwner:
    """The owner of a feed, with their entry in the access list, and their zone ("" if unknown)."""

    user_id: int
    is_allowed: bool | None
    time_zone: str


class CalendarFeeds(PostgresRepository):
    """At most one feed for each user. Every method may raise DatabaseUnavailableError.

    A token is derived from a secret of the installation and a number in the database. So it can be
    shown again, and a copy of the database opens no feed.
    """

    def __init__(self, pool: Pool, secret: str) -> None:
        super().__init__(pool)
        self._secret = secret

    async def make(self, user_id: int) -> str:
        """The token of a new feed, 43 characters of a URL; an earlier one ends."""
        nonce = secrets.token_hex(16)
        token = self._secret_of(user_id, nonce)
        await self._run(_MAKE, (user_id, nonce, _hash(token)))
        return token

    async def token(self, user_id: int) -> str | None:
        """The token of the user's feed, None without one.

        None, too, if it was made under another secret of the installation; the feed still works.
        """
        query = "SELECT nonce, token_hash FROM calendar_feeds WHERE user_id = %s"
        row = await self._row(query, (user_id,))
        token = self._secret_of(user_id, row["nonce"]) if row else ""
        return token if row and _hash(token) == row["token_hash"] else None

    async def revoke(self, user_id: int) -> bool:
        """End the user's feed; whether there was one."""
        return await self._run(_END, (user_id,)) > 0

    async def owner(self, token: str) -> FeedOwner | None:
        """The owner of the feed that a token opens, in one query whether there is one or not."""
        row = await self._row(_OWNER, (_hash(token),))
        return FeedOwner(**row) if row else None

    def _secret_of(self, user_id: int, nonce: str) -> str:
        text = f"calendar:{user_id}:{nonce}".encode()
        digest = hmac.digest(self._secret.encode(), text, hashlib.sha256)
        return urlsafe_b64encode(digest).decode().rstrip("=")


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
