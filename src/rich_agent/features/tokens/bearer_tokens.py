"""Signing in with a token, which programs send as `Authorization: Bearer`."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature import GuardedRoute, RequestRefusedError, handled_by
from rich_agent.feature.web import Caller, TokenHolder, is_secret
from rich_agent.features.tokens.ports import ApiTokens
from rich_agent.features.tokens.records import PREFIX

PATH = "/api/token"
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
        """The token of a request. Raises: RequestRefusedError for a header with anything else."""
        header = request.headers.get("authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        token = token.strip()
        if scheme.casefold() != "bearer" or not is_secret(PREFIX, token):
            raise RequestRefusedError(401, "invalid_token", "This is no token.", hint=HINT)
        return token

    async def holder(self, secret: str) -> TokenHolder | None:
        """The holder of a token. Raises: DatabaseUnavailableError."""
        return await self.tokens.holder(secret)


async def _describe(_request: Request, caller: Caller) -> Response:
    return JSONResponse({"user_id": caller.user_id, "scopes": sorted(caller.scopes)})


def token_check() -> GuardedRoute:
    """The route that describes a token; every token opens it."""
    return GuardedRoute(PATH, None, handled_by(_describe))
