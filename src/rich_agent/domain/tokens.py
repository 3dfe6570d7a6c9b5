"""Tokens and sessions with which callers sign in over HTTP: scopes, holders and hashes."""

import hashlib
from dataclasses import dataclass
from typing import Literal, get_args

Scope = Literal["chat", "knowledge"]
"""The access of a token. `chat`: run turns in the user's name. `knowledge`: read documents."""
SCOPES: tuple[Scope, ...] = get_args(Scope)


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """The user for whom a token or a session speaks."""

    user_id: int
    scopes: frozenset[Scope]
    token_id: int | None
    """The number of the token, None for the session of a page."""
    is_allowed: bool | None
    """The user's entry in the access list, None if there is none."""
    lasts_s: float | None = None
    """Seconds until it expires, None if it does not."""


def hash_token(token: str) -> bytes:
    """Hash a token for storage: SHA-256. It needs no salt, because a token cannot be guessed."""
    return hashlib.sha256(token.encode()).digest()
