"""An HTTP exchange of an upstream: parses the body, shows a fault, answers, records the call.

It is independent of the upstreams' protocols: `UpstreamRules` defines the form of refusals.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Message, Send
from typing_extensions import override

from rich_agent_sandbox.ledger import Fault, Ledger, Upstream

CLIENT_CLOSED_REQUEST = 499  # nginx's status for a caller that disconnected before the answer


class RefusalError(Exception):
    """The upstream answers `payload` with `status` instead of processing the request."""

    def __init__(
        self, status: int, payload: object, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.payload = payload
        self.headers = dict(headers or {})

    def retried_after(self, fault: Fault) -> Self:
        """The same refusal with the Retry-After of `fault` (1 second by default)."""
        self.headers["retry-after"] = str(1 if fault.retry_after is None else fault.retry_after)
        return self

    def to_response(self) -> JSONResponse:
        """The refusal as an HTTP response."""
        return JSONResponse(self.payload, status_code=self.status, headers=self.headers)


@dataclass(frozen=True, slots=True)
class UpstreamRules:
    """The rules that all endpoints of an upstream share.

    `check_key`, `refuse_by_fault`: raise `RefusalError` to refuse a call.
    `bad_body`: the refusal of a body that is not a JSON object.
    `describe`: shortens a body for the record.
    `server`: one of several servers of the upstream.
    `headers`: sent with its answers.
    """

    upstream: Upstream
    check_key: Callable[[Request], None]
    refuse_by_fault: Callable[[Fault], None]
    bad_body: Callable[[str], RefusalError]
    describe: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    server: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file in a form."""

    name: str
    content: bytes


@dataclass(slots=True)
class Exchange:
    """A request in progress: its parsed body, its files, and the fault to show, if any."""

    request: Request
    started_at: float
    body: Mapping[str, Any] = field(default_factory=dict)
    fault: Fault | None = None
    uploads: Mapping[str, SentFile] = field(default_factory=dict)

    def shows(self, kind: str) -> bool:
        """Whether the fault of this exchange is of `kind`."""
        return self.fault is not None and self.fault.kind == kind

    @property
    def delay_s(self) -> float:
        """Seconds to wait for the fault, 0 without one."""
        return self.fault.delay_s if self.fault else 0.0


class PieceStream(StreamingResponse):
    """Sends `pieces` as they arrive; with `cut`, drops the connection after the last one.

    `ended` is called once, with False if the caller disconnected before the end.
    """

    def __init__(
        self,
        pieces: AsyncIterator[bytes],
        *,
        cut: bool = False,
        headers: Mapping[str, str] | None = None,
        media_type: str = "text/event-stream",
    ) -> None:
        super().__init__(pieces, headers=headers, media_type=media_type)
        self._cut = cut
        self.ended: Callable[[bool], None] = lambda _: None

    @override
    async def stream_response(self, send: Send) -> None:
        try:
            await super().stream_response(partial(self._send, send))
        finally:
            self._end(is_whole=False)

    async def _send(self, send: Send, message: Message) -> None:
        if message.get("more_body") is False:
            # Record the call before the client has read the whole answer.
            self._end(is_whole=True)
            if self._cut:
                # The server drops the connection if the application never sends its last message.
                return
        await send(message)

    def _end(self, *, is_whole: bool) -> None:
        ended, self.ended = self.ended, lambda _: None
        ended(is_whole)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A Starlette endpoint that runs `handle`, and records the call after the last byte."""

    ledger: Ledger
    rules: UpstreamRules
    method: str
    handle: Callable[[Exchange], Awaitable[Response]]

    async def answer(self, request: Request) -> Response:
        """Answer a request: check the key, show a fault, process the request."""
        call = Exchange(request, started_at=self.ledger.clock())
        try:
            response = await self._respond(call)
        except RefusalError as refusal:
            response = refusal.to_response()
        for name, value in self.rules.headers.items():
            response.headers.setdefault(name, value)
        if isinstance(response, PieceStream):
            status = response.status_code
            response.ended = lambda is_whole: self._record(
                call, status if is_whole else CLIENT_CLOSED_REQUEST
            )
        else:
            self._record(call, response.status_code)
        return response

    async def _respond(self, call: Exchange) -> Response:
        raw_body = await call.request.body()
        if call.request.headers.get("content-type", "").startswith("multipart/form-data"):
            parsed: dict[str, Any] | None
            parsed, call.uploads = await _form(call.request)
            raw_body = json.dumps(parsed).encode()
        else:
            parsed = _parse(raw_body)
        call.body = {"malformed": raw_body.decode(errors="replace")} if parsed is None else parsed
        self.rules.check_key(call.request)
        call.fault = self.ledger.next_fault(
            self.rules.upstream,
            self.method,
            body=raw_body.decode(errors="replace"),
            applies=lambda fault: fault.server in (None, self.rules.server),
        )
        if call.fault:
            self.rules.refuse_by_fault(call.fault)
        if parsed is None:
            raise self.rules.bad_body("The body is not a JSON object.")
        if call.shows("timeout") and not await _wait(call):
            return Response(status_code=CLIENT_CLOSED_REQUEST)
        return await self._spoil(call, await self.handle(call))

    @staticmethod
    async def _spoil(call: Exchange, response: Response) -> Response:
        if isinstance(response, PieceStream):
            return response
        if call.shows("slow") and not await _wait(call):
            return Response(status_code=CLIENT_CLOSED_REQUEST)
        if call.shows("truncated"):
            return _cut_short(response)
        return response

    def _record(self, call: Exchange, status: int) -> None:
        self.ledger.record(
            self.rules.upstream,
            self.method,
            self.rules.describe(call.body),
            status=status,
            started_at=call.started_at,
            server=self.rules.server,
        )


async def _form(request: Request) -> tuple[dict[str, Any], dict[str, SentFile]]:
    """The fields of a form, with descriptions of its files, and the files."""
    fields: dict[str, Any] = {}
    files: dict[str, SentFile] = {}
    async with request.form() as form:
        for name, field_value in form.multi_items():
            if isinstance(field_value, UploadFile):
                content = await field_value.read()
                files[name] = SentFile(field_value.filename or "", content)
                digest = hashlib.sha256(content).hexdigest()
                fields[name] = {
                    "name": field_value.filename,
                    "bytes": len(content),
                    "sha256": digest,
                }
            else:
                fields[name] = field_value
    return fields, files


def _parse(raw: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(raw or b"{}")
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def has_bearer_key(request: Request) -> bool:
    """Whether the request has any key as a bearer token."""
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and bool(key.strip())


def broken_json(response: Response) -> Response:
    """The first half of a JSON answer, sent as if it were complete."""
    half = bytes(response.body)[: len(response.body) // 2]
    return Response(half, media_type="application/json")


async def _wait(call: Exchange) -> bool:
    """Wait as long as the fault requires; return False if the caller disconnected meanwhile."""
    try:
        async with asyncio.timeout(call.delay_s):
            # The body is read, so the next message can only be a disconnect.
            await call.request.receive()
    except TimeoutError:
        return True
    return False


def _cut_short(response: Response) -> PieceStream:
    """The first half of `response` with its full Content-Length, then a dropped connection."""
    body = bytes(response.body)

    async def half() -> AsyncIterator[bytes]:
        yield body[: len(body) // 2]

    return PieceStream(
        half(),
        cut=True,
        headers={"content-length": str(len(body))},
        media_type=response.media_type or "application/json",
    )
