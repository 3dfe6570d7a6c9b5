"""Interface to what lets other programs in: tokens.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rich_agent.domain.tokens import ApiToken, NewApiToken, Scope


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """For whom a token speaks; `is_allowed` is the user's entry in the access list.

    `token_id` is None for the session of a page. `lasts_s`: it expires after so many seconds.
    """

    user_id: int
    scopes: frozenset[Scope]
    token_id: int | None
    is_allowed: bool | None
    lasts_s: float | None = None


class ApiTokens(Protocol):
    """Tokens by their hash; what was revoked or has expired opens nothing."""

    async def make(self, request: NewApiToken) -> str | None:
        """The token, shown this once; None if the user has MOST_TOKENS that work."""

    async def all_of(self, user_id: int | None = None) -> Sequence[ApiToken]:
        """The tokens of one user or of all, newest first, with those that work no more."""

    async def revoke(self, token_id: int, user_id: int | None = None) -> bool:
        """End a token, of this user if one is given; False if there is none that is not revoked."""

    async def holder(self, token: str) -> TokenHolder | None:
        """Return who holds a valid token, in one query; its use is noted at most once a minute."""
