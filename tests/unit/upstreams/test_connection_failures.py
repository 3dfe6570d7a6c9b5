"""Targets of calls are told without passwords, whatever the address looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rich_agent.errors import Target, place_in
from rich_agent.upstreams.connection_failures import proxy_of
from rich_agent.upstreams.telegram.calls import Route

_NAMES = st.text("ab", min_size=1, max_size=4)
_PASSWORDS = st.text(":/?#@%[]\\ 12", max_size=8).map("geheim{}7".format)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://u:geheim@tav.example", "tav.example"),
        ("https://u:geheim@tav.example:8443/v1?a=1", "tav.example:8443"),
        ("http://anna@proxy.example:3128", "proxy.example:3128"),
        ("anna:geheim@proxy.example:3128", "proxy.example:3128"),
        ("http://[::1]:11434/v1", "[::1]:11434"),
        ("https://models.example/@team/v1", "models.example"),
        ("http://anna:pa/ss@proxy.example:3128", None),
        ("http://anna:12#ss@proxy.example:3128", None),
        ("http://anna:12/ss@proxy.example:3128", None),
        ("http://anna:p@s/s@proxy.example:3128", None),
        ("http://", None),
    ],
)
def test_place_of_an_address_is_its_host_and_port(url: str, place: str | None) -> None:
    """An address that may have a password where the port stands is not read at all."""
    assert place_in(url) == place


@given(_NAMES, _PASSWORDS)
def test_target_never_has_a_password(name: str, password: str) -> None:
    """Even one that was written without encoding."""
    assert "geheim" not in Target.at("proxy", f"http://{name}:{password}@host.example:3128").address


@pytest.mark.usefixtures("_proxy")
def test_targets_of_clients_have_no_password() -> None:
    """The proxy and Telegram."""
    address = "https://u:geheim@tav.example"
    assert Route.of(address).server == Target("telegram", "tav.example")
    assert proxy_of(address) == Target("proxy", "proxy.example:3128")


@pytest.fixture
def _proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that wants a password."""
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("https_proxy", "http://anna:geheim@proxy.example:3128")
