"""People who open the bot's pages: over HTTP as a browser without JavaScript would."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import lxml.html

from tests.acceptance.test_web_chat import sign_in_link
from tests.acceptance.world import World


@dataclass(slots=True)
class Visitor:
    """A browser with the session of a user."""

    client: httpx.Client

    def get(self, path: str, **fields: Any) -> httpx.Response:
        """Open a page, as by its address."""
        return self.client.get(path, params=fields, headers={"Sec-Fetch-Site": "none"})

    def page(self, path: str, **fields: Any) -> lxml.html.HtmlElement:
        """The content of a page that opens."""
        answer = self.get(path, **fields)
        assert answer.status_code == 200, answer.text
        return lxml.html.fromstring(answer.text)

    def post(self, path: str, files: Any = None, **fields: Any) -> httpx.Response:
        """Send a form of a page, and follow where it leads."""
        return self.client.post(path, data=fields, files=files, follow_redirects=True)


@contextmanager
def visiting(world: World, user: int, locale: str = "en", **fields: str) -> Iterator[Visitor]:
    """Sign in by the link that /web makes, as its page does."""
    home = world.environment["PUBLIC_URL"]
    parts = urlsplit(home)
    headers = {"Origin": f"{parts.scheme}://{parts.netloc}", "Sec-Fetch-Site": "same-origin"}
    with httpx.Client(base_url=home, headers=headers, trust_env=False, timeout=20) as client:
        code = sign_in_link(world, user, locale, **fields).partition("#login=")[2]
        answer = client.post("/chat/login", json={"code": code})
        assert answer.status_code == 200, answer.text
        yield Visitor(client)


def words(page: lxml.html.HtmlElement) -> str:
    """The words of the main part of a page, in one line."""
    (main,) = page.xpath("//main")
    return " ".join(str(main.text_content()).split())
