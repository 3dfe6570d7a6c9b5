"""Routes for other programs: callers are admitted first, and the size of a body is limited."""

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
from rich_agent.runtime.reach import log_failure
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
"""The pause before each further attempt to stop a run while the database is unavailable."""
_CORS_METHODS = ("GET", "POST", "DELETE")
_CORS_HEADERS = (
    *("Authorization", "Last-Event-ID", "X-Run-Id"),
    *("Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"),
)
_CORS_EXPOSED = ("Retry-After", "Mcp-Session-Id", "WWW-Authenticate")
_log = structlog.get_logger()

_STOP = "stop_at_refusal"


def stop_at_refusal(request: Request, stop: Callable[[], Awaitable[object]]) -> None:
    """Set the function that stops the run if its caller is refused before the answer is over."""
    setattr(request.state, _STOP, stop)


Handler = Callable[[Request, Caller], Awaitable[Response]]
Refuse = Callable[[Request, RequestRefusedError], Awaitable[Response]]


Check = Callable[[Request, Caller], Awaitable[None]]


async def permit_all(_request: Request, _caller: Caller) -> None:
    """Permit whoever is admitted."""


async def answer_refusal(_request: Request, error: RequestRefusedError) -> Response:
    """Answer a program that is refused."""
    return refusal(error)


class Admission(Protocol):
    """The check before a route: the gate, or the check of requests without a caller."""

    async def admit(self, request: Request, scope: Scope | None, /) -> Caller | None:
        """Admit the caller, None if there is none yet. Raises: RequestRefusedError."""

    async def wait_for_refusal(self, request: Request, scope: Scope | None, /) -> None:
        """Return once the caller would not be admitted again."""


@dataclass(frozen=True, slots=True)
class GuardedRoute:
    """A route behind the gate: the scope it needs (None for any), and the app that answers.

    `app` gets the caller from `caller_of`, and the whole body at once. With `for_own_pages`, the
    sites of CORS_ORIGINS cannot use the route. Without `needs_caller`, only own pages can use it,
    before anybody has signed in.
    """

    path: str
    scope: Scope | None
    app: ASGIApp
    methods: Collection[str] = ("GET",)
    body_bytes: int = MAX_BODY_BYTES
    for_own_pages: bool = False
    needs_caller: bool = True
    refuse: Refuse = answer_refusal
    """Answers a request that is refused; the answer is JSON unless a page is asked for."""
    check: Check = permit_all
    """Refuses callers who may not use the route, before their body is read."""


@dataclass(frozen=True, slots=True)
class OpenRoute:
    """A route for everybody: its answer checks the caller and limits the body itself."""

    path: str
    answer: Callable[[Request], Awaitable[Response]]
    methods: Collection[str] = ("GET",)


def open_to_all(routes: Sequence[OpenRoute], front: str) -> Iterator[Route]:
    """The routes; a proxy may remove `front`, the path of the public address."""
    for route in routes:
        for path in sorted({route.path, front + route.path}):
            yield Route(path, route.answer, methods=[*route.methods])


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
    """The routes behind the gate, which pages of `origins` can use as well.

    `pages` are the bot's own. A proxy may remove `front`, the path of the public address; both
    forms of a path are served.
    """
    for route in routes:
        app: ASGIApp = _Guarded(route, gate if route.needs_caller else PageGate(pages))
        if origins and route.needs_caller and not route.for_own_pages:
            app = CORSMiddleware(
                app,
                allow_origins=origins,
                allow_methods=_CORS_METHODS,
                allow_headers=_CORS_HEADERS,
                expose_headers=_CORS_EXPOSED,
            )
        for path in sorted({route.path, front + route.path}):
            yield Route(path, app)


@dataclass(frozen=True, slots=True)
class _Guarded:
    """Admits the caller, reads the body, and answers errors with refusals."""

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
                raise _UNAVAILABLE  # the caller was refused, and has the right again
        except ClientDisconnect:
            return
        except RequestRefusedError as error:
            if reply.is_begun:
                raise
            response = await self.route.refuse(Request(scope), error)
            await response(scope, receive, reply)
        except DatabaseUnavailableError as error:
            if reply.is_begun:
                raise
            log_failure("web.unavailable", error)
            response = await self.route.refuse(Request(scope), _UNAVAILABLE)
            await response(scope, receive, reply)

    async def _answer(self, scope: Connection, receive: Receive, send: Send) -> bool:
        """Return whether the answer is complete.

        It is not if the caller was refused meanwhile; then the run is stopped.
        """
        request = Request(scope, receive)
        caller = await self.gate.admit(request, self.route.scope)
        request.state.caller = caller
        if scope["method"] not in self.route.methods:
            methods = ", ".join(self.route.methods)
            raise RequestRefusedError(
                405,
                "wrong_method",
                f"This address takes {methods} only.",
                headers={"Allow": methods},
            )
        if caller is not None:
            await self.route.check(request, caller)
        receive_whole = await _read_whole(request, self.route.body_bytes)
        is_refused_now = asyncio.Event()

        async def watch() -> None:
            await self.gate.wait_for_refusal(request, self.route.scope)
            is_refused_now.set()

        async with alongside(watch()), end_on(is_refused_now) as is_refused:
            await self.route.app(scope, receive_whole, send)
        if is_refused() and (stop := getattr(request.state, _STOP, None)):
            await _stop_run(stop)
        return not is_refused()


@dataclass(slots=True)
class _Reply:
    """A `send` that adds the headers of every answer and records the answer's progress."""

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
        """End an incomplete answer, if possible.

        An answer that announced its length cannot end early; the server cuts the connection.
        """
        if self._can_end:
            await self({"type": "http.response.body", "body": b"", "more_body": False})


async def _stop_run(stop: Callable[[], Awaitable[object]]) -> None:
    """Stop a run.

    If the database stays unavailable, the run continues, and the failure is logged.
    """
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
    """Read the body; return a `receive` that gives the whole body, then the later messages.

    Raises: RequestRefusedError if the body is over the limit.
    """
    announced_length = request.headers.get("content-length", "")
    body = bytearray()
    is_over = announced_length.isdecimal() and int(announced_length) > limit
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


async def _drain(request: Request, byte_count: int) -> None:
    """Read and drop more of the body, because most clients read no answer before all is sent."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_S):
            async for chunk in request.stream():
                byte_count += len(chunk)
                if byte_count > _DRAIN_BYTES:
                    return
