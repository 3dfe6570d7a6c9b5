"""The gate of the HTTP API: who is admitted, before what, and what is told to those who are not."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.domain.access import Access
from rich_agent.domain.tokens import Scope, TokenHolder
from rich_agent.runtime.lifetime import listening, serve_http
from rich_agent.web.access import Caller, Gate, RateLimit
from rich_agent.web.own_pages import OwnPages
from rich_agent.web.routes import GuardedRoute, guard, handled_by
from tests.twins.bearer_secrets import BearerSecrets

ME = 42
PAGE = "https://chat.example"


@dataclass(slots=True)
class Doors:
    """Two routes over HTTP, and what came through."""

    secrets: BearerSecrets
    gate: Gate
    bodies: list[bytes] = field(default_factory=list)

    def token(self, *scopes: Scope, is_allowed: bool | None = None) -> str:
        """A new token."""
        return self.secrets.make(ME, *(scopes or ("chat",)), is_allowed=is_allowed)

    async def answer(self, request: Request, caller: Caller) -> Response:
        """Answer as a route does: tell who asked, and keep the body."""
        self.bodies.append(await request.body())
        return JSONResponse({"user_id": caller.user_id})

    def app(self, *origins: str) -> Starlette:
        """The routes behind the gate."""
        routes = [
            GuardedRoute("/talk/{id}", "chat", handled_by(self.answer), ("POST",), 100),
            GuardedRoute("/read", "knowledge", handled_by(self.answer)),
        ]
        return Starlette(routes=list(guard(routes, self.gate, origins=origins, front="/bot")))

    def http(self, *origins: str, address: str = "203.0.113.9") -> httpx.AsyncClient:
        """A program at an address."""
        transport = httpx.ASGITransport(self.app(*origins), client=(address, 5))
        return httpx.AsyncClient(transport=transport, base_url="http://bot")


@pytest.fixture
def doors() -> Doors:
    """Everybody may use the bot; a token has five requests, an address three guesses."""
    secrets = BearerSecrets()
    return Doors(secrets, Gate((secrets,), Access().permits, RateLimit(5), RateLimit(3)))


def bearer(token: str) -> dict[str, str]:
    """The header of a program."""
    return {"Authorization": f"Bearer {token}"}


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal, which is in OpenAI's shape and says what to do."""
    error = answer.json()["error"]
    assert set(error) == {"message", "type", "code"}
    assert error["message"].endswith(".")
    return answer.status_code, error["code"]


async def test_token_admits_its_user_and_the_answer_is_not_stored(doors: Doors) -> None:
    """The route learns who asks; a proxy may have removed the front of the path."""
    token = doors.token()
    for path in ("/talk/1", "/bot/talk/1"):
        answer = await doors.http().post(path, headers=bearer(token), content=b"hello")
        assert answer.json() == {"user_id": ME}
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert doors.bodies == [b"hello"] * 2


async def test_many_programs_behind_one_address_are_admitted_at_once(doors: Doors) -> None:
    """Their tokens work: none of them is a guess."""
    tokens = [doors.token() for _ in range(8)]
    http = doors.http()
    answers = await asyncio.gather(
        *(http.post("/talk/1", headers=bearer(token)) for token in tokens)
    )
    assert {answer.status_code for answer in answers} == {200}


@pytest.mark.parametrize(
    ("headers", "code"), [({}, "missing_token"), (bearer("unknown"), "invalid_token")]
)
async def test_request_of_nobody_is_told_how_to_sign_in(
    doors: Doors, headers: dict[str, str], code: str
) -> None:
    """401 with the scheme and the hints of the ways to sign in, before the body is read."""
    answer = await doors.http().post("/talk/1", headers=headers, content=b"hello")
    assert code_of(answer) == (401, code)
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "Ring the bell." in answer.json()["error"]["message"]
    assert doors.bodies == []


async def test_nobody_is_admitted_where_there_is_no_way_to_sign_in(doors: Doors) -> None:
    """401 in words without a hint, whatever is sent."""
    doors.gate = dataclasses.replace(doors.gate, sign_ins=())
    answer = await doors.http().post("/talk/1", headers=bearer(doors.token()), content=b"hello")
    assert code_of(answer) == (401, "missing_token")
    assert doors.bodies == []


async def test_token_opens_only_what_its_scope_names(doors: Doors) -> None:
    """403, and the body is not read."""
    talks, reads = doors.token("chat"), doors.token("knowledge")
    http = doors.http()
    assert code_of(await http.get("/read", headers=bearer(talks))) == (403, "wrong_scope")
    refused = await http.post("/talk/1", headers=bearer(reads), content=b"hello")
    assert code_of(refused) == (403, "wrong_scope")
    assert doors.bodies == []
    assert (await http.get("/read", headers=bearer(reads))).status_code == 200


async def test_token_opens_nothing_while_its_user_may_not_use_the_bot(doors: Doors) -> None:
    """The access list counts from the next request on."""
    http, token = doors.http(), doors.token()
    holder = doors.secrets.holders[token]
    for is_allowed, status in ((False, 403), (True, 200)):
        doors.secrets.holders[token] = dataclasses.replace(holder, is_allowed=is_allowed)
        answer = await http.post("/talk/1", headers=bearer(token))
        assert answer.status_code == status
    assert len(doors.bodies) == 1


async def test_guessing_costs_the_database_three_queries_a_minute(doors: Doors) -> None:
    """Then it is not asked; other addresses are, and a token that worked before."""
    token = doors.token()
    guesser = doors.http(address="2001:db8::1")
    assert (await guesser.post("/talk/1", headers=bearer(token))).status_code == 200
    guesses = [await guesser.post("/talk/1", headers=bearer(f"guess-{n}")) for n in range(5)]
    codes = [code_of(guess) for guess in guesses]
    assert codes == [(401, "invalid_token")] * 3 + [(429, "too_many_tries")] * 2
    assert doors.secrets.questions == 1 + 3
    neighbour = doors.http(address="2001:db8::ffff:2")
    refused = await neighbour.post("/talk/1", headers=bearer("guess"))
    assert code_of(refused) == (429, "too_many_tries")
    assert int(refused.headers["retry-after"]) <= 21
    assert (await guesser.post("/talk/1", headers=bearer(token))).status_code == 200
    elsewhere = doors.http(address="2001:db8:0:1::1")
    assert code_of(await elsewhere.post("/talk/1", headers=bearer("guess")))[0] == 401


async def test_requests_of_a_token_are_limited(doors: Doors) -> None:
    """429 with the seconds to wait; the other token of the same user has its own."""
    first, second = doors.token(), doors.token()
    http = doors.http()
    for _ in range(5):
        assert (await http.post("/talk/1", headers=bearer(first))).status_code == 200
    refused = await http.post("/talk/1", headers=bearer(first))
    assert code_of(refused) == (429, "too_many_requests")
    assert 1 <= int(refused.headers["retry-after"]) <= 13
    assert (await http.post("/talk/1", headers=bearer(second))).status_code == 200


@pytest.mark.parametrize("is_announced", [True, False])
async def test_body_over_the_limit_is_refused(doors: Doors, *, is_announced: bool) -> None:
    """As announced, or as soon as it turns out."""

    async def parts() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b"x" * 40

    token, http = doors.token(), doors.http()
    fits = await http.post("/talk/1", headers=bearer(token), content=b"x" * 100)
    assert fits.status_code == 200
    content = b"x" * 101 if is_announced else parts()
    answer = await http.post("/talk/1", headers=bearer(token), content=content)
    assert code_of(answer) == (413, "body_too_large")
    assert doors.bodies == [b"x" * 100]


async def test_client_that_sends_everything_first_reads_the_refusal(doors: Doors) -> None:
    """13 MB over a connection; one that waits for a word before it sends gets it at once."""
    token, stop = doors.token(), asyncio.Event()
    with listening("127.0.0.1", 0) as listener:
        async with asyncio.TaskGroup() as group:
            group.create_task(serve_http(doors.app(), listener, stop))
            port = listener.getsockname()[1]
            for waits in (False, True):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                head = f"POST /talk/1 HTTP/1.1\r\nHost: bot\r\nAuthorization: Bearer {token}\r\n"
                head += "Expect: 100-continue\r\n" if waits else ""
                writer.write(f"{head}Content-Length: 13000000\r\n\r\n".encode())
                if not waits:
                    writer.write(bytes(13_000_000))
                    await writer.drain()
                assert (await reader.readline()).startswith(b"HTTP/1.1 413 ")
                writer.close()
                await writer.wait_closed()
            stop.set()


async def test_wrong_method_is_told_to_those_who_are_admitted(doors: Doors) -> None:
    """405 with a token, 401 without."""
    http = doors.http()
    assert (await http.delete("/talk/1")).status_code == 401
    answer = await http.delete("/talk/1", headers=bearer(doors.token()))
    assert code_of(answer) == (405, "wrong_method")


async def test_pages_of_other_origins_are_not_admitted_unless_they_are_named(doors: Doors) -> None:
    """No answer names an origin by default; a named one is exact."""
    token = doors.token()
    asked = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    closed, opened = doors.http(), doors.http(PAGE)
    for http, origin, allowed in (
        (closed, PAGE, None),
        (opened, PAGE, PAGE),
        (opened, f"{PAGE}.evil.example", None),
        (opened, "null", None),
    ):
        preflight = await http.options("/talk/1", headers={"Origin": origin, **asked})
        answer = await http.post("/talk/1", headers={"Origin": origin, **bearer(token)})
        for one in (preflight, answer):
            assert one.headers.get("access-control-allow-origin") == allowed
            assert "access-control-allow-credentials" not in one.headers
        assert preflight.is_success is (allowed is not None)


class _Sessions:
    """One cookie that is a session."""

    comes_from_browsers = True
    hint = ""

    def secret_of(self, request: Request) -> str | None:
        return request.cookies.get("session")

    async def holder(self, secret: str) -> TokenHolder | None:
        if secret != "open":
            return None
        return TokenHolder(ME, frozenset({"chat"}), None, is_allowed=True)


async def test_session_of_a_page_is_admitted_like_a_token(doors: Doors) -> None:
    """By its cookie if no token came, with its scopes and as often as a token, if its user may."""
    sign_ins, pages = (*doors.gate.sign_ins, _Sessions()), OwnPages("http://bot")
    doors.gate = dataclasses.replace(doors.gate, sign_ins=sign_ins, pages=pages)
    http = doors.http()
    http.headers["Origin"] = pages.origin
    assert code_of(await http.post("/talk/1")) == (401, "missing_token")
    http.cookies.set("session", "open")
    assert (await http.post("/talk/1")).json() == {"user_id": ME}
    assert code_of(await http.get("/read")) == (403, "wrong_scope")
    refused = await http.post("/talk/1", headers=bearer("guess"))
    assert code_of(refused) == (401, "invalid_token")
    statuses = [(await http.post("/talk/1")).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
