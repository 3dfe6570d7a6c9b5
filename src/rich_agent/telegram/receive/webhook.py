"""The bot's HTTP endpoints. An update with the right secret is stored, then acknowledged.

Callers other than the operator learn only whether the process can serve, without details.
"""

import asyncio
import hmac
import ipaddress
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rich_agent.errors import DatabaseUnavailableError, RichAgentError
from rich_agent.ports.inbox import Inbox, ReceivedUpdate
from rich_agent.runtime.concurrency import survived
from rich_agent.runtime.reach import log_failure
from rich_agent.runtime.tracing import trace_storing
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.envelope import GroupGate, envelope
from rich_agent.telegram.receive.webhook_health import WEBHOOK_PATH

MAX_BODY_BYTES = 1_000_000
BOT_ID_HEADER = "X-Bot-Id"
_SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the header's name
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
_CLOSED = "figures are for this machine, or with METRICS_TOKEN: see docs/reference/http.md"
_RETRY_AFTER = {"Retry-After": "5"}
_log = structlog.get_logger()

Ready = Callable[[], Awaitable[str]]
"""Returns a note for the operator, "" for none, if the process can serve.

Raises: RichAgentError that says what is missing, if the process cannot serve.
"""


@dataclass(frozen=True, slots=True)
class Intake:
    """The rules for incoming updates.

    - `gate`: decides which messages of groups are stored.
    - `read_s`: the deadline to read a body, in seconds.
    - `store_s`: the deadline to store an update, in seconds. Telegram gives up on a webhook after
      about 10 s.
    """

    gate: GroupGate = field(default_factory=GroupGate)
    read_s: float = 4.0
    store_s: float = 4.0


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of the endpoints.

    - `webhook`: Telegram's secret for updates; None if the bot polls.
    - `metrics`: the operator's token for metrics and for the reasons of failures.
    - `address`: the URL to which Telegram posts updates. A proxy may remove the front of its path;
      both paths are served.
    """

    webhook: str | None = None
    metrics: str | None = None
    address: str = WEBHOOK_PATH


@dataclass(frozen=True, slots=True)
class WebhookApp:
    """The HTTP endpoints. Without a webhook secret there is no webhook, because the bot polls."""

    inbox: Inbox
    metrics: Metrics
    ready: Ready
    secrets: Secrets = Secrets()
    intake: Intake = field(default_factory=Intake)
    _checking: asyncio.Lock = field(default_factory=asyncio.Lock)

    def routes(self) -> list[Route]:
        """The routes of the bot."""
        routes = [
            Route("/healthz", self.health),
            Route("/health", self.health),
            Route("/readyz", self.readiness),
            Route("/metrics", self.measurements),
        ]
        if self.secrets.webhook is not None:
            paths = {WEBHOOK_PATH, urlsplit(self.secrets.address).path}
            routes += [Route(path, self.receive, methods=["POST"]) for path in sorted(paths)]
        return routes

    async def receive(self, request: Request) -> Response:
        """Store the update in a request, then acknowledge it."""
        start = time.monotonic()
        response = await self._receive(request)
        duration_s = time.monotonic() - start
        self.metrics.ack_seconds.labels(response.status_code).observe(duration_s)
        return response

    async def _receive(self, request: Request) -> Response:
        secret = request.headers.get(_SECRET_HEADER, "")
        # As bytes: a header may contain any character, and compare_digest takes only ASCII text.
        if not hmac.compare_digest(secret.encode(), (self.secrets.webhook or "").encode()):
            self.metrics.updates.labels("wrong_secret").inc()
            return PlainTextResponse("forbidden", 403)
        try:
            async with asyncio.timeout(self.intake.read_s):
                raw = await _read_body(request)
        except (TimeoutError, ClientDisconnect):
            self.metrics.updates.labels("cut_short").inc()
            return PlainTextResponse("incomplete", 408)
        if raw is None:
            self.metrics.updates.labels("too_large").inc()
            return PlainTextResponse("too large", 413)
        admission = self.intake.gate.admit(raw)
        if admission is None:
            self.metrics.updates.labels("of_group").inc()
            return PlainTextResponse("ok")
        return await self._store(envelope(admission))

    async def _store(self, update: ReceivedUpdate) -> Response:
        began_ns = time.time_ns()
        try:
            async with asyncio.timeout(self.intake.store_s):
                is_new = await self.inbox.store([update])
        except (DatabaseUnavailableError, TimeoutError) as error:
            self.metrics.updates.labels("unavailable").inc()
            log_failure("telegram.store_failed", error, update_id=update.update_id)
            return PlainTextResponse("try again", 503, _RETRY_AFTER)
        self.metrics.updates.labels("stored" if is_new else "known").inc()
        if is_new:
            trace_storing([update.update_id], began_ns)
        return PlainTextResponse("ok")

    async def health(self, _request: Request) -> Response:
        """Answers 200 as long as the event loop runs, with the bot's id, which is no secret."""
        return PlainTextResponse("ok", headers={BOT_ID_HEADER: str(self.intake.gate.bot_id)})

    async def readiness(self, request: Request) -> Response:
        """Answers whether the process can serve; only operators see why it cannot."""
        try:
            # All requests together use only one database connection.
            async with self._checking:
                note = await self.ready()
        except RichAgentError as error:
            reason = error.explain() if self._is_operator(request) else "not ready"
            return PlainTextResponse(reason, 503)
        is_visible = note and self._is_operator(request)
        return PlainTextResponse(f"ok, but {note}" if is_visible else "ok")

    def _is_operator(self, request: Request) -> bool:
        """Whether the request has the token or, if there is no token, stays on this machine."""
        if self.secrets.metrics is not None:
            header = request.headers.get("authorization", "")
            return hmac.compare_digest(header.encode(), f"Bearer {self.secrets.metrics}".encode())
        if request.client is None or any(name in request.headers for name in _FORWARDED):
            return False
        return _is_here(request.client.host) and _is_here(_host_of(request))

    async def measurements(self, request: Request) -> Response:
        """All metrics; those of the database are missing while it is unavailable."""
        if not self._is_operator(request):
            return PlainTextResponse(_CLOSED, 401, {"WWW-Authenticate": "Bearer"})
        with survived("telegram.depth_unknown", DatabaseUnavailableError, level="warning"):
            depth = await self.inbox.depth()
            self.metrics.inbox_pending.set(depth.pending)
            self.metrics.inbox_held.set(depth.held)
            self.metrics.inbox_oldest_seconds.set(depth.oldest_s)
            self.metrics.inbox_oldest_waiting_seconds.set(depth.waiting_s)
            self.metrics.inbox_dead.set(depth.dead)
            self.metrics.outbox_oldest_seconds.set(depth.unsent_s)
            await self.metrics.count_due_work()
        return Response(generate_latest(self.metrics.registry), media_type=CONTENT_TYPE_LATEST)


_HOST = re.compile(r"(?:\[(?P<address>[0-9a-fA-F:.]{2,45})\]|(?P<name>[\w.-]{1,253}))(?::\d{1,5})?")
"""A host with an optional port, but no percent-encoded name. Source: RFC 9110 7.2."""


def _host_of(request: Request) -> str:
    """The host that the request names, "" if the name is malformed.

    A web page can point its own host name at this machine, so the name is checked, too.
    """
    host = _HOST.fullmatch(request.headers.get("host", ""))
    return (host["address"] or host["name"]) if host else ""


def _is_here(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def create_webhook_app(
    inbox: Inbox,
    metrics: Metrics,
    ready: Ready,
    *,
    secrets: Secrets | None = None,
    intake: Intake | None = None,
) -> Starlette:
    """Create the bot's HTTP application, which has a webhook only if there is a secret for it.

    Raises: ValueError if a secret is empty, because anyone could send an empty secret.
    """
    secrets = secrets or Secrets()
    if "" in (secrets.webhook, secrets.metrics):
        raise ValueError("an empty secret")
    endpoints = WebhookApp(inbox, metrics, ready, secrets, intake or Intake())
    return Starlette(routes=endpoints.routes())


async def _read_body(request: Request) -> bytes | None:
    """The body; None as soon as more bytes arrive than the limit allows."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MAX_BODY_BYTES:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return None
    return bytes(body)
