"""Limits for HTTP connections: how many there are, and the seconds for each part of a request.

When there are too many, the connection that has been silent longest is closed, but never one that
is being answered. uvicorn's `limit_concurrency` would instead count silent connections and refuse
new ones, and uvicorn has no deadline for the head of a request.
"""

import asyncio
import re
import resource
import time
from dataclasses import dataclass, field
from typing import Any

import h11
import structlog
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

_MOST_PLACES = 1_536
_LOG_PAUSE_S = 60.0
_LOOSE_LINE = re.compile(rb"[^\r]\n|\n[ \t]")
"""A line that ends without CR, or continues in the next line. Source: RFC 9112, 2.2 and 5.2."""
_log = structlog.get_logger()


def places_within_descriptors() -> int:
    """Return the most connections of this process: a quarter of its descriptors, 8..1,536."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST_PLACES if soft == resource.RLIM_INFINITY else max(8, min(soft // 4, _MOST_PLACES))


@dataclass(slots=True)
class ConnectionLimiter:
    """The limits for all HTTP connections of this process; times in seconds.

    - `places`: most connections at once.
    - `head_s`, `body_s`: the deadlines for the head and the body of a request.
    - `unread_s`: for which an answer may wait without the client reading any of it.
    """

    places: int = field(default_factory=places_within_descriptors)
    head_s: float = 5.0
    body_s: float = 30.0
    unread_s: float = 60.0
    _dropped: int = 0
    _logged_at: float | None = None

    def make_room(self, among: "set[Any]", newcomer: "BoundedHttp") -> None:
        """If there are too many, drop the connection silent for longest, or else the newcomer."""
        if len(among) <= self.places:
            return
        silent_connections = [
            connection
            for connection in among
            if connection is not newcomer and connection.is_silent
        ]
        self.drop(
            min(
                silent_connections, key=lambda connection: connection.silent_since, default=newcomer
            )
        )

    def drop(self, connection: "BoundedHttp") -> None:
        """Close a connection at once."""
        connection.transport.abort()
        self.count_loss()

    def count_loss(self) -> None:
        """Count a connection that was dropped or not accepted; log at most once a minute."""
        self._dropped += 1
        now_s = time.monotonic()
        if self._logged_at is None or now_s - self._logged_at >= _LOG_PAUSE_S:
            _log.warning("http.connections_dropped", count=self._dropped, places=self.places)
            self._dropped, self._logged_at = 0, now_s

    def on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Count connections that the loop cannot accept, which it reports many times a second."""
        if context.get("message") == "socket.accept() out of system resource":
            self.count_loss()
        else:
            loop.default_exception_handler(context)


class StrictConnection(h11.Connection):
    """The server side of HTTP/1.1, which refuses heads that a proxy may read differently.

    h11 accepts lines without a certain end, and has no setting against them. A proxy that ends such
    a line or head elsewhere would take a part of one request for another request.
    """

    _scanned_bytes = 0

    @override
    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event. Raises: h11.RemoteProtocolError."""
        if self.their_state is h11.IDLE:
            head, _ = self.trailing_data
            position = self._scanned_bytes
            end = head.find(b"\r\n\r\n", max(0, position - 3))
            if _LOOSE_LINE.search(head, max(0, position - 1), len(head) if end < 0 else end):
                raise h11.RemoteProtocolError("a line of the head has no certain end")
            self._scanned_bytes = len(head) if end < 0 else 0
        return super().next_event()


class BoundedHttp(H11Protocol):
    """HTTP/1.1 on a connection with the limiter's deadlines, for requests and for answers.

    An answer that is not read waits in the transport, up to its high-water mark. A request in
    chunks is the last one of its connection, because a proxy may have found another end of it.
    Source: RFC 9112, 6.3.
    """

    def __init__(self, *, limiter: ConnectionLimiter, **options: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(**options)
        self.conn = StrictConnection(h11.SERVER)
        self.silent_since = time.monotonic()
        self._limiter = limiter
        self._deadline: asyncio.TimerHandle | None = None
        self._deadline_for: object = None
        self._unread: asyncio.TimerHandle | None = None

    @property
    def is_silent(self) -> bool:
        """Whether no request is being answered, or the client does not read the answer."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete or self.flow.write_paused

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place for the connection, and set the deadline for the head of a request."""
        super().connection_made(transport)
        self._limiter.make_room(self.connections, self)
        self._set_deadline()

    @override
    def data_received(self, data: bytes) -> None:
        """Process bytes of a request, and set the deadline for its next part."""
        super().data_received(data)
        self._set_deadline()

    @override
    def handle_events(self) -> None:
        """Begin to answer received requests; close the connection after one in chunks."""
        super().handle_events()
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None:
            is_chunked = any(name == b"transfer-encoding" for name, _ in cycle.scope["headers"])
            cycle.keep_alive = cycle.keep_alive and not is_chunked

    @override
    def on_response_complete(self) -> None:
        """Wait for the next request; uvicorn's `timeout_keep_alive` bounds that."""
        super().on_response_complete()
        self.silent_since = time.monotonic()
        self._set_deadline()

    @override
    def pause_writing(self) -> None:
        """Set the deadline for the client to read on."""
        super().pause_writing()
        self._unread = self.loop.call_later(self._limiter.unread_s, self._limiter.drop, self)

    @override
    def resume_writing(self) -> None:
        """Cancel the deadline, because the client reads on."""
        super().resume_writing()
        self._cancel_unread()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel all deadlines of the connection."""
        super().connection_lost(exc)
        self._cancel_deadline()
        self._cancel_unread()

    def _set_deadline(self) -> None:
        """Set the deadline of the present part of a request, once; later bytes do not extend it."""
        state = self.conn.their_state
        if self.timeout_keep_alive_task is not None or state not in (h11.IDLE, h11.SEND_BODY):
            self._cancel_deadline()
        elif self._deadline_for is not state:
            self._cancel_deadline()
            limiter = self._limiter
            seconds = limiter.head_s if state is h11.IDLE else limiter.body_s
            self._deadline = self.loop.call_later(seconds, limiter.drop, self)
            self._deadline_for = state

    def _cancel_unread(self) -> None:
        """Cancel the deadline for the client to read on."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _cancel_deadline(self) -> None:
        """Cancel the deadline for the present part of a request."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self._deadline_for = None
