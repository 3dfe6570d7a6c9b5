"""The sign-in of the bot with a database, in front of a provider that a test may bend."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
from cryptography.fernet import Fernet
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rich_agent.domain.access import Access
from rich_agent.feature.pages import PageArea, PageSurroundings
from rich_agent.features import oidc
from rich_agent.features.oidc.logout import BackChannelLogout
from rich_agent.features.oidc.people import ProviderPeople
from rich_agent.features.oidc.provider import Provider
from rich_agent.features.oidc.repository import OidcIdentities
from rich_agent.features.oidc.settings import OidcSettings
from rich_agent.features.oidc.sign_in import CALLBACK_PATH, SIGN_IN_PATH, OidcSignIn
from rich_agent.features.web_chat.public import BrowserSessions, PageCookies
from rich_agent.ports.news import News
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.knowledge.spaces import PostgresSpaces
from rich_agent.runtime.seals import Seal
from rich_agent.web.access import Caller, Gate, RateLimit
from rich_agent.web.own_pages import OwnPages
from rich_agent.web.routes import GuardedRoute, guard, handled_by, open_to_all
from tests.stand_ins.oidc.provider import CLIENT, SECRET, HostileProvider

HOME = "https://bot.example/front"
CALLER = "/caller"
TEMPLATES = Path(oidc.__file__).parent / "templates"


async def tell_caller(_request: Request, caller: Caller) -> Response:
    """Answer with the user who asks."""
    return JSONResponse({"user_id": caller.user_id})


@dataclass(slots=True)
class Entrance:
    """The routes of the sign-in and one behind the gate; `clock` is what the bot goes by."""

    hostile: HostileProvider
    databases: Databases
    provider: Provider
    people: ProviderPeople
    routes: list[Route] = field(default_factory=list)
    time_s: float = 1_000.0

    def browser(self, address: str = "203.0.113.9") -> httpx.AsyncClient:
        """A browser that follows no link by itself."""
        transport = httpx.ASGITransport(Starlette(routes=self.routes), client=(address, 5))
        headers = {"Accept-Language": "en"}
        return httpx.AsyncClient(transport=transport, base_url=HOME, headers=headers)

    async def begin(self, browser: httpx.AsyncClient, to: str = "/chat") -> str:
        """Begin a sign-in: the address at the provider."""
        answer = await browser.get(HOME + SIGN_IN_PATH, params={"to": to})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    async def visit(self, address: str) -> str:
        """Sign in at the provider: the address that it leads back to."""
        async with httpx.AsyncClient() as outside:
            answer = await outside.get(address)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    async def sign_in(self, browser: httpx.AsyncClient, to: str = "/chat") -> httpx.Response:
        """A whole sign-in: the answer of the bot at its end."""
        return await browser.get(await self.visit(await self.begin(browser, to)))

    async def user_of(self, browser: httpx.AsyncClient) -> int | None:
        """The user who is signed in, None for nobody."""
        answer = await browser.get(HOME + CALLER)
        return answer.json()["user_id"] if answer.status_code == 200 else None

    async def log_out(self, token: str) -> httpx.Response:
        """The provider tells that somebody has signed out."""
        async with self.browser("198.51.100.1") as outside:
            path = "/oidc/back-channel-logout"
            return await outside.post(HOME + path, data={"logout_token": token})


@asynccontextmanager
async def open_entrance(
    hostile: HostileProvider, databases: Databases, *, has_seal: bool = True, **values: Any
) -> AsyncIterator[Entrance]:
    """The entrance; `values` are settings."""
    secret = SecretStr(SECRET)
    settings = OidcSettings(
        **{"issuer": hostile.url, "client_id": CLIENT, "client_secret": secret, **values}
    )
    made: list[Entrance] = []
    accounts, sessions = PostgresAccounts(databases.app), BrowserSessions(databases.app)
    async with Provider(
        settings, HOME + CALLBACK_PATH, lambda: made[0].time_s if made else 1_000.0
    ) as provider:
        people = ProviderPeople(
            provider,
            settings,
            OidcIdentities(databases.app),
            sessions,
            accounts,
            PostgresSpaces(databases.rag).note_names,
            Seal.of([Fernet.generate_key().decode()]) if has_seal else None,
            lambda: made[0].time_s,
        )
        entrance = Entrance(hostile, databases, provider, people)
        made.append(entrance)
        entrance.routes = _routes(people, accounts)
        try:
            yield entrance
        finally:
            await people.close()


def _routes(people: ProviderPeople, accounts: PostgresAccounts) -> list[Route]:
    pages, permits = OwnPages(HOME), Access(frozenset({42})).permits
    cookies = PageCookies(people.sessions, pages)
    around = PageSurroundings(accounts, cast("News", None), pages, lambda: "Bot", (), ())
    sign_in = OidcSignIn(
        people.provider,
        people.identities,
        people,
        accounts,
        permits,
        cookies,
        PageArea("/oidc", "pages-sign-in", TEMPLATES, around),
        "Example",
        timedelta(hours=1),
        RateLimit(1_000),
    )
    gate = Gate([cookies], permits, RateLimit(1_000), pages=pages, prepare=people.refresh)
    front = urlsplit(HOME).path
    caller = GuardedRoute(CALLER, None, handled_by(tell_caller))
    logout = BackChannelLogout(people.provider, people)
    return [
        *guard([caller], gate, pages=pages, front=front),
        *open_to_all([*sign_in.routes(), logout.route()], front),
    ]
