"""API tokens: their shape, scopes and records."""

import hashlib
import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

Scope = Literal["chat", "knowledge"]
"""The access of a token. `chat`: run turns in the user's name. `knowledge`: read documents."""
SCOPES: tuple[Scope, ...] = get_args(Scope)
MOST_TOKENS = 20
"""Limit of valid tokens of one user."""
LONGEST_NAME = 40
PREFIX = "ra_"
"""Prefix of each token, by which scanners for secrets recognize it."""
_SHAPE = re.compile(r"ra_[A-Za-z0-9_-]{43}")


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


def make_token() -> str:
    """A new token with 256 random bits."""
    return PREFIX + secrets.token_urlsafe(32)


def is_token(text: str) -> bool:
    """Whether a text has the shape of a token."""
    return _SHAPE.fullmatch(text) is not None


def hash_token(token: str) -> bytes:
    """Hash a token for storage: SHA-256. It needs no salt, because a token cannot be guessed."""
    return hashlib.sha256(token.encode()).digest()
