"""Tokens of programs, which they send as `Authorization: Bearer`."""

from dataclasses import dataclass

from starlette.requests import Request

from rich_agent.domain.tokens import is_token
from rich_agent.ports.program_access import ApiTokens, TokenHolder
from rich_agent.web.refusals import RequestRefusedError

HINT = (
    "Send `Authorization: Bearer` with a token of /tokens in Telegram or `rich-agent tokens add`."
)


@dataclass(frozen=True, slots=True)
class BearerTokens:
    """Implements `SignIn`."""

    tokens: ApiTokens
    comes_from_browsers: bool = False
    hint: str = HINT

    def secret_of(self, request: Request) -> str | None:
        """The token of a request. Raises: RequestRefusedError for what is none."""
        header = request.headers.get("authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        token = token.strip()
        if scheme.casefold() != "bearer" or not is_token(token):
            raise RequestRefusedError(401, "invalid_token", "This is no token.", hint=HINT)
        return token

    async def holder(self, secret: str) -> TokenHolder | None:
        """The holder of a token. Raises: DatabaseUnavailableError."""
        return await self.tokens.holder(secret)
