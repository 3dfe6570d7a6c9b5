"""Ways to sign in that features bring: what opens a guarded route, and in which order."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from starlette.requests import Request
from typing_extensions import override

from rich_agent.domain.tokens import TokenHolder
from rich_agent.web.access import Gate, RateLimit, SignIn
from rich_agent.web.own_pages import OwnPages
from rich_agent.web.refusals import RequestRefusedError

PROGRAM, PERSON = 1, 2
PAGES = OwnPages("https://bot.example")


@dataclass(slots=True)
class Header:
    """Signs in whoever sends a header, as the user of a number."""

    name: str
    user_id: int
    comes_from_browsers: bool = False
    hint: str = ""
    secrets: list[str] = field(default_factory=list)

    def secret_of(self, request: Request) -> str | None:
        """The value of the header."""
        return request.headers.get(self.name)

    async def holder(self, secret: str) -> TokenHolder | None:
        """The user, whatever the secret; it is remembered."""
        self.secrets.append(secret)
        return TokenHolder(self.user_id, frozenset({"chat"}), None, None)


class Broken(Header):
    """Fails in both of its methods."""

    @override
    def secret_of(self, request: Request) -> str | None:
        """Fail, unless a header asks to fail later."""
        if "later" in request.headers:
            return "later"
        raise RuntimeError("broken")

    @override
    async def holder(self, secret: str) -> TokenHolder | None:
        """Fail."""
        raise RuntimeError(secret)


def request(headers: Mapping[str, str], method: str = "POST") -> Request:
    """A request with these headers."""
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": method, "path": "/", "headers": pairs})


def gate(*sign_ins: SignIn, pages: OwnPages | None = PAGES) -> Gate:
    """A gate that these open."""
    return Gate(sign_ins, lambda *_: True, RateLimit(100), pages=pages)


OWN = {"Origin": "https://bot.example", "Sec-Fetch-Site": "same-origin"}
PORTAL = Header("portal", PERSON, comes_from_browsers=True, hint="Open the portal.")
KEY = Header("key", PROGRAM)


async def test_what_browsers_send_by_themselves_opens_own_pages_alone() -> None:
    """Of another site's request it counts as nothing, however a feature reads it."""
    sent = {"portal": "x"}
    assert (await gate(PORTAL).admit(request(sent | OWN), "chat")).user_id == PERSON
    for headers in ({}, {"Origin": "https://other.example"}, {"Sec-Fetch-Site": "cross-site"}):
        with pytest.raises(RequestRefusedError, match="A token is needed") as refused:
            await gate(PORTAL).admit(request(sent | headers), "chat")
        assert (refused.value.status, refused.value.hint) == (401, "Open the portal.")
    with pytest.raises(RequestRefusedError):
        await gate(PORTAL, pages=None).admit(request(sent | OWN), "chat")


async def test_what_a_program_sends_goes_before_what_its_browser_sends() -> None:
    """In whichever order the features stand."""
    both = request({"portal": "x", "key": "y"} | OWN)
    for sign_ins in ((PORTAL, KEY), (KEY, PORTAL)):
        assert (await gate(*sign_ins).admit(both, "chat")).user_id == PROGRAM


async def test_broken_way_to_sign_in_closes_no_other() -> None:
    """It admits nobody, and those who come another way are admitted."""
    broken = Broken("", 0)
    sent = request({"key": "y"})
    assert (await gate(broken, KEY).admit(sent, "chat")).user_id == PROGRAM
    with pytest.raises(RequestRefusedError, match="unknown"):
        await gate(broken).admit(request({"later": ""}), "chat")


class Strict(Header):
    """Refuses a header of a form that is not its own."""

    @override
    def secret_of(self, request: Request) -> str | None:
        """Refuse what does not begin with a plus sign."""
        secret = request.headers.get(self.name)
        if secret and not secret.startswith("+"):
            raise RequestRefusedError(401, "invalid_token", "This is no token.")
        return secret


async def test_header_that_one_way_refuses_is_read_by_the_next_of_programs() -> None:
    """A header that no way takes is refused as the first one says, and no cookie opens it then."""
    strict = Strict("key", PERSON)
    assert (await gate(strict, KEY).admit(request({"key": "jwt"}), "chat")).user_id == PROGRAM
    assert (await gate(strict, KEY).admit(request({"key": "+1"}), "chat")).user_id == PERSON
    with pytest.raises(RequestRefusedError, match="This is no token"):
        await gate(strict, PORTAL).admit(request({"key": "jwt", "portal": "x"} | OWN), "chat")
