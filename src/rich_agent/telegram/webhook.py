"""The HTTP side: updates are stored, then acknowledged; whatever has the right secret is kept."""

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rich_agent.errors import DatabaseUnavailableError, RichAgentError
from rich_agent.ports.inbox import Inbox, ReceivedUpdate
from rich_agent.telegram.envelope import envelope
from rich_agent.telegram.metrics import Metrics

WEBHOOK_PATH = "/telegram/webhook"
MAX_BODY_BYTES = 1_000_000
_SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the header's name
_RETRY_AFTER = {"Retry-After": "5"}
_log = structlog.get_logger()

Ready = Callable[[], Awaitable[None]]
"""Returns when the process can serve. Raises: RichAgentError that says what is missing."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds to read a body and to store it; Telegram gives a webhook up after about 10 s."""

    read_s: float = 4.0
    store_s: float = 4.0


@dataclass(frozen=True, slots=True)
class WebhookApp:
    """The endpoints; `secret` None serves no webhook (polling)."""

    inbox: Inbox
    metrics: Metrics
    ready: Ready
    secret: str | None = None
    deadlines: Deadlines = Deadlines()

    def routes(self) -> list[Route]:
        """The routes of the bot."""
        routes = [
            Route("/healthz", self.health),
            Route("/readyz", self.readiness),
            Route("/metrics", self.measurements),
        ]
        if self.secret is not None:
            routes.append(Route(WEBHOOK_PATH, self.receive, methods=["POST"]))
        return routes

    async def receive(self, request: Request) -> Response:
        """Store an update, then acknowledge it."""
        started = time.monotonic()
        response = await self._receive(request)
        self.metrics.ack_seconds.observe(time.monotonic() - started)
        return response

    async def _receive(self, request: Request) -> Response:
        given = request.headers.get(_SECRET_HEADER, "")
        # As bytes: a header may hold any character, and compare_digest takes only ASCII text.
        if not hmac.compare_digest(given.encode(), (self.secret or "").encode()):
            self.metrics.updates.labels("wrong_secret").inc()
            return PlainTextResponse("forbidden", 403)
        try:
            async with asyncio.timeout(self.deadlines.read_s):
                raw = await _read_body(request)
        except (TimeoutError, ClientDisconnect):
            self.metrics.updates.labels("cut_short").inc()
            return PlainTextResponse("incomplete", 408)
        if raw is None:
            self.metrics.updates.labels("too_large").inc()
            return PlainTextResponse("too large", 413)
        return await self._store(envelope(raw))

    async def _store(self, update: ReceivedUpdate) -> Response:
        try:
            async with asyncio.timeout(self.deadlines.store_s):
                is_new = await self.inbox.store([update])
        except (DatabaseUnavailableError, TimeoutError) as error:
            self.metrics.updates.labels("unavailable").inc()
            reason = str(error) or f"not stored within {self.deadlines.store_s:g} s"
            _log.warning("telegram.store_failed", update_id=update.update_id, error=reason)
            return PlainTextResponse("try again", 503, _RETRY_AFTER)
        self.metrics.updates.labels("stored" if is_new else "known").inc()
        return PlainTextResponse("ok")

    async def health(self, _request: Request) -> Response:
        """The event loop runs."""
        return PlainTextResponse("ok")

    async def readiness(self, _request: Request) -> Response:
        """The process can serve."""
        try:
            await self.ready()
        except RichAgentError as error:
            return PlainTextResponse(error.explain(), 503)
        return PlainTextResponse("ok")

    async def measurements(self, _request: Request) -> Response:
        """All metrics; those of the inbox are missing while the database is away."""
        try:
            depth = await self.inbox.depth()
        except DatabaseUnavailableError as error:
            _log.warning("telegram.depth_unknown", error=str(error))
        else:
            self.metrics.inbox_pending.set(depth.pending)
            self.metrics.inbox_oldest_seconds.set(depth.oldest_s)
            self.metrics.inbox_dead.set(depth.dead)
            self.metrics.outbox_oldest_seconds.set(depth.unsent_s)
        return Response(generate_latest(self.metrics.registry), media_type=CONTENT_TYPE_LATEST)


def create_webhook_app(
    inbox: Inbox,
    metrics: Metrics,
    ready: Ready,
    *,
    secret: str | None = None,
    deadlines: Deadlines | None = None,
) -> Starlette:
    """The bot's HTTP application; without `secret` it has no webhook.

    Raises: ValueError if `secret` is empty, which anyone could present.
    """
    if secret == "":
        raise ValueError("an empty webhook secret")
    endpoints = WebhookApp(inbox, metrics, ready, secret, deadlines or Deadlines())
    return Starlette(routes=endpoints.routes())


async def _read_body(request: Request) -> bytes | None:
    """The body; None if it is over the cap, as soon as that is known."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > MAX_BODY_BYTES:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return None
    return bytes(body)
