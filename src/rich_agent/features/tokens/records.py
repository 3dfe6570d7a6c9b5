"""API tokens: their shape, limits and records."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from rich_agent.feature import SCOPES, Scope

PREFIX = "ra_"
"""Prefix of each token, by which logs and scanners recognize it."""
MOST_TOKENS = 20
"""Limit of valid tokens of one user."""
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class ApiToken:
    """The record of an API token. The token itself is not stored."""

    id: int
    user_id: int
    name: str
    scopes: frozenset[Scope]
    created_at: datetime
    last_used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_open(self, now: datetime) -> bool:
        """Whether the token is valid at this time."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class NewApiToken:
    """A token to be made. With `lasts` None, the token is valid until it is revoked."""

    user_id: int
    name: str
    scopes: Collection[str] = SCOPES
    lasts: timedelta | None = None
