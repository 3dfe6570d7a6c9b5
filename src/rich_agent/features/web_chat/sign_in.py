"""Signing in to the web chat: `/chat/login`, `/chat/logout`, `/chat/session`, and their cookie."""

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from rich_agent.feature import say
from rich_agent.feature.pages import PageLink
from rich_agent.feature.surface import Accounts, locale_of_tag
from rich_agent.feature.times import zone_named
from rich_agent.feature.web import (
    GUESSES_A_MINUTE,
    Caller,
    GuardedRoute,
    OwnPages,
    RateLimit,
    RequestRefusedError,
    TokenHolder,
    count,
    handled_by,
    is_secret,
    language_of,
    network_of,
)
from rich_agent.features.web_chat.page_files import PAGE_PATH
from rich_agent.features.web_chat.repository import BrowserSessions
from rich_agent.features.web_chat.sessions import LOGIN_CODE, SESSION


@dataclass(frozen=True, slots=True)
class PageCookies:
    """The cookie of the page, and the sessions that it stands for.

    With https, the cookie is bound to the host (`__Host-`), so that no other host can set it.
    """

    sessions: BrowserSessions
    pages: OwnPages
    lasts: timedelta = timedelta(days=30)
    comes_from_browsers: bool = True
    hint: str = ""

    @property
    def name(self) -> str:
        """The name of the cookie."""
        return "__Host-rich_agent" if self.pages.is_secure else "rich_agent"

    def secret_of(self, request: Request) -> str | None:
        """The secret in a request, None without one."""
        secret = request.cookies.get(self.name, "")
        return secret if is_secret(SESSION, secret) else None

    async def holder(self, secret: str) -> TokenHolder | None:
        """The user of a session. Raises: DatabaseUnavailableError."""
        return await self.sessions.holder(secret)

    def header(self, secret: str, *, in_frame: bool = False) -> str:
        """The header that sets the cookie; a secret of "" deletes the cookie.

        A frame is a page of Telegram's web client, which is another site, so only a cookie without
        SameSite is sent from it. The cookie is `Partitioned`, so no other site that frames or calls
        the page gets it.
        """
        max_age_s = int(self.lasts.total_seconds()) if secret else 0
        same_site = "None; Partitioned" if in_frame and self.pages.is_secure else "Strict"
        secure_attribute = "; Secure" if self.pages.is_secure else ""
        attributes = (
            f"Max-Age={max_age_s}; Path=/; HttpOnly{secure_attribute}; SameSite={same_site}"
        )
        return f"{self.name}={secret}; {attributes}"


LASTS_S = 3600
"""Seconds for which a signature is accepted.

Otherwise somebody who saw one could use it forever.
"""
_CLOCK_SKEW_S = 60
_LONGEST = 8_192
_MOST_FIELDS = 32


class _SignedUser(BaseModel):
    model_config = ConfigDict(strict=True)

    id: int = Field(gt=0)


def read_init_data(init_data: str, bot_token: str, now: datetime) -> int | None:
    """The id of the user whom Telegram confirms, None for forged or old data."""
    if len(init_data) > _LONGEST:
        return None
    try:
        pairs = parse_qsl(
            init_data, keep_blank_values=True, strict_parsing=True, max_num_fields=_MOST_FIELDS
        )
        fields = dict(pairs)
        is_signed = len(fields) == len(pairs) and _is_signed(fields, bot_token)
        age_s = now.timestamp() - int(fields.get("auth_date", ""))
    except ValueError:
        return None
    if not is_signed or not -_CLOCK_SKEW_S <= age_s <= LASTS_S:
        return None
    try:
        return _SignedUser.model_validate_json(fields.get("user", "")).id
    except ValidationError:
        return None


def _is_signed(fields: Mapping[str, str], bot_token: str) -> bool:
    signed_text = "\n".join(f"{name}={fields[name]}" for name in sorted(fields) if name != "hash")
    signing_key = hmac.digest(b"WebAppData", bot_token.encode(), "sha256")
    signature = hmac.digest(signing_key, signed_text.encode(), "sha256").hex()
    return hmac.compare_digest(signature.encode(), fields.get("hash", "").encode())


LOGIN_PATH, LOGOUT_PATH, SESSION_PATH = "/chat/login", "/chat/logout", "/chat/session"
_BODY_BYTES = 20_000


class _Presented(BaseModel):
    """The proof that the page presents: a code of /web, or what Telegram gave a Mini App.

    `time_zone` is that of the browser.
    """

    model_config = ConfigDict(strict=True)

    code: str = Field("", max_length=100)
    init_data: str = Field("", alias="initData", max_length=10_000)
    framed: bool = False
    time_zone: str = Field("", alias="timeZone", max_length=100)


def _place_in(time_zone: str) -> str:
    """The time zone if it names a place, else "". Browsers that hide their place send "UTC"."""
    zone = zone_named(time_zone) or ""
    return zone if "/" in zone and not zone.startswith("Etc/") else ""


@dataclass(frozen=True, slots=True)
class SignInPage:
    """Begins and ends sessions.

    `permits`: returns whether a user may use the bot.
    `hears`: returns whether recordings can be transcribed.
    `links`: lead to other pages of the bot; complete once all features are open.
    """

    cookies: PageCookies
    accounts: Accounts
    permits: Callable[[int, bool | None], bool]
    bot_token: str
    hears: Callable[[], bool] = lambda: False
    links: Sequence[PageLink] = ()
    guesses: RateLimit = field(default_factory=lambda: RateLimit(GUESSES_A_MINUTE))
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))

    def routes(self) -> Sequence[GuardedRoute]:
        """The routes for users without a session, for signing out, and for users with a session.

        Sites in CORS_ORIGINS may not use these routes.
        """
        return (
            self._route_before(LOGIN_PATH, self._login_app),
            self._route_before(LOGOUT_PATH, self._logout_app),
            GuardedRoute(SESSION_PATH, None, handled_by(self._describe), for_own_pages=True),
        )

    def _route_before(self, path: str, app: ASGIApp) -> GuardedRoute:
        return GuardedRoute(path, None, app, ("POST",), _BODY_BYTES, needs_caller=False)

    async def _login_app(self, scope: Connection, receive: Receive, send: Send) -> None:
        response = await self.login(Request(scope, receive))
        await response(scope, receive, send)

    async def _logout_app(self, scope: Connection, receive: Receive, send: Send) -> None:
        response = await self.logout(Request(scope, receive))
        await response(scope, receive, send)

    async def login(self, request: Request) -> Response:
        """Begin a session, always with a new secret. The answer sets its cookie.

        Raises: RequestRefusedError, DatabaseUnavailableError.
        """
        count(self.guesses, network_of(request), "too_many_tries")
        try:
            credentials = _Presented.model_validate_json(await request.body())
        except ValidationError:
            raise RequestRefusedError(
                400, "malformed", "Neither a code nor initData.", hint=""
            ) from None
        user_id = await self._user_of(credentials)
        await self._check(request, user_id)
        if zone := _place_in(credentials.time_zone):
            await self.accounts.learn_time_zone(user_id, zone)
        secret = await self.cookies.sessions.begin(user_id, self.cookies.lasts)
        cookie = self.cookies.header(secret, in_frame=credentials.framed)
        return JSONResponse({"user_id": user_id}, headers={"Set-Cookie": cookie})

    async def logout(self, request: Request) -> Response:
        """End the session, if there is one, and delete the cookie."""
        secret = self.cookies.secret_of(request)
        if secret is not None:
            await self.cookies.sessions.end_by_secret(secret)
        response = Response(status_code=204)
        for in_frame in (False, True):
            response.headers.append("Set-Cookie", self.cookies.header("", in_frame=in_frame))
        return response

    async def _user_of(self, credentials: _Presented) -> int:
        if credentials.init_data:
            user_id = read_init_data(credentials.init_data, self.bot_token, self.now())
        elif is_secret(LOGIN_CODE, credentials.code):
            user_id = await self.cookies.sessions.take_code(credentials.code)
        else:
            user_id = None
        if user_id is None:
            hint = "Send /web to the bot for a new one."
            raise RequestRefusedError(
                401, "login_refused", "This link was used, is too old, or never was.", hint=hint
            )
        return user_id

    async def _check(self, request: Request, user_id: int) -> None:
        """Refuse users who may not use the bot, and links that switch the account unnoticed."""
        account = await self.accounts.find(user_id)
        if not self.permits(user_id, account.is_allowed):
            hint = "Ask an admin of the bot for access."
            raise RequestRefusedError(
                403, "user_not_permitted", "You may not use this bot.", hint=hint
            )
        secret = self.cookies.secret_of(request)
        holder = await self.cookies.holder(secret) if secret else None
        if holder is not None and holder.user_id != user_id:
            raise RequestRefusedError(
                409, "signed_in", "Somebody else is signed in here.", hint="Sign out first."
            )
        if secret and holder is not None:
            await self.cookies.sessions.end_by_secret(secret)

    async def _describe(self, request: Request, caller: Caller) -> Response:
        account = await self.accounts.find(caller.user_id)
        locale = account.locale_for(client=language_of(request))
        name_by_user_id = await self.accounts.names([caller.user_id])
        session = {
            "user_id": caller.user_id,
            "name": name_by_user_id.get(caller.user_id, ""),
            "language": account.language or account.spoken or locale_of_tag(account.client or ""),
            "hears": self.hears(),
            "pages": [
                (say(locale, link.words_key), link.path)
                for link in self.links
                if link.path != PAGE_PATH and await link.is_for(caller.user_id)
            ],
        }
        return JSONResponse(session)
