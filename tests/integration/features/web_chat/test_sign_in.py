"""Signing in to the web chat: codes, Mini Apps, cookies, and requests that other sites make."""

import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib import import_module
from urllib.parse import urlencode

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rich_agent.domain.access import Access
from rich_agent.domain.secrets import make_secret
from rich_agent.features.web_chat.repository import BrowserSessions
from rich_agent.features.web_chat.sessions import MOST_SESSIONS, SESSION
from rich_agent.features.web_chat.sign_in import PageCookies, SignInPage
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.web.access import Caller, Gate, RateLimit
from rich_agent.web.own_pages import OwnPages
from rich_agent.web.routes import GuardedRoute, guard, handled_by
from tests.integration.catalogue import execute

ME, OTHER, STRANGER = 42, 43, 44
BOT = "700000001:AAF-sandbox-token-for-the-tests-000"
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOME = "https://bot.example"
CALLER = "/caller"


async def tell_caller(_request: Request, caller: Caller) -> Response:
    """Answer with the user who asks."""
    return JSONResponse({"user_id": caller.user_id})


@dataclass(slots=True)
class Entrance:
    """The routes of signing in, and one behind the gate, under an address."""

    pool: Pool
    sessions: BrowserSessions
    address: str = HOME
    guesses: int = 100
    routes: list[Route] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Only these two may use the bot."""
        permits = Access(frozenset({ME, OTHER})).permits
        pages = OwnPages(self.address)
        cookies = PageCookies(self.sessions, pages, timedelta(days=3))
        sign_in = SignInPage(
            cookies,
            PostgresAccounts(self.pool),
            permits,
            BOT,
            guesses=RateLimit(self.guesses),
            now=lambda: NOW,
        )
        gate = Gate([cookies], permits, RateLimit(100), pages=pages)
        routes = [GuardedRoute(CALLER, None, handled_by(tell_caller)), *sign_in.routes()]
        self.routes = list(guard(routes, gate, pages=pages, origins=["https://other.example"]))

    def browser(self, **headers: str) -> httpx.AsyncClient:
        """A browser that shows the page, unless its headers say otherwise."""
        parts = httpx.URL(self.address)
        origin = f"{parts.scheme}://{parts.netloc.decode()}"
        sent = {"Origin": origin, "Sec-Fetch-Site": "same-origin"} | headers
        transport = httpx.ASGITransport(Starlette(routes=self.routes), client=("203.0.113.9", 5))
        return httpx.AsyncClient(transport=transport, base_url=self.address, headers=sent)

    async def signed_in(self, user_id: int = ME) -> httpx.AsyncClient:
        """A browser with a session."""
        browser = self.browser()
        code = await self.sessions.offer_code(user_id)
        answer = await browser.post("/chat/login", json={"code": code})
        assert answer.status_code == 200, answer.text
        return browser


@pytest.fixture
async def entrance(database_url: str) -> AsyncIterator[Entrance]:
    """A bot over https."""
    async with open_pool(database_url, max_size=3) as pool:
        yield Entrance(pool, BrowserSessions(pool))


def init_data(user: object = None, token: str = BOT, **changed: str) -> str:
    """The data that Telegram hands to a Mini App."""
    fields = {
        "query_id": "AAE",
        "user": json.dumps({"id": ME, "first_name": "Zoë & Co"} if user is None else user),
        "auth_date": str(int(NOW.timestamp()) - 10),
        "signature": "c2ln",
        **changed,
    }
    key = hmac.digest(b"WebAppData", token.encode(), "sha256")
    text = "\n".join(f"{name}={fields[name]}" for name in sorted(fields))
    return urlencode({**fields, "hash": hmac.new(key, text.encode(), hashlib.sha256).hexdigest()})


async def test_browser_tells_where_the_users_clocks_are(entrance: Entrance) -> None:
    """As long as nobody knows it; what the user chose stays, and nonsense is not believed."""
    accounts = PostgresAccounts(entrance.pool)
    for told, known in (
        ("Atlantis/Nowhere", ""),
        ("Etc/UTC", ""),
        ("Asia/Tokyo", "Asia/Tokyo"),
        ("Europe/Berlin", "Asia/Tokyo"),
    ):
        code = await entrance.sessions.offer_code(ME)
        body = {"code": code, "timeZone": told}
        answer = await entrance.browser().post("/chat/login", json=body)
        assert answer.status_code == 200
        assert (await accounts.find(ME)).time_zone == known
    await accounts.choose_time_zone(ME, "Asia/Seoul")
    body = {"code": await entrance.sessions.offer_code(ME), "timeZone": "Asia/Tokyo"}
    await entrance.browser().post("/chat/login", json=body)
    assert (await accounts.find(ME)).time_zone == "Asia/Seoul"


async def test_code_signs_in_once_and_the_cookie_opens_the_api(entrance: Entrance) -> None:
    """The cookie is out of reach for scripts, other sites and other hosts."""
    code = await entrance.sessions.offer_code(ME)
    browser = entrance.browser()
    answer = await browser.post("/chat/login", json={"code": code})
    assert answer.json() == {"user_id": ME}
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-rich_agent=ras_")
    kept = "; Max-Age=259200; Path=/; HttpOnly; Secure; SameSite=Strict"
    assert cookie.endswith(kept)
    assert (await browser.get(CALLER)).json()["user_id"] == ME
    told = (await browser.get("/chat/session")).json()
    expected = {"user_id": ME, "name": "", "language": None, "hears": False, "pages": []}
    assert told == expected
    again = await entrance.browser().post("/chat/login", json={"code": code})
    assert (again.status_code, again.json()["error"]["code"]) == (401, "login_refused")
    assert "/web" in again.json()["error"]["message"]
    assert "set-cookie" not in again.headers


async def test_only_hashes_are_kept(entrance: Entrance) -> None:
    """Neither the code nor the secret of the cookie is in a table."""
    code = await entrance.sessions.offer_code(ME)
    secret = await entrance.sessions.begin(ME, timedelta(days=1))
    async with entrance.pool.connection() as connection:
        rows = await (
            await connection.execute(
                "SELECT s::text FROM web_sessions s UNION ALL SELECT c::text FROM web_login_codes c"
            )
        ).fetchall()
    assert len(rows) == 2
    assert code not in str(rows)
    assert secret not in str(rows)


async def test_code_that_is_old_or_replaced_opens_nothing(
    entrance: Entrance, database_url: str
) -> None:
    """A new code ends the one before; five minutes later there is none."""
    replaced = await entrance.sessions.offer_code(ME)
    code = await entrance.sessions.offer_code(ME)
    execute(database_url, "UPDATE web_login_codes SET expires_at = now() - interval '1 s'")
    for one in (replaced, code, "rac_" + "x" * 43, "", "x" * 90):
        answer = await entrance.browser().post("/chat/login", json={"code": one})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "login_refused")
    for body in (b"", b"[]", b'{"code": 5}', b'{"code": "' + b"x" * 101 + b'"}'):
        answer = await entrance.browser().post("/chat/login", content=body)
        assert answer.status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://bot.example"},
        {"Origin": "https://bot.example:8443"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
async def test_other_site_can_neither_sign_in_nor_use_a_session(
    entrance: Entrance, headers: dict[str, str]
) -> None:
    """A request that changes something needs the page's own origin, whatever cookie comes along."""
    code = await entrance.sessions.offer_code(ME)
    answer = await entrance.browser(**headers).post("/chat/login", json={"code": code})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin")
    browser = await entrance.signed_in()
    assert (await browser.post(CALLER)).status_code == 405
    browser.headers.update(headers)
    assert (await browser.post(CALLER)).status_code == 401
    assert (await browser.post("/chat/logout")).status_code == 403


async def test_site_of_cors_origins_is_told_nothing_of_the_page(entrance: Entrance) -> None:
    """It may use the API with a token, and neither sign in nor read who is signed in."""
    browser = await entrance.signed_in()
    browser.headers["Origin"] = "https://other.example"
    allowed = "access-control-allow-origin"
    assert allowed in (await browser.get(CALLER)).headers
    for answer in (await browser.get("/chat/session"), await browser.post("/chat/login")):
        assert allowed not in answer.headers


async def test_other_site_cannot_read_with_the_session(entrance: Entrance) -> None:
    """A browser that says that another site asks is not admitted; a person's address line is."""
    browser = await entrance.signed_in()
    del browser.headers["Origin"]
    for site, status in (("cross-site", 401), ("same-site", 401), ("none", 200)):
        browser.headers["Sec-Fetch-Site"] = site
        assert (await browser.get(CALLER)).status_code == status
    del browser.headers["Sec-Fetch-Site"]
    assert (await browser.get(CALLER)).status_code == 200


async def test_session_gets_a_new_secret_at_each_sign_in(entrance: Entrance) -> None:
    """A cookie that somebody planted is neither taken over nor left open."""
    browser = await entrance.signed_in()
    first = browser.cookies["__Host-rich_agent"]
    code = await entrance.sessions.offer_code(ME)
    await browser.post("/chat/login", json={"code": code})
    assert browser.cookies["__Host-rich_agent"] != first
    assert await entrance.sessions.holder(first) is None
    planted = entrance.browser()
    planted.cookies.set("__Host-rich_agent", make_secret(SESSION), domain="bot.example")
    assert (await planted.get(CALLER)).status_code == 401


async def test_link_of_somebody_else_does_not_swap_the_account(entrance: Entrance) -> None:
    """Whoever is signed in has to sign out first, so that nobody writes into another's chat."""
    browser = await entrance.signed_in(ME)
    code = await entrance.sessions.offer_code(OTHER)
    answer = await browser.post("/chat/login", json={"code": code})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "signed_in")
    assert (await browser.get(CALLER)).json()["user_id"] == ME


async def test_sign_out_ends_the_session(entrance: Entrance, database_url: str) -> None:
    """In the database and in the browser; a session also ends by itself, and with its number."""
    browser = await entrance.signed_in()
    secret = browser.cookies["__Host-rich_agent"]
    answer = await browser.post("/chat/logout")
    assert answer.status_code == 204
    assert "__Host-rich_agent" not in browser.cookies
    assert await entrance.sessions.holder(secret) is None
    browser = await entrance.signed_in()
    (session,) = await entrance.sessions.all_of(ME)
    assert not await entrance.sessions.end(session.id, OTHER)
    assert (await browser.get(CALLER)).status_code == 200
    assert await entrance.sessions.end(session.id, ME)
    assert (await browser.get(CALLER)).status_code == 401
    browser = await entrance.signed_in()
    execute(database_url, "UPDATE web_sessions SET expires_at = now()")
    assert (await browser.get(CALLER)).status_code == 401
    assert await entrance.sessions.all_of(ME) == []


async def test_session_over_the_most_ends_the_oldest(entrance: Entrance) -> None:
    """So that the list fits into a message."""
    first, *_ = [
        await entrance.sessions.begin(ME, timedelta(days=1)) for _ in range(MOST_SESSIONS + 1)
    ]
    assert await entrance.sessions.holder(first) is None
    assert len(await entrance.sessions.all_of(ME)) == MOST_SESSIONS


async def test_user_who_may_not_use_the_bot_gets_no_session(entrance: Entrance) -> None:
    """Neither at the door nor later, when they are denied."""
    code = await entrance.sessions.offer_code(STRANGER)
    answer = await entrance.browser().post("/chat/login", json={"code": code})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "user_not_permitted")
    browser = await entrance.signed_in()
    await PostgresAccounts(entrance.pool).set_access(ME, is_allowed=False, by=None)
    assert (await browser.get(CALLER)).status_code == 403


async def test_mini_app_signs_in_with_what_telegram_signed(entrance: Entrance) -> None:
    """Our reading agrees with aiogram's; in Telegram's web client the cookie works in its frame."""
    given = init_data()
    # Loading it takes seconds, of all who collect this module.
    assert import_module("aiogram.utils.web_app").check_webapp_signature(BOT, given)
    browser = entrance.browser()
    answer = await browser.post("/chat/login", json={"initData": given})
    assert answer.headers["set-cookie"].endswith("; HttpOnly; Secure; SameSite=Strict")
    assert (await browser.get(CALLER)).json()["user_id"] == ME
    framed = await entrance.browser().post("/chat/login", json={"initData": given, "framed": True})
    assert framed.headers["set-cookie"].endswith("; HttpOnly; Secure; SameSite=None; Partitioned")


def _aged(seconds: int) -> dict[str, str]:
    return {"auth_date": str(int(NOW.timestamp()) - seconds)}


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(init_data(token="700000001:another"), id="other bot"),
        pytest.param(init_data().replace("42", "43"), id="another user"),
        pytest.param(init_data() + "&extra=1", id="added field"),
        pytest.param(init_data() + f"&{init_data()}", id="every field twice"),
        pytest.param(init_data(**_aged(3_700)), id="old"),
        pytest.param(init_data(**_aged(-3_600)), id="of the future"),
        pytest.param(init_data(auth_date="soon"), id="no time"),
        pytest.param(init_data(user={"first_name": "Ann"}), id="nobody"),
        pytest.param(init_data(user={"id": "42"}), id="no number"),
        pytest.param(init_data(user=[]), id="no user"),
        pytest.param("hash=", id="no fields"),
        pytest.param("&&==;%ff", id="no pairs"),
        pytest.param("user=\ud800&hash=\ud800&auth_date=1", id="no text"),
        pytest.param("a=1&" * 2_000, id="many fields"),
    ],
)
async def test_init_data_that_are_forged_or_old_open_nothing(
    entrance: Entrance, given: str
) -> None:
    """Each is refused in the same words."""
    body = json.dumps({"initData": given}).encode()
    answer = await entrance.browser().post("/chat/login", content=body)
    assert answer.status_code in {400, 401}
    assert "set-cookie" not in answer.headers


async def test_guessing_is_slowed_down(entrance: Entrance) -> None:
    """After so many tries a minute an address has to wait; unknown cookies count too."""
    slow = Entrance(entrance.pool, entrance.sessions, guesses=2)
    statuses = [
        (await slow.browser().post("/chat/login", json={"code": make_secret("rac_")})).status_code
        for _ in range(3)
    ]
    assert statuses == [401, 401, 429]
    browser = slow.browser()
    statuses = []
    for _ in range(21):
        browser.cookies.set("__Host-rich_agent", make_secret(SESSION), domain="bot.example")
        statuses.append((await browser.get(CALLER)).status_code)
    assert statuses[-1] == 429


async def test_page_without_https_gets_a_cookie_too(entrance: Entrance) -> None:
    """On this machine, where nobody listens in between."""
    here = Entrance(entrance.pool, entrance.sessions, "http://127.0.0.1:8081")
    code = await here.sessions.offer_code(ME)
    browser = here.browser()
    answer = await browser.post("/chat/login", json={"code": code})
    assert answer.headers["set-cookie"].endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert (await browser.get(CALLER)).json()["user_id"] == ME
