"""Connections through a proxy: tunnels for a program of its own, and for a service's client."""

import asyncio
import ssl
from urllib.parse import urlsplit

import httpcore
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rich_agent.domain.intranet import Intranet
from rich_agent.upstreams.guarded_network import GuardedBackend
from rich_agent.upstreams.proxied_network import ProxiedBackend
from rich_agent.upstreams.tunnels import TunnelProxy
from tests.certificates import make_certificate
from tests.integration.sandbox_openai.serving import served
from tests.proxies import tunnel_stand_in

HOST = "search.example"


async def answer(_request: Request) -> Response:
    """Answer with a kilobyte."""
    return PlainTextResponse("x" * 1_000)


async def test_more_tunnels_open_than_a_pool_holds(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each ends with its own request, and only chosen hosts go through the proxy."""
    certificate = make_certificate(HOST, tmp_path_factory.mktemp("certificate"))
    context = ssl.create_default_context(cafile=certificate.authority)
    app = Starlette(routes=[Route("/", answer)])
    with served(app, certificate.own) as url:
        async with tunnel_stand_in(urlsplit(url).port or 0) as proxy:
            monkeypatch.setenv("HTTPS_PROXY", proxy.url)
            backend = ProxiedBackend(GuardedBackend(Intranet()), HOST.__eq__)
            for _ in range(12):
                async with httpcore.AsyncConnectionPool(context, network_backend=backend) as pool:
                    response = await asyncio.wait_for(pool.request("GET", f"https://{HOST}/"), 5)
                    assert response.status == 200
            assert proxy.targets == [f"{HOST}:443"] * 12
            monkeypatch.setenv("NO_PROXY", HOST)
            with pytest.raises(Exception, match="its address is unknown"):
                await backend.connect_tcp(HOST, 443)


@pytest.mark.parametrize(
    ("head", "status", "reason"),
    [
        (b"CONNECT search.example:443 HTTP/1.1\r\nHost: a\r\n\r\n", b"403", "password"),
        (b"CONNECT {host}:443 HTTP/1.1\r\nHost: a\r\n{login}\r\n\r\n", b"403", "not to be reached"),
        (b"GET http://search.example/ HTTP/1.1\r\nHost: a\r\n{login}\r\n\r\n", b"403", "not to be"),
        (b"\x16\x03\x01\r\n\r\n", b"403", "llegal"),
    ],
    ids=["no-password", "other-host", "no-tunnel", "no-http"],
)
async def test_tunnel_is_for_its_hosts_and_its_program(
    head: bytes, status: bytes, reason: str
) -> None:
    """Another program of this machine gets nowhere."""
    proxy = TunnelProxy(GuardedBackend(Intranet()), HOST.__eq__, most_bytes=10)
    async with proxy.opened() as url:
        address = httpx.URL(url)
        login = httpx.BasicAuth(address.username, address.password)
        auth = next(login.auth_flow(httpx.Request("GET", url))).headers["Authorization"]
        head = head.replace(b"{login}", f"Proxy-Authorization: {auth}".encode())
        reader, writer = await asyncio.open_connection(address.host, address.port)
        writer.write(head.replace(b"{host}", b"169.254.169.254"))
        assert (await reader.readline()).split()[1] == status
        writer.close()
        await writer.wait_closed()
    assert reason in proxy.failures[0]
