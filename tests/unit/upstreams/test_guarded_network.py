"""Addresses that the guard lets through. No packet leaves the machine: names, sockets are faked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote

import httpcore
import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import override

from rich_agent.documents.fetch.errors import FetchError, RefusedAddressError
from rich_agent.documents.fetch.fetching import FetchedPage, Fetcher, FetchOptions
from rich_agent.domain.intranet import Intranet
from rich_agent.upstreams.guarded_network import GuardedBackend, GuardedTransport, is_public
from tests.unit.documents.web_site import QUICK, Site, site

PUBLIC = "93.184.216.34"
STRICT = replace(QUICK, attempts=1, intranet=Intranet())

PRIVATE_ADDRESSES = [
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3"),  # noqa: S104 - nothing is bound
    *("10.0.0.1", "172.16.0.1", "192.168.1.1"),
    *("100.64.0.1", "169.254.169.254", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1"),
    # The metadata of two clouds, and what IANA assigned to protocols.
    *("168.63.129.16", "192.0.0.192", "192.0.0.9", "192.0.0.10", "192.31.196.1", "192.52.193.1"),
    *("192.175.48.1", "2620:4f:8000::1", "5f00::1"),
    *("198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"),
    *("64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:10::1"),
    *("2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "fc00::1", "fd12:3456::1"),
    *("fe80::1", "fe80::1%1", "fec0::1", "ff02::1", "ff0e::1"),
]
PUBLIC_ADDRESSES = ["8.8.8.8", PUBLIC, "2606:2800:220:1::1", "2a00:1450:4001::1", "::ffff:8.8.8.8"]

# Each leads to a private address, or is written so that a parser may take it for another one.
HOSTILE_URLS = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://127%2e0%2e0%2e1/",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "http://0/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001::7f00:1]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fec0::1]/",
    "http://[fd00:ec2::254]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.100.100.200/",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://172.31.255.255/",
    "http://224.0.0.1/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://metadata.google.internal/",
    "http://half-private.example/",
    "http://mapped.example/",
    "http://nat64.example/",
    "http://example.com.attacker.example/",
    "http://public.example@127.0.0.1/",
    "http://127.0.0.1:80@public.example/",
    "http://public.example\\@127.0.0.1/",
    "http://public.example:22/",
    "http://public.example:25/",
    "http://public.example:6/",
    "http:///etc/passwd",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "ftp://127.0.0.1/",
    "dict://127.0.0.1:11211/stats",
    "javascript:alert(1)",
    "//127.0.0.1/",
]

NAMES = {
    "public.example": [PUBLIC],
    "localhost": ["127.0.0.1", "::1"],
    "metadata.google.internal": ["169.254.169.254"],
    "half-private.example": [PUBLIC, "10.0.0.1"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "nat64.example": ["64:ff9b::7f00:1"],
    "example.com.attacker.example": ["192.168.0.1"],
    "wiki.corp.example": ["10.1.1.1"],
}


@dataclass
class Sockets(httpcore.AsyncNetworkBackend):
    """Every connection ends at one server on the loopback; where it was meant for is noted."""

    port: int
    broken: tuple[str, ...] = ()
    connections: list[tuple[str, int]] = field(default_factory=list)
    tls_names: list[str | None] = field(default_factory=list)

    @override
    async def connect_tcp(self, host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        """Connect to the server on the loopback, or fail as an address that is down does."""
        self.connections.append((host, port))
        if host in self.broken:
            raise httpcore.ConnectError("down")
        stream = await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", self.port)
        return NamedStream(stream, self.tls_names)


class NamedStream(httpcore.AsyncNetworkStream):
    """A stream that notes the name that TLS is asked for, and goes on without TLS."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, names: list[str | None]) -> None:
        self._stream = stream
        self._names = names
        self.read = stream.read  # type: ignore[method-assign] # passes calls on
        self.write = stream.write  # type: ignore[method-assign] # passes calls on
        self.aclose = stream.aclose  # type: ignore[method-assign] # passes calls on

    @override
    async def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Note the name."""
        self._names.append(server_hostname)
        return self

    @override
    def get_extra_info(self, info: str) -> Any:
        """The value that HTTP asks a connection for."""
        return None if info == "ssl_object" else self._stream.get_extra_info(info)


@dataclass
class Names:
    """Implements `Resolver`; a name with several answers gives them one after the other."""

    answers: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def resolve(self, host: str, _port: int) -> Sequence[str]:
        """The addresses of a host."""
        self.asked.append(host)
        if host in self.answers:
            answers = self.answers[host]
            return answers.pop(0) if len(answers) > 1 else answers[0]
        if host not in NAMES:
            raise OSError(host)
        return NAMES[host]


async def fetch(
    urls: str | Iterable[str], sockets: Sockets, names: Names, options: FetchOptions = STRICT
) -> FetchedPage | None:
    """The last of the pages, all fetched by one guarded client; robots.txt is left aside."""
    options = replace(options, respect_robots=False)
    guard = GuardedBackend(options.intranet, resolve=names.resolve, sockets=sockets)
    fetcher = Fetcher(options, GuardedTransport(guard, max_connections=4))
    page = None
    try:
        for url in [urls] if isinstance(urls, str) else urls:
            page = await fetcher.fetch(url)
    finally:
        await fetcher.aclose()
    return page


def port_of(url: str) -> int:
    """The port of an address."""
    return httpx.URL(url).port or 80


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_is_public_refuses_special_addresses(address: str) -> None:
    """Also those that Python calls global."""
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC_ADDRESSES)
def test_is_public_admits_the_internet(address: str) -> None:
    """An IPv4 address that is mapped into IPv6 counts as itself."""
    assert is_public(ip_address(address))


def is_relative(url: str) -> bool:
    """Whether a redirect to this stays on its host, as a path does."""
    return url.startswith(("http:///", "//"))


@pytest.fixture(scope="module")
def redirector() -> Iterator[tuple[Site, str]]:
    """A site that redirects to what is asked for as `to`."""

    def redirect(request: Request) -> Response:
        moved = Response(status_code=302)
        moved.raw_headers.append((b"location", request.query_params["to"].encode()))
        return moved

    with site(redirect) as (made, address):
        yield made, address


@pytest.mark.parametrize("url", HOSTILE_URLS)
async def test_fetch_opens_no_connection_to_a_hostile_address(url: str) -> None:
    """Refused before anything is sent."""
    sockets = Sockets(port=0)
    with pytest.raises(FetchError):
        await fetch(url, sockets, Names())
    assert sockets.connections == []


@pytest.mark.parametrize("url", [url for url in HOSTILE_URLS if not is_relative(url)])
async def test_fetch_follows_no_redirect_to_a_hostile_address(
    url: str, redirector: tuple[Site, str]
) -> None:
    """A public page may name any address; only its own host is asked."""
    server, address = redirector
    server.requests.clear()
    sockets = Sockets(port_of(address))
    with pytest.raises(FetchError):
        await fetch(f"http://public.example/?to={quote(url)}", sockets, Names())
    assert {host for host, _ in sockets.connections} == {PUBLIC}
    assert len(server.requests) == 1


async def test_fetch_connects_to_the_address_that_was_judged() -> None:
    """The name is resolved once for a connection, and stays the name of the host."""
    with site(Response(b"page")) as (server, address):
        sockets, names = Sockets(port_of(address)), Names()
        page = await fetch("http://public.example/", sockets, names)
    assert page is not None
    assert sockets.connections == [(PUBLIC, 80)]
    assert names.asked == ["public.example"]
    assert [request.headers["Host"] for request in server.requests] == ["public.example"]


async def test_fetch_checks_certificates_for_the_name() -> None:
    """The connection goes to an address, TLS to the name."""
    with site(Response(b"page")) as (_, address):
        sockets = Sockets(port_of(address))
        await fetch("https://public.example/", sockets, Names())
    assert sockets.connections == [(PUBLIC, 443)]
    assert sockets.tls_names == ["public.example"]


async def test_fetch_refuses_a_name_that_turns_private() -> None:
    """Each new connection is checked again; a rebound name gets no request."""
    names = Names({"rebound.example": [[PUBLIC], ["10.0.0.1"]]})
    closing = Response(b"page", headers={"Connection": "close"})
    with site(closing) as (server, address):
        sockets = Sockets(port_of(address))
        with pytest.raises(RefusedAddressError, match=r"rebound\.example \(10\.0\.0\.1\)"):
            await fetch(["http://rebound.example/1", "http://rebound.example/2"], sockets, names)
    assert sockets.connections == [(PUBLIC, 80)]
    assert len(server.requests) == 1


async def test_fetch_tries_every_address_of_a_host() -> None:
    """One that is down stops nothing."""
    names = Names({"two.example": [["2606:2800:220:1::1", PUBLIC]]})
    with site(Response(b"page")) as (_, address):
        sockets = Sockets(port_of(address), broken=("2606:2800:220:1::1",))
        assert await fetch("http://two.example/", sockets, names) is not None
    assert [host for host, _ in sockets.connections] == ["2606:2800:220:1::1", PUBLIC]


@pytest.mark.parametrize(
    ("listed", "url"),
    [
        ("wiki.corp.example", "http://wiki.corp.example/"),
        ("*.corp.example", "http://wiki.corp.example:8/"),
        ("10.0.0.0/8", "http://wiki.corp.example:22/"),
        ("10.1.1.1", "http://[::ffff:10.1.1.1]/"),
        ("localhost", "http://localhost:631/"),
        ("public.example", "http://public.example:25/"),
    ],
)
async def test_fetch_reaches_what_the_operator_listed(listed: str, url: str) -> None:
    """By name, by ending, by network; on any port."""
    with site(Response(b"page")) as (_, address):
        sockets = Sockets(port_of(address))
        options = replace(STRICT, intranet=Intranet.parse([listed]))
        assert await fetch(url, sockets, Names(), options) is not None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (
            "http://wiki.corp.example/",
            "wiki.corp.example (10.1.1.1) is not a public address; set INTRANET_HOSTS=wiki.corp",
        ),
        (
            "http://10.0.0.1/",
            "10.0.0.1 is not a public address; set INTRANET_HOSTS=10.0.0.1",
        ),
        (
            "http://public.example:25/",
            "port 25 of public.example is not a usual port for web pages; set INTRANET_HOSTS=",
        ),
    ],
)
async def test_refusal_names_host_address_and_hint(url: str, reason: str) -> None:
    """The operator knows what to write if the address was meant."""
    with site() as (_, address), pytest.raises(RefusedAddressError) as refused:
        await fetch(url, Sockets(port_of(address)), Names())
    assert str(refused.value).startswith(reason)


async def test_fetch_uses_no_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy would resolve names by itself, past the guard."""
    with site(Response(b"page")) as (_, address):
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, address)
        sockets = Sockets(port_of(address))
        await fetch("http://public.example/", sockets, Names())
    assert sockets.connections == [(PUBLIC, 80)]


async def test_guard_is_what_a_fetcher_uses_by_itself() -> None:
    """Nothing has to be set for the loopback to be out of reach, robots.txt included."""
    with site(Response(b"secret")) as (server, url):
        server.pages.clear()
        fetcher = Fetcher(STRICT)
        try:
            with pytest.raises(FetchError, match="is not a public address"):
                await fetcher.fetch(url)
        finally:
            await fetcher.aclose()
    assert server.requests == []
