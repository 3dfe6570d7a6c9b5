"""Callers who sign in with `Authorization: Bearer` and a secret, as a feature lets programs."""

from dataclasses import dataclass, field

from starlette.requests import Request

from rich_agent.domain.tokens import Scope, TokenHolder


@dataclass(slots=True)
class BearerSecrets:
    """Implements `SignIn` with secrets in memory; counts the questions for a holder."""

    holders: dict[str, TokenHolder] = field(default_factory=dict)
    comes_from_browsers: bool = False
    hint: str = "Ring the bell."
    questions: int = 0

    def make(self, user_id: int, *scopes: Scope, is_allowed: bool | None = None) -> str:
        """A new secret of a user."""
        secret = f"secret-{len(self.holders)}"
        self.holders[secret] = TokenHolder(user_id, frozenset(scopes), None, is_allowed)
        return secret

    def secret_of(self, request: Request) -> str | None:
        """See `SignIn`."""
        return request.headers.get("authorization", "").removeprefix("Bearer ") or None

    async def holder(self, secret: str) -> TokenHolder | None:
        """See `SignIn`."""
        self.questions += 1
        return self.holders.get(secret)
