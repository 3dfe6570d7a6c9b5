"""Tokens of programs: how they look, and what they may open."""

import hashlib
import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

Scope = Literal["chat", "knowledge"]
"""`chat`: turns are run in the user's name; `knowledge`: registered documents are read."""
SCOPES: tuple[Scope, ...] = get_args(Scope)
MOST_TOKENS = 20
"""Tokens of one user that work at the same time."""
LONGEST_NAME = 40
PREFIX = "ra_"
"""Begins each token, so that scanners for secrets can tell one."""
_SHAPE = re.compile(r"ra_[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class ApiToken:
    """An API token's record; the token itself is not kept."""

    id: int
    user_id: int
    name: str
    scopes: frozenset[Scope]
    created_at: datetime
    last_used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_open(self, now: datetime) -> bool:
        """Whether it admits its holder."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class NewApiToken:
    """A token to be made; `lasts` None: until it is revoked."""

    user_id: int
    name: str
    scopes: Collection[str] = SCOPES
    lasts: timedelta | None = None


def make_token() -> str:
    """A token of 256 random bits."""
    return PREFIX + secrets.token_urlsafe(32)


def is_token(text: str) -> bool:
    """Whether a text has the shape of a token."""
    return _SHAPE.fullmatch(text) is not None


def hash_token(token: str) -> bytes:
    """Hash a token for storage: SHA-256. It needs no salt, because a token cannot be guessed."""
    return hashlib.sha256(token.encode()).digest()
