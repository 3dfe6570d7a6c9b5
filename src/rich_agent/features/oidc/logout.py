"""The provider's notice that somebody has signed out there: `/oidc/back-channel-logout`.

Source: OpenID Connect Back-Channel Logout 1.0.
"""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature import DatabaseUnavailableError, UpstreamError
from rich_agent.feature.web import OpenRoute, RateLimit, hash_token, network_of
from rich_agent.features.oidc.people import ProviderPeople
from rich_agent.features.oidc.provider import Provider
from rich_agent.features.oidc.refusals import SignInRefusedError
from rich_agent.features.web_chat.public import SessionOrigin

LOGOUT_PATH: Final = "/oidc/back-channel-logout"
_BODY_BYTES: Final = 100_000
_LOGOUTS_A_MINUTE: Final = 600
_NO_STORE: Final = {"Cache-Control": "no-store"}
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class BackChannelLogout:
    """Ends the sessions that a logout token names, on all processes at once."""

    provider: Provider
    people: ProviderPeople
    limit: RateLimit = field(default_factory=lambda: RateLimit(_LOGOUTS_A_MINUTE))

    def route(self) -> OpenRoute:
        """The address that the provider calls."""
        return OpenRoute(LOGOUT_PATH, self.answer, ("POST",))

    async def answer(self, request: Request) -> Response:
        """End the sessions; an answer that refuses says why, for the provider's log."""
        if self.limit.take(network_of(request)):
            return _error(429, "Too many requests.")
        try:
            await self._log_out(await _token_in(request))
        except SignInRefusedError as error:
            _log.warning("oidc.logout_refused", reason=error.reason, detail=str(error))
            return _error(400, str(error))
        except (UpstreamError, DatabaseUnavailableError) as error:
            _log.warning("oidc.logout_failed", error=str(error))
            return _error(503, "The bot cannot check the token now.")
        return Response(status_code=200, headers=_NO_STORE)

    async def _log_out(self, token: str) -> None:
        """End the sessions that a token names, once. Raises: SignInRefusedError, UpstreamError."""
        rules = await self.provider.rules()
        claims = await rules.read_logout_token(token)
        token_hash = hash_token(f"{claims['iss']} {claims['jti']}")
        if await self.people.identities.is_used(token_hash):
            raise SignInRefusedError("token", "this logout token was used before")
        subject, session = str(claims.get("sub") or ""), str(claims.get("sid") or "")
        identity = await self.people.identities.of_logout(rules.issuer, subject, session)
        if identity is not None:
            ended = await self.people.end_sessions(identity, session)
        else:
            origin = SessionOrigin(rules.issuer, subject, session)
            ended = await self.people.sessions.end_of_provider(origin)
        # Last, so that the provider may try again what failed.
        await self.people.identities.note_used(token_hash)
        _log.info("oidc.logged_out", sessions=ended)


async def _token_in(request: Request) -> str:
    """The token in the body of a request. Raises: SignInRefusedError."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _BODY_BYTES:
            raise SignInRefusedError("token", "the request is too long")
    values = parse_qs(body.decode(errors="replace"), max_num_fields=20).get("logout_token", [])
    if len(values) != 1:
        raise SignInRefusedError("token", "the request has no logout_token")
    return values[0]


def _error(status: int, description: str) -> Response:
    content = {"error": "invalid_request", "error_description": description}
    return JSONResponse(content, status, headers=_NO_STORE)
