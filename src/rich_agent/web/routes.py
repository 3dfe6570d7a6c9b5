"""Routes for other programs: each is behind the gate, and reads no more than a bounded body."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

import structlog
from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as Connection

from rich_agent.domain.tokens import Scope
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.runtime.concurrency import alongside, end_on, survived
from rich_agent.web.access import Caller, PageGate, caller_of
from rich_agent.web.own_pages import OwnPages
from rich_agent.web.refusals import RequestRefusedError, refusal, retry_after

MAX_BODY_BYTES = 1_000_000
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_RETRY_AFTER_S = 5.0
_DRAIN_BYTES, _DRAIN_S = 100_000_000, 10.0
_STOP_PAUSES_S = (0.2, 1.0, 3.0)
"""Before each further attempt to stop a run, while the database is away."""
_CORS_METHODS = ("GET", "POST", "DELETE")
_CORS_HEADERS = (
    *("Authorization", "Last-Event-ID", "X-Run-Id"),
    *("Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"),
)
_CORS_EXPOSED = ("Retry-After", "Mcp-Session-Id", "WWW-Authenticate")
_log = structlog.get_logger()

_STOP = "stop_at_refusal"


def stop_at_refusal(request: Request, stop: Callable[[], Awaitable[object]]) -> None:
    """Have a run stopped if its caller is refused before the answer is complete."""
    setattr(request.state, _STOP, stop)


Handler = Callable[[Request, Caller], Awaitable[Response]]


class Admission(Protocol):
    """The check at the door: the gate, or what lets those in who have yet to sign in."""

    async def admit(self, request: Request, scope: Scope | None, /) -> Caller | None:
        """Admit the caller, None if nobody is known yet. Raises: RequestRefusedError."""

    async def wait_for_refusal(self, request: Request, scope: Scope | None, /) -> None:
        """Return once the caller would not be admitted again."""


@dataclass(frozen=True, slots=True)
class GuardedRoute:
    """An address behind the gate: the scope it needs (None: any), and what answers.

    `app` finds its caller with `caller_of`, and the whole body at once. With `for_own_pages` the
    sites of CORS_ORIGINS may not use it; without `needs_caller` an own page may ask before anybody
    has signed in, and nobody else.
    """

    path: str
    scope: Scope | None
    app: ASGIApp
    methods: Collection[str] = ("GET",)
    body_bytes: int = MAX_BODY_BYTES
    for_own_pages: bool = False
    needs_caller: bool = True


@dataclass(frozen=True, slots=True)
class OpenRoute:
    """An address for everybody: its answer checks who asks, and bounds what it reads of a body."""

    path: str
    answer: Callable[[Request], Awaitable[Response]]
    methods: Collection[str] = ("GET",)


def open_to_all(routes: Sequence[OpenRoute], front: str) -> Iterator[Route]:
    """The routes; a proxy may remove `front`, the path of the public address."""
    for one in routes:
        for path in sorted({one.path, front + one.path}):
            yield Route(path, one.answer, methods=[*one.methods])


def handled_by(handler: Handler) -> ASGIApp:
    """Make an app that answers with the response of a function."""

    async def app(scope: Connection, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response = await handler(request, caller_of(request))
        await response(scope, receive, send)

    return app


def guard(
    routes: Sequence[GuardedRoute],
    gate: Admission,
    *,
    pages: OwnPages | None = None,
    origins: Sequence[str] = (),
    front: str = "",
) -> Iterator[Route]:
    """The routes behind the gate; pages of these origins may use them, and of no others.

    `pages` are the bot's own. A proxy may remove `front`, the path of the public address; both
    forms are served.
    """
    for one in routes:
        app: ASGIApp = _Guarded(one, gate if one.needs_caller else PageGate(pages))
        if origins and one.needs_caller and not one.for_own_pages:
            app = CORSMiddleware(
                app,
                allow_origins=origins,
                allow_methods=_CORS_METHODS,
                allow_headers=_CORS_HEADERS,
                expose_headers=_CORS_EXPOSED,
            )
        for path in sorted({one.path, front + one.path}):
            yield Route(path, app)


@dataclass(frozen=True, slots=True)
class _Guarded:
    """Admits, reads the body, and tells refusals in words."""

    route: GuardedRoute
    gate: Admission

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        reply = _Reply(send)
        try:
            if await self._answer(scope, receive, reply):
                return
            if reply.is_begun:
                await reply.end()
            else:
                await self.gate.admit(Request(scope), self.route.scope)
                raise _UNAVAILABLE  # somebody has given the right back meanwhile
        except ClientDisconnect:
            return
        except RequestRefusedError as error:
            if reply.is_begun:
                raise
            await refusal(error)(scope, receive, reply)
        except DatabaseUnavailableError as error:
            if reply.is_begun:
                raise
            _log.warning("web.unavailable", error=str(error))
            await refusal(_UNAVAILABLE)(scope, receive, reply)

    async def _answer(self, scope: Connection, receive: Receive, send: Send) -> bool:
        """Whether all is said; not if the caller was refused meanwhile, whose run is stopped."""
        request = Request(scope, receive)
        request.state.caller = await self.gate.admit(request, self.route.scope)
        if scope["method"] not in self.route.methods:
            methods = ", ".join(self.route.methods)
            raise RequestRefusedError(
                405,
                "wrong_method",
                f"This address takes {methods} only.",
                headers={"Allow": methods},
            )
        whole, refusal = await _read_whole(request, self.route.body_bytes), asyncio.Event()

        async def watch() -> None:
            await self.gate.wait_for_refusal(request, self.route.scope)
            refusal.set()

        async with alongside(watch()), end_on(refusal) as is_refused:
            await self.route.app(scope, whole, send)
        if is_refused() and (stop := getattr(request.state, _STOP, None)):
            await _stop_run(stop)
        return not is_refused()


@dataclass(slots=True)
class _Reply:
    """A `send` with the headers of every answer, which knows how far the answer has come."""

    send: Send
    is_begun: bool = False
    _can_end: bool = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Cache-Control", "no-store")
            headers.update(_HEADERS)
            self.is_begun, self._can_end = True, "content-length" not in headers
        await self.send(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            self._can_end = False

    async def end(self) -> None:
        """End what is under way, unless it is whole already.

        An answer that announced its length cannot end early; the server cuts the connection.
        """
        if self._can_end:
            await self({"type": "http.response.body", "body": b"", "more_body": False})


async def _stop_run(stop: Callable[[], Awaitable[object]]) -> None:
    """Stop a run. If the database stays away, the run goes on, and the log says so."""
    for pause_s in (0.0, *_STOP_PAUSES_S):
        await asyncio.sleep(pause_s)
        with survived("web.run_not_stopped", DatabaseUnavailableError, level="warning"):
            await stop()
            return


_UNAVAILABLE = RequestRefusedError(
    503,
    "unavailable",
    "The bot cannot reach its database.",
    hint="Try again.",
    headers=retry_after(_RETRY_AFTER_S),
)


async def _read_whole(request: Request, limit: int) -> Receive:
    """Read the body; return what gives it again, and then what comes after it.

    Raises: RequestRefusedError if the body is over the limit.
    """
    length = request.headers.get("content-length", "")
    body = bytearray()
    is_over = length.isdecimal() and int(length) > limit
    if not is_over:
        async for chunk in request.stream():
            body += chunk
            is_over = len(body) > limit
            if is_over:
                break
    if is_over:
        if "expect" not in request.headers:
            await _drain(request, len(body))
        raise RequestRefusedError(
            413, "body_too_large", f"A request has at most {limit:,} bytes.", hint="Send less."
        )
    messages = iter([{"type": "http.request", "body": bytes(body), "more_body": False}])

    async def receive() -> Message:
        return next(messages, None) or await request.receive()

    return receive


async def _drain(request: Request, count: int) -> None:
    """Read on, and keep nothing: most clients read no answer before they have sent everything."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_S):
            async for chunk in request.stream():
                count += len(chunk)
                if count > _DRAIN_BYTES:
                    return
