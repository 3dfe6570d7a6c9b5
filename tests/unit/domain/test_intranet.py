"""Intranets that the operator may list, and what that covers."""

from ipaddress import ip_address

import pytest

from rich_agent.domain.intranet import Intranet


def test_intranet_covers_names_endings_and_networks() -> None:
    """A name means itself, a star what is below it, a network its addresses."""
    intranet = Intranet.parse(["Wiki", "*.corp.example", "10.0.0.0/8", "fd00::/8", "192.168.1.7"])
    names = ["wiki", "a.corp.example", "a.b.corp.example"]
    assert [intranet.has_name(name) for name in names] == [True, True, True]
    others = ["corp.example", "corp.example.evil.com", "evilcorp.example", "mywiki", "wiki.com"]
    assert not any(intranet.has_name(name) for name in others)
    addresses = ["10.1.2.3", "fd00::1", "192.168.1.7"]
    assert all(intranet.has_address(ip_address(address)) for address in addresses)
    assert not intranet.has_address(ip_address("192.168.1.8"))


def test_intranet_is_empty_by_default() -> None:
    """Nothing is let in that nobody named."""
    assert not Intranet().has_name("localhost")
    assert not Intranet.parse([]).has_address(ip_address("127.0.0.1"))


@pytest.mark.parametrize(
    "entry", ["*", "*.", "http://wiki", "wiki:80", "10.0.0.0/33", "10.0.0", ""]
)
def test_intranet_refuses_what_it_does_not_understand(entry: str) -> None:
    """A mistake must not open more than was meant, nor nothing in silence."""
    with pytest.raises(ValueError, match="is not a host name"):
        Intranet.parse([entry])
