"""Lets requests reach only public addresses, and hosts that the operator listed.

A name is resolved once, and all its addresses are checked. The connection goes to one of the
checked addresses, so the name cannot change its address in between. The first request and every
redirect open their connections here.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

import httpcore
import httpx
from typing_extensions import override

from rich_agent.domain.intranet import Address, Intranet
from rich_agent.errors import RichAgentError

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
SocketOption = (
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
)

_HOME_HINT = "no service may lead to a private host"
_WEB_PORTS = frozenset({80, 443})
_FIRST_UNPRIVILEGED_PORT = 1024
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
# https://url.spec.whatwg.org/#ends-in-a-number-checker: such a host is an address, however written.
_ENDS_IN_NUMBER = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)")
# The only part of IPv6 that is allocated to public hosts:
# https://www.iana.org/assignments/ipv6-address-space
_PUBLIC_IPV6 = IPv6Network("2000::/3")
# Addresses that `is_global` accepts in some version of Python although they lead elsewhere:
# protocol assignments with a cloud's metadata (192.0.0.192), the AS112 blackhole, 6to4 relays, AMT
# relays, a cloud's own host (168.63.129.16); Teredo and others, documentation, 6to4, AS112, segment
# routing. https://www.iana.org/assignments/iana-ipv4-special-registry,
# https://www.iana.org/assignments/iana-ipv6-special-registry
_SPECIAL_NETWORKS = tuple(
    ip_network(network)
    for network in (
        *("192.0.0.0/24", "192.31.196.0/24", "192.88.99.0/24", "192.52.193.0/24"),
        *("192.175.48.0/24", "168.63.129.16/32"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16"),
    )
)


class HostRefusedError(RichAgentError):
    """A host that is neither public nor listed by the operator."""


class HostUnknownError(RichAgentError):
    """A host without an address; with `is_passing`, the host may have one later."""

    def __init__(self, host: str, problem: str, *, is_passing: bool) -> None:
        super().__init__(f"no connection to {host}: {problem}")
        self.is_passing = is_passing


class GuardedTransport(httpx.AsyncHTTPTransport):
    """Connections over a guarded backend; the environment's proxies are not used."""

    def __init__(self, backend: httpcore.AsyncNetworkBackend, max_connections: int) -> None:
        certificates = httpx.create_ssl_context()
        super().__init__(verify=certificates)
        # httpx has no parameter for the backend of its connection pool.
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=certificates,
            max_connections=max_connections,
            keepalive_expiry=5.0,
            network_backend=backend,
        )


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections to checked addresses, and refuses all others.

    `setting`: the name of the setting in which the operator lists hosts.
    `home`: a URL, or "". If it is set, its host is the only listed host that is reached, so that
        its answers cannot lead to other listed hosts.
    """

    def __init__(
        self,
        intranet: Intranet,
        *,
        setting: str = "INTRANET_HOSTS",
        home: str = "",
        resolve: Resolver | None = None,
        sockets: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._intranet = intranet
        self._setting = setting
        self._home = home
        self._resolve = resolve or resolve_name
        self._sockets = sockets or httpcore.AnyIOBackend()

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to one address of the host; try the next address if one does not answer.

        Raises: HostRefusedError, HostUnknownError, httpcore.ConnectError.
        """
        addresses = await self._permitted_addresses(host.lower().rstrip("."), port)
        share_s = timeout / len(addresses) if timeout else None
        for address in addresses[:-1]:
            try:
                return await self._sockets.connect_tcp(
                    str(address), port, share_s, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._sockets.connect_tcp(
            str(addresses[-1]), port, share_s, local_address, socket_options
        )

    async def _permitted_addresses(self, host: str, port: int) -> list[Address]:
        addresses = await self._addresses(host, port)
        is_home = self._is_home(host, port)
        intranet = self._intranet if is_home else Intranet()
        hint = f"set {self._setting}={host} to read it anyway" if is_home else _HOME_HINT
        if intranet.has_name(host):
            return addresses
        are_listed = [intranet.has_address(address) for address in addresses]
        for address, is_listed in zip(addresses, are_listed, strict=True):
            if not is_listed and not is_public(address):
                raise HostRefusedError(
                    f"{_describe_address(host, address)} is not a public address; {hint}"
                )
        if not all(are_listed) and port not in _WEB_PORTS and port < _FIRST_UNPRIVILEGED_PORT:
            raise HostRefusedError(
                f"port {port} of {host} is not a usual port for web pages; {hint}"
            )
        return addresses

    def _is_home(self, host: str, port: int) -> bool:
        if not self._home:
            return True
        home = urlsplit(self._home)
        usual_port = 443 if home.scheme == "https" else 80
        return host == (home.hostname or "").rstrip(".") and port in {home.port or usual_port, 443}

    async def _addresses(self, host: str, port: int) -> list[Address]:
        try:
            return [_unwrap_mapped(ip_address(host))]
        except ValueError:
            pass
        if not _HOST.fullmatch(host) or _ENDS_IN_NUMBER.fullmatch(host):
            raise HostRefusedError(f"{host} is neither a host name nor a plain address")
        try:
            resolved_addresses = await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise HostUnknownError(host, "its address is unknown", is_passing=True) from error
        if not resolved_addresses:
            raise HostUnknownError(host, "it has no address", is_passing=False)
        return [
            _unwrap_mapped(ip_address(address)) for address in dict.fromkeys(resolved_addresses)
        ]


async def resolve_name(host: str, port: int) -> Sequence[str]:
    """The addresses of a host from the system's resolver, the preferred one first.

    Raises: OSError, UnicodeError for a name that cannot be one.
    """
    address_infos = await asyncio.get_running_loop().getaddrinfo(
        host, port, type=socket.SOCK_STREAM
    )
    return [str(address[0]) for *_, address in address_infos]


async def is_in_intranet(url: str, intranet: Intranet, resolve: Resolver = resolve_name) -> bool:
    """Whether a URL leads to a host that may be read only because it is listed."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    if intranet.has_name(host):
        return True
    try:
        addresses = [host] if _is_address(host) else await resolve(host, parts.port or 443)
    except (OSError, UnicodeError):
        return False  # nobody can read it
    return any(intranet.has_address(_unwrap_mapped(ip_address(one))) for one in addresses)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: Address) -> bool:
    """Whether the address belongs to a single host on the public internet."""
    address = _unwrap_mapped(address)
    if isinstance(address, IPv6Address) and address not in _PUBLIC_IPV6:
        return False
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not any(address in network for network in _SPECIAL_NETWORKS)
    )


def _unwrap_mapped(address: Address) -> Address:
    """The IPv4 address inside an IPv4-mapped IPv6 address, else the address itself."""
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def _describe_address(host: str, address: Address) -> str:
    return host if host == str(address) else f"{host} ({address})"
