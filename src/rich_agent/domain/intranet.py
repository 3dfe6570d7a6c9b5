"""Hosts outside the public internet from which documents may be read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Self
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address

_HOST_NAME = re.compile(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*")


@dataclass(frozen=True, slots=True)
class Intranet:
    """Host names, endings of host names, and networks that may be read although not public."""

    names: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()
    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def parse(cls, entries: Iterable[str]) -> Self:
        """Parse host names, `*.corp.example`, addresses, and networks such as 10.0.0.0/8.

        Raises: ValueError that names an entry of any other form.
        """
        host_names: set[str] = set()
        endings: list[str] = []
        networks: list[IPv4Network | IPv6Network] = []
        for entry in (entry.lower().rstrip(".") for entry in entries):
            network = _network(entry)
            if network is not None:
                networks.append(network)
            elif not _HOST_NAME.fullmatch(entry) or entry.replace(".", "").isdecimal():
                raise ValueError(f"{entry!r} is not a host name, address or network")
            elif entry.startswith("*."):
                endings.append(entry.removeprefix("*"))
            else:
                host_names.add(entry)
        return cls(frozenset(host_names), tuple(endings), tuple(networks))

    def has_name(self, host: str) -> bool:
        """Whether the name of a host is listed, or ends in a listed ending."""
        return host in self.names or host.endswith(self.endings)

    def has_address(self, address: Address) -> bool:
        """Whether an address lies in a listed network."""
        return any(address in network for network in self.networks)


def stays_at(home: str, url: str) -> bool:
    """Whether a URL leads to the host of `home`, with the same scheme and port or by https.

    Raises: ValueError for a malformed address.
    """
    scheme, host, port = _origin(home)
    return _origin(url) in {(scheme, host, port), ("https", host, 443)}


def _origin(url: str) -> tuple[str, str, int]:
    """The scheme, host and port of a URL."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return parts.scheme, parts.hostname or "", port


def _network(entry: str) -> IPv4Network | IPv6Network | None:
    """The network that the entry names, None if it names none."""
    try:
        return ip_network(entry, strict=False)
    except ValueError:
        return None
