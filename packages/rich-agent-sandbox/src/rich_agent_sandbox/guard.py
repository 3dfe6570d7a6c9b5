"""Keeps other web pages out: the sandbox is only for this machine's programs and its own page.

Any page in a browser can send requests to it, and by DNS rebinding even read the answers.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
# A file of 20 MB in base64, the most that a bot may download; and the most that it may upload.
# https://core.telegram.org/bots/api#sending-files
MOST_OF_SIM_BYTES = 28_000_000
MOST_BYTES = 52_000_000
_LIBRARY = "/library/"


class Guard:
    """Refuses foreign hosts and pages, bodies of `/sim` other than JSON, and large bodies."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] = ()) -> None:
        self._app = app
        self._hosts = LOCAL_HOSTS | {host.lower().strip("[]") for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 403, 413 or 415."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = MOST_OF_SIM_BYTES if scope["path"].startswith("/sim") else MOST_BYTES
        if refused := self._refusal(scope, Headers(scope=scope), most):
            status, words = refused
            await JSONResponse({"error": words}, status)(scope, receive, send)
            return
        await self._app(scope, _limited(receive, most), send)

    def _refusal(self, scope: Scope, headers: Headers, most: int) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if urlsplit(f"//{host}").hostname not in self._hosts:
            return 403, f"Host {host}: start the sandbox with --allow-host to be reached by it"
        if _is_foreign(scope, headers, host):
            return 403, "another site's page may not use the sandbox"
        if int(headers.get("content-length", "0")) > most:
            return 413, f"a body has at most {most:,} bytes here"
        is_sent = scope["path"].startswith("/sim") and _has_body(headers)
        if is_sent and _media_type(headers) != "application/json":
            return 415, "send the body as Content-Type: application/json"
        return None


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _is_foreign(scope: Scope, headers: Headers, host: str) -> bool:
    """Whether a page of another origin sent it; following a link to our page is allowed."""
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != host:
        return True
    if headers.get("sec-fetch-site", "none") in {"none", "same-origin"}:
        return False
    path = scope["path"]
    is_page = path == "/" or path.startswith(_LIBRARY)
    return not (is_page and _is_followed_link(scope, headers))


def _is_followed_link(scope: Scope, headers: Headers) -> bool:
    return scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"


def _media_type(headers: Headers) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _limited(receive: Receive, most: int) -> Receive:
    """A `receive` that raises 413 once a body without Content-Length exceeds `most` bytes."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > most:
            raise HTTPException(413)
        return message

    return limited
