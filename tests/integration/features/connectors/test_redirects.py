"""Services that lead elsewhere: no other private host is asked, and no other host gets a login."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rich_agent.documents.connectors import rest_client
from rich_agent.documents.connectors.port import ConnectorError
from rich_agent.documents.connectors.rest_client import RequestLimits, RestClient, RestService
from rich_agent.domain.intranet import Intranet
from rich_agent.features.connectors.drive.changes import DriveConfig, GoogleHosts, open_drive
from rich_agent.features.connectors.git.server import GitServer
from rich_agent.features.connectors.s3.bucket import S3Config, open_s3
from rich_agent.upstreams.guarded_network import GuardedBackend
from tests.integration.features.connectors.test_drive import Cloud, cloud
from tests.integration.git_server import serve_git
from tests.integration.sandbox_openai.serving import served
from tests.unit.upstreams.test_guarded_network import NAMES, Names, Sockets

__all__ = ["cloud"]
HERE = Intranet.parse(["127.0.0.0/8"])
LIMITS = RequestLimits(timeout_s=5, pause_s=0)
LOGIN = httpx.BasicAuth("bot", "secret")


@dataclass(slots=True)
class Elsewhere:
    """Another server of this machine, which notes what it is asked."""

    url: str = ""
    asked: list[Request] = field(default_factory=list)

    async def answer(self, request: Request) -> Response:
        """Answer with JSON."""
        self.asked.append(request)
        return Response("{}", media_type="application/json")


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    """Nobody has asked it anything."""
    other = Elsewhere()
    with served(everywhere(other.answer)) as url:
        other.url = url
        yield other


def everywhere(answer: Callable[[Request], object]) -> Starlette:
    """One answer at every address."""
    return Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])


@pytest.fixture(params=[301, 302, 307, 308])
def leading(request: pytest.FixtureRequest, elsewhere: Elsewhere) -> Iterator[str]:
    """A server that leads to the other one, whatever it is asked."""

    async def lead(asked: Request) -> Response:
        return RedirectResponse(f"{elsewhere.url}{asked.url.path}?{asked.url.query}", request.param)

    with served(everywhere(lead)) as url:
        yield url


def test_git_is_led_to_no_other_host(leading: str, elsewhere: Elsewhere) -> None:
    """Nor to another port of the same one."""
    server = GitServer(f"{leading}/team/wiki.git", "oauth2", "secret")
    with pytest.raises(ConnectorError, match="leads to another host") as refused:
        server.find_head("main")
    assert refused.value.is_refused
    assert elsewhere.asked == []


def test_git_is_led_on_at_its_own_host(tmp_path: Path) -> None:
    """As when a repository was renamed."""
    with serve_git(tmp_path) as git:
        work = git.make("new")
        work.write("a.md", "# A")
        work.push()
        real = git.answer

        async def answer(request: Request) -> Response:
            if request.url.path.startswith("/old.git"):
                path = request.url.path.replace("/old.git", "/new.git")
                return RedirectResponse(f"{path}?{request.url.query}", 301)
            return await real(request)

        with served(everywhere(answer)) as url:
            assert GitServer(f"{url}/old.git", "", "").find_head("main").branch == "main"


async def test_buckets_are_led_to_no_other_host(leading: str, elsewhere: Elsewhere) -> None:
    """It is said in words that the server is none of S3."""
    asked = {"bucket": "b", "access_key_id": "reader", "endpoint_url": leading}
    connector = open_s3(S3Config.model_validate(asked), "secret", source="src")
    with pytest.raises(ConnectorError):
        await connector.check()
    await connector.aclose()
    assert elsewhere.asked == []


def service(url: str) -> RestService:
    """A service below an address."""
    return RestService("Service", url, LOGIN, {})


async def test_service_leads_to_no_other_private_host(leading: str, elsewhere: Elsewhere) -> None:
    """Although the operator lists it, for another source."""
    client = RestClient(service(leading), HERE, LIMITS)
    with pytest.raises(ConnectorError, match="no service may lead to a private host"):
        await client.get("/file")
    with pytest.raises(ConnectorError, match="no service may lead to a private host"):
        await client.download("/file", 1_000)
    await client.aclose()
    assert elsewhere.asked == []


async def test_public_host_that_a_service_leads_to_gets_no_login(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when files are kept at another host than the service."""
    seen: dict[str, str | None] = {}

    async def answer(request: Request) -> Response:
        host = request.headers["host"]
        seen[host] = request.headers.get("authorization")
        if host == "service.example":
            return RedirectResponse("http://files.example/file", 302)
        return Response("{}", media_type="application/json")

    public = NAMES["public.example"]
    names = Names({"service.example": [public], "files.example": [public]})
    with served(everywhere(answer)) as url:
        sockets = Sockets(int(url.rpartition(":")[2]))
        guard = partial(GuardedBackend, resolve=names.resolve, sockets=sockets)
        monkeypatch.setattr(rest_client, "GuardedBackend", guard)
        client = RestClient(service("http://service.example"), limits=LIMITS)
        assert await client.get("/file") == {}
        await client.aclose()
    assert seen["service.example"] is not None
    assert seen["files.example"] is None


async def test_login_that_is_posted_goes_to_one_address(
    cloud: Cloud, leading: str, elsewhere: Elsewhere
) -> None:
    """The key of a service account signs in where its file says, and nowhere else."""
    drive = open_drive(
        DriveConfig(address="https://drive.google.com/drive/my-drive"),
        cloud.key(token_uri=f"{leading}/token"),
        source="team",
        intranet=HERE,
        hosts=GoogleHosts(leading, leading),
        limits=LIMITS,
    )
    with pytest.raises(ConnectorError, match="leads to another address"):
        await drive.check()
    await drive.aclose()
    assert elsewhere.asked == []
