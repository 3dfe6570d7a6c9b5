"""The search engine DuckDuckGo, whose pages the library ddgs reads, without a key.

The library opens its own connections, by which it poses as a browser. They run in a process of
their own, confined, and go through a proxy of ours that leads to this engine alone.

Source: https://github.com/deedy5/ddgs
"""

import asyncio
import json
import os
from importlib.util import find_spec
from typing import Final

import certifi
from pydantic import BaseModel

from rich_agent.feature import (
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
    WebResult,
)
from rich_agent.feature.errors import extra_hint
from rich_agent.feature.network import TunnelProxy, tunnels_to_public
from rich_agent.feature.running import own_program

NAME: Final = "duckduckgo"
TERMS: Final = (
    "It reads html.duckduckgo.com through the library ddgs, which poses as a browser: DuckDuckGo "
    "has no interface for programs, may refuse this at any time, and its terms apply "
    "(https://duckduckgo.com/terms)."
)
_READER: Final = "rich_agent.features.web_engines.page_reader"
_HOSTS: Final = ".duckduckgo.com"
_MOST_BYTES: Final = 3_000_000
_PAGE_S: Final = 8
_PROCESS_S: Final = 12.0
AT_ONCE: Final = 2
"""Processes at once."""
_REFUSAL_STATUSES: Final = frozenset({202, 403, 418, 429})
"""DuckDuckGo answers a program that it recognised with 202 and a puzzle."""
_REST_S: Final = 300.0


class _Reply(BaseModel):
    """The reply of the process: see `page_reader`."""

    status: int = 0
    is_late: bool = False
    error: str = ""
    is_empty: bool = False
    has_puzzle: bool = False
    results: list[tuple[str, str, str]] = []


class Duckduckgo:
    """Searches without a key."""

    async def search(self, query: str, limit: int) -> list[WebResult]:
        """Return at most `limit` results, best first. Raises: UpstreamError."""
        if find_spec("ddgs") is None:
            hint = f"{extra_hint('ddgs')}\nOr name another engine in WEB_SEARCH."
            raise UpstreamRefusedError(NAME, "the library ddgs is not installed", hint=hint)
        tunnels = tunnels_to_public(_is_own_host, _MOST_BYTES)
        async with tunnels.opened() as proxy:
            reply = await _read_page(query, proxy)
        _check(reply, tunnels)
        results = [WebResult(_target(url), title, text) for url, title, text in reply.results]
        return [result for result in results if result.url][:limit]


def _check(reply: _Reply, tunnels: TunnelProxy) -> None:
    """Refuse a reply without a page that was read. Raises: UpstreamError."""
    if reply.is_late:
        raise UpstreamTimeoutError(NAME, _PAGE_S)
    if not reply.status:
        reason = "; ".join(dict.fromkeys(tunnels.failures)) or reply.error or "no page came"
        raise UpstreamUnavailableError(NAME, reason, hint="Check the network, and HTTPS_PROXY.")
    if reply.status in _REFUSAL_STATUSES or (reply.has_puzzle and not reply.results):
        raise UpstreamRateLimitedError(NAME, _REST_S)
    if reply.status != 200:
        raise UpstreamUnavailableError(NAME, f"it answers {reply.status}")
    if reply.is_empty:
        reply.results.clear()
    elif not reply.results:
        hint = "Update ddgs, or name another engine in WEB_SEARCH."
        raise UpstreamUnavailableError(NAME, "its page has changed, and was not read", hint=hint)


async def _read_page(query: str, proxy: str) -> _Reply:
    """The reply of a process to this query. Raises: UpstreamError."""
    job = {
        "engine": NAME,
        "query": query,
        "proxy": proxy,
        "timeout_s": _PAGE_S,
        "certificates": os.environ.get("SSL_CERT_FILE") or certifi.where(),
    }
    process = await asyncio.create_subprocess_exec(
        *own_program(_READER),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
    )
    try:
        async with asyncio.timeout(_PROCESS_S):
            output, _ = await process.communicate(json.dumps(job).encode())
        return _Reply.model_validate_json(output)
    except TimeoutError as error:
        raise UpstreamTimeoutError(NAME, _PROCESS_S) from error
    except ValueError as error:
        hint = "Update ddgs, or name another engine in WEB_SEARCH."
        raise UpstreamUnavailableError(NAME, "its page was not read", hint=hint) from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _is_own_host(host: str) -> bool:
    return host.endswith(_HOSTS)


def _target(url: str) -> str:
    """The address of a result, without the detour by which the engine counts clicks."""
    _, detour, target = url.partition("duckduckgo.com/l/?uddg=")
    return (target.rpartition("&rut=")[0] or target) if detour else url
