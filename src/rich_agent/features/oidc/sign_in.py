"""The sign-in at the provider: `/oidc/sign-in`, `/oidc/callback`, and their pages.

The browser that begins a sign-in gets a secret in a cookie. State, nonce and the verifier of PKCE
are made of it, so only this browser can end the sign-in, once, and the database holds a hash.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from rich_agent.feature import DatabaseUnavailableError, UpstreamError
from rich_agent.feature.accounts import Accounts
from rich_agent.feature.pages import PageArea
from rich_agent.feature.web import (
    OpenRoute,
    OwnPages,
    RateLimit,
    hash_token,
    is_secret,
    make_secret,
    network_of,
)
from rich_agent.features.oidc.people import ProviderPeople
from rich_agent.features.oidc.provider import Provider
from rich_agent.features.oidc.refusals import Reason, SignInRefusedError
from rich_agent.features.oidc.repository import SIGN_IN_LASTS_S, OidcIdentities
from rich_agent.features.web_chat.public import (
    PAGE_PATH,
    BrowserSessions,
    PageCookies,
    SessionOrigin,
)

SIGN_IN_PATH: Final = "/oidc/sign-in"
CALLBACK_PATH: Final = "/oidc/callback"
SECRET: Final = "roi_"  # noqa: S105 - how secrets begin
"""Begins the secrets of sign-ins that are under way."""
_SIGN_INS_A_MINUTE: Final = 30
_LONGEST_PATH: Final = 1_000
_STATUS_OF: Final[Mapping[Reason, int]] = {"away": 502, "blocked": 403, "group": 403, "denied": 403}
Answer = Callable[[Request], Awaitable[Response]]
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SignInSecrets:
    """Values that are made of the secret of a sign-in; none tells anything about another."""

    secret: str

    @property
    def state(self) -> str:
        """The value that comes back with the browser."""
        return self._derive("state")

    @property
    def nonce(self) -> str:
        """The value that comes back in the token."""
        return self._derive("nonce")

    @property
    def verifier(self) -> str:
        """The proof that who redeems a code has asked for it. Source: RFC 7636."""
        return self._derive("verifier")

    def _derive(self, purpose: str) -> str:
        digest = hmac.digest(self.secret.encode(), purpose.encode(), "sha256")
        return urlsafe_b64encode(digest).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class OidcSignIn:
    """Begins sign-ins, and ends them with a session of the web chat.

    `permits` tells whether a user may use the bot.
    """

    provider: Provider
    identities: OidcIdentities
    people: ProviderPeople
    accounts: Accounts
    permits: Callable[[int, bool | None], bool]
    cookies: PageCookies
    area: PageArea
    name: str
    lasts: timedelta
    limit: RateLimit = field(default_factory=lambda: RateLimit(_SIGN_INS_A_MINUTE))

    def routes(self) -> Sequence[OpenRoute]:
        """The addresses, which check by themselves who asks."""
        return (
            OpenRoute(SIGN_IN_PATH, self._answering(self.begin)),
            OpenRoute(CALLBACK_PATH, self._answering(self.end)),
        )

    async def begin(self, request: Request) -> Response:
        """Lead the browser to the provider. Raises: SignInRefusedError, UpstreamError."""
        secret = make_secret(SECRET)
        own = SignInSecrets(secret)
        url = await self.provider.authorization_url(own.state, own.nonce, own.verifier)
        page = own_path(request.query_params.get("to", ""), self.cookies.pages)
        await self.identities.begin(hash_token(secret), page)
        response = RedirectResponse(url, 303)
        response.headers["Set-Cookie"] = self._cookie(own.state, secret)
        return response

    async def end(self, request: Request) -> Response:
        """Begin a session for whom the provider vouches. Raises: as `begin`."""
        own, page = await self._take(request)
        await self._check_answer(request)
        signed_in = await self.provider.exchange(
            request.query_params.get("code", ""), own.verifier, own.nonce
        )
        identity = await self.people.sign_in(signed_in)
        account = await self.accounts.find(identity.user_id)
        if not self.permits(identity.user_id, account.is_allowed):
            raise SignInRefusedError("blocked", "this user may not use the bot")
        origin = SessionOrigin(identity.issuer, identity.subject, identity.session)
        secret = await self.sessions.begin(identity.user_id, self.lasts, origin)
        # A cookie that is `Strict` goes along only with what this page itself leads to.
        address = self.cookies.pages.public_url + page
        response = self.area.page_for_strangers(request, "signed_in.html", {"address": address})
        response.headers["Refresh"] = f"0; url={address}"
        response.headers.append("Set-Cookie", self.cookies.header(secret))
        response.headers.append("Set-Cookie", self._cookie(own.state, ""))
        return response

    @property
    def sessions(self) -> BrowserSessions:
        """The sessions of browsers."""
        return self.cookies.sessions

    def _answering(self, answer: Answer) -> Answer:
        """The answer with a page for whatever is refused."""

        async def respond(request: Request) -> Response:
            if wait_s := self.limit.take(network_of(request)):
                response = self._refused(request, "busy", 429)
                response.headers["Retry-After"] = f"{wait_s + 1:.0f}"
                return response
            try:
                return await answer(request)
            except SignInRefusedError as error:
                _log.warning("oidc.refused", reason=error.reason, detail=str(error))
                return self._refused(request, error.reason, _STATUS_OF.get(error.reason, 400))
            except (UpstreamError, DatabaseUnavailableError) as error:
                _log.warning("oidc.away", error=str(error), hint=error.hint)
                return self._refused(request, "away", 502)

        return respond

    def _refused(self, request: Request, reason: str, status: int) -> Response:
        page = own_path(request.query_params.get("to", ""), self.cookies.pages)
        values = {"reason": reason, "provider": self.name, "page": page, "path": SIGN_IN_PATH}
        return self.area.page_for_strangers(request, "sign_in_refused.html", values, status)

    async def _take(self, request: Request) -> tuple[SignInSecrets, str]:
        """The secrets of the sign-in that ends, and its page. Raises: SignInRefusedError."""
        state = request.query_params.get("state", "")
        secret = request.cookies.get(self._cookie_name(state), "")
        own = SignInSecrets(secret)
        if not is_secret(SECRET, secret) or not hmac.compare_digest(
            own.state.encode(), state.encode()
        ):
            raise SignInRefusedError("state", "this browser did not begin the sign-in")
        page = await self.identities.take(hash_token(secret))
        if page is None:
            raise SignInRefusedError("state", "the sign-in is over, or took too long")
        return own, page

    async def _check_answer(self, request: Request) -> None:
        """Refuse an error, and an answer of another provider. Source: RFC 9207."""
        values = request.query_params
        description = await self.provider.describe()
        is_named = "iss" in values or description.authorization_response_iss_parameter_supported
        if is_named and values.get("iss") != description.issuer:
            raise SignInRefusedError("issuer", "the answer names another issuer")
        if "error" in values or not values.get("code"):
            raise SignInRefusedError("denied", f"the provider answers {values.get('error')!r:.100}")

    def _cookie_name(self, state: str) -> str:
        # One for each sign-in, so that two tabs do not disturb each other.
        prefix = "__Host-" if self.cookies.pages.is_secure else ""
        return f"{prefix}rich_agent_oidc_{sha256(state.encode()).hexdigest()[:12]}"

    def _cookie(self, state: str, secret: str) -> str:
        """The header of the cookie, which comes back with the provider's link; "" deletes it."""
        lasts_s = SIGN_IN_LASTS_S if secret else 0
        secure = "; Secure" if self.cookies.pages.is_secure else ""
        attributes = f"Max-Age={lasts_s}; Path=/; HttpOnly{secure}; SameSite=Lax"
        return f"{self._cookie_name(state)}={secret}; {attributes}"


def own_path(path: str, pages: OwnPages) -> str:
    """The path of an own page below the public address; that of the chat for anything else."""
    front = urlsplit(pages.public_url).path.rstrip("/")
    if front and path.startswith(f"{front}/"):
        path = path.removeprefix(front)
    is_own = path.startswith("/") and not path.startswith("//") and len(path) <= _LONGEST_PATH
    is_plain = path.isascii() and path.isprintable() and not {"\\", " "} & {*path}
    return path if is_own and is_plain else PAGE_PATH
