"""The provider as a process, the bot in front of it, and a browser without a screen."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.acceptance.node_clients import CLIENTS, NODE
from tests.acceptance.world import DEADLINE_S, World, free_port, wait_until

_NOT_READY = "the provider does not start"


@dataclass(frozen=True, slots=True)
class NodeProvider:
    """npm's oidc-provider at an address."""

    url: str

    def name(self, person: str, **claims: Any) -> None:
        """Have everybody who signs in from now on be this person, with these claims."""
        httpx.post(f"{self.url}/control", json={"person": person, **claims}).raise_for_status()


@contextmanager
def node_provider(port: int, bot_url: str) -> Iterator[NodeProvider]:
    """The provider, with the bot at an address as its client."""
    script = str(CLIENTS / "oidc-provider.mjs")
    with subprocess.Popen(
        [NODE or "node", script, str(port), bot_url],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "ready\n", _NOT_READY
            yield NodeProvider(f"http://localhost:{port}")
        finally:
            process.kill()


@dataclass(slots=True)
class Visitor:
    """A browser of one person, which follows where it is led."""

    world: World
    http: httpx.Client

    @property
    def home(self) -> str:
        """The address of the bot."""
        return self.world.environment["PUBLIC_URL"]

    def sign_in(self, to: str = "/chat") -> httpx.Response:
        """Follow the link on the page: the last answer."""
        words = self.http.get(f"{self.home}/chat/words").json()
        (link,) = [path for text, path in words["signIns"] if text == "Sign in with Example"]
        path = link.partition("?")[0]
        return self.http.get(f"{self.home}{path}", params={"to": to}, follow_redirects=True)

    def user(self) -> dict[str, Any] | None:
        """The user who is signed in; None for nobody."""
        answer = self.http.get(f"{self.home}/chat/session")
        return answer.json() if answer.status_code == 200 else None

    def ask(self, text: str) -> str:
        """Ask a question on the page: all events of its run."""
        body = {
            "threadId": "main",
            "runId": f"run-{free_port()}-{len(text)}",
            "messages": [{"id": "1", "role": "user", "content": text}],
            "state": {},
            "tools": [],
            "context": [],
            "forwardedProps": {},
        }
        headers = {"Origin": self.home, "Sec-Fetch-Site": "same-origin"}
        answer = self.http.post(f"{self.home}/agui", json=body, headers=headers, timeout=DEADLINE_S)
        assert answer.status_code == 200, answer.text
        return answer.text

    def history(self) -> str:
        """The main conversation, as the page shows it."""
        answer = self.http.get(f"{self.home}/agui/threads/main", params={"limit": 40})
        assert answer.status_code == 200, answer.text
        return answer.text

    def await_history(self, text: str) -> str:
        """The conversation, once it holds a text."""
        return wait_until(
            lambda: told if text in (told := self.history()) else None, f"{text!r} is shown"
        )

    def sign_out_there(self, provider: NodeProvider) -> None:
        """Sign out at the provider."""
        page = self.http.get(f"{provider.url}/session/end", follow_redirects=True).text
        found = re.search(r'name="xsrf" value="(\w+)"', page)
        assert found, page
        values = {"xsrf": found[1], "logout": "yes"}
        answer = self.http.post(f"{provider.url}/session/end/confirm", data=values)
        assert answer.status_code < 400, answer.text


@contextmanager
def visitor(world: World) -> Iterator[Visitor]:
    """A browser that has never been there."""
    headers = {"Accept-Language": "en"}
    with httpx.Client(timeout=30, trust_env=False, headers=headers) as http:
        yield Visitor(world, http)
