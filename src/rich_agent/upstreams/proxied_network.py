"""Reaches the hosts of chosen services through the proxy of the environment, if it names one.

Such a proxy resolves names and opens connections itself, so that no address can be checked here.
Therefore only hosts that the product or the operator chose go through it, never those of a page.
"""

import base64
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import httpcore
from typing_extensions import override

from rich_agent.upstreams.guarded_network import SocketOption

_HTTPS_PORT: Final = 443
_OK: Final = 200


class ProxiedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections for HTTPS to chosen hosts through the proxy, and all others by `direct`."""

    def __init__(
        self, direct: httpcore.AsyncNetworkBackend, is_chosen: Callable[[str], bool]
    ) -> None:
        self._direct = direct
        self._is_chosen = is_chosen

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the host, directly or by the CONNECT of a proxy.

        Raises: httpcore.ProxyError, and what `direct` raises.
        """
        proxy = _proxy_for(host, port) if self._is_chosen(host) else None
        if proxy is None:
            return await self._direct.connect_tcp(
                host, port, timeout, local_address, socket_options
            )
        address = urlsplit(proxy)
        target = f"{host}:{port}"
        timeouts_s = {"connect": timeout, "read": timeout, "write": timeout}
        request = httpcore.Request(
            "CONNECT",
            f"{address.scheme}://{address.netloc.rpartition('@')[2]}",
            headers=[("Host", target), *_login(address.username, address.password)],
            extensions={"target": target.encode(), "timeout": timeouts_s},
        )
        # One for each tunnel, because a pool counts a tunnel as a request that never ends.
        response = await httpcore.AsyncConnectionPool().handle_async_request(request)
        if response.status != _OK:
            await response.aclose()
            raise httpcore.ProxyError(f"the proxy {address.hostname} answers {response.status}")
        stream: httpcore.AsyncNetworkStream = response.extensions["network_stream"]
        return stream


def _proxy_for(host: str, port: int) -> str | None:
    """The proxy that the environment names for a host, None for none. Raises: ProxyError."""
    proxies = getproxies_environment()
    proxy = proxies.get("https") or proxies.get("all")
    if port != _HTTPS_PORT or not proxy or proxy_bypass(host):
        return None
    url = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(url).scheme not in {"http", "https"}:
        raise httpcore.ProxyError("only proxies with http:// and https:// can be used")
    return url


def _login(username: str | None, password: str | None) -> list[tuple[str, str]]:
    """The header by which a proxy knows its user, if there is one."""
    if username is None:
        return []
    login = f"{unquote(username)}:{unquote(password or '')}".encode()
    return [("Proxy-Authorization", f"Basic {base64.b64encode(login).decode()}")]
