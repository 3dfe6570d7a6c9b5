"""Interface to the stored tokens.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from typing import Protocol

from rich_agent.feature.web import TokenHolder
from rich_agent.features.tokens.records import ApiToken, NewApiToken


class ApiTokens(Protocol):
    """Tokens by their hashes. A revoked or expired token opens nothing."""

    async def make(self, request: NewApiToken) -> str | None:
        """The new token, which is not stored; None if the user has MOST_TOKENS valid ones."""

    async def all_of(self, user_id: int | None = None) -> Sequence[ApiToken]:
        """The tokens of one user or of all, newest first, with revoked and expired ones."""

    async def revoke(self, token_id: int, user_id: int | None = None) -> bool:
        """End a token, of this user if `user_id` is given.

        False if there is none, or it is revoked already.
        """

    async def holder(self, token: str) -> TokenHolder | None:
        """The holder of a valid token, in one query; its use is noted at most once a minute."""
