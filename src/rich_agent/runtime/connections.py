"""Limits of an HTTP connection: a place among few, and seconds to say what it wants.

When all places are taken, the connection that has been silent longest goes, never one that is
being answered. uvicorn's `limit_concurrency` would instead count the silent ones and refuse
everybody else, and it has no deadline for the head of a request.
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
"""A line that ends without CR, or goes on in the next one. Source: RFC 9112, 2.2 and 5.2."""
_log = structlog.get_logger()


def places_within_descriptors() -> int:
    """Return the most connections of this process: a quarter of its descriptors, 8..1,536."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST_PLACES if soft == resource.RLIM_INFINITY else max(8, min(soft // 4, _MOST_PLACES))


@dataclass(slots=True)
class ConnectionLimiter:
    """A limiter of HTTP connections: their places, the time for a request, one log line a minute.

    `unread_s`: so long may an answer be sent without anything of it being read.
    """

    places: int = field(default_factory=places_within_descriptors)
    head_s: float = 5.0
    body_s: float = 30.0
    unread_s: float = 60.0
    _dropped: int = 0
    _logged_at: float | None = None

    def make_room(self, among: "set[Any]", newcomer: "BoundedHttp") -> None:
        """Drop the connection that has been silent longest, or the newcomer if none is silent."""
        if len(among) <= self.places:
            return
        silent = [one for one in among if one is not newcomer and one.is_silent]
        self.drop(min(silent, key=lambda one: one.silent_since, default=newcomer))

    def drop(self, connection: "BoundedHttp") -> None:
        """Close a connection at once."""
        connection.transport.abort()
        self.count_loss()

    def count_loss(self) -> None:
        """Count a connection that was closed or not taken; logged at most once a minute."""
        self._dropped += 1
        now = time.monotonic()
        if self._logged_at is None or now - self._logged_at >= _LOG_PAUSE_S:
            _log.warning("http.connections_dropped", count=self._dropped, places=self.places)
            self._dropped, self._logged_at = 0, now

    def on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Count what the loop could not accept, which it reports many times a second."""
        if context.get("message") == "socket.accept() out of system resource":
            self.count_loss()
        else:
            loop.default_exception_handler(context)


class StrictConnection(h11.Connection):
    """The server's side of HTTP/1.1, which refuses heads that others may read otherwise.

    h11 takes loose lines and has no setting against them. A proxy that ends a line or a head
    elsewhere would take a part of one request for another one.
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
    """HTTP/1.1 on a connection that keeps the limiter's deadlines, in both directions.

    An answer that is not read waits in the transport, up to its high-water mark, and no further. A
    request in chunks is the last of its connection: a proxy may have read another end. Source:
    RFC 9112, 6.3.
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
        """Whether nothing is being answered here, or the answer is not being read."""
        answering: RequestResponseCycle | None = self.cycle
        return answering is None or answering.response_complete or self.flow.write_paused

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, and wait for the head of a request."""
        super().connection_made(transport)
        self._limiter.make_room(self.connections, self)
        self._set_deadline()

    @override
    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        super().data_received(data)
        self._set_deadline()

    @override
    def handle_events(self) -> None:
        """Begin to answer what was received, also what came while another answer was written."""
        super().handle_events()
        answering: RequestResponseCycle | None = self.cycle
        if answering is not None:
            is_chunked = any(name == b"transfer-encoding" for name, _ in answering.scope["headers"])
            answering.keep_alive = answering.keep_alive and not is_chunked

    @override
    def on_response_complete(self) -> None:
        """Wait for the next request; uvicorn's `timeout_keep_alive` bounds that."""
        super().on_response_complete()
        self.silent_since = time.monotonic()
        self._set_deadline()

    @override
    def pause_writing(self) -> None:
        """Give the reader time to go on."""
        super().pause_writing()
        self._unread = self.loop.call_later(self._limiter.unread_s, self._limiter.drop, self)

    @override
    def resume_writing(self) -> None:
        """The reader goes on."""
        super().resume_writing()
        self._cancel_unread()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        super().connection_lost(exc)
        self._cancel_deadline()
        self._cancel_unread()

    def _set_deadline(self) -> None:
        """Give each part of a request its time from its first byte on, however slowly it drips."""
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
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self._deadline_for = None
