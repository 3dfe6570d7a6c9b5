"""Connections: heads that everybody reads alike, and clients that stop reading."""

import asyncio

import h11
import pytest
from starlette.routing import Router
from typing_extensions import override
from uvicorn.config import Config
from uvicorn.server import ServerState

from rich_agent.runtime.connections import BoundedHttp, ConnectionLimiter, StrictConnection

_START = b"POST /x HTTP/1.1\r\nHost: bot\r\n"


def _first_event(head: bytes, piece_bytes: int) -> object:
    """The first event of a request that comes in pieces."""
    connection = StrictConnection(h11.SERVER)
    event: object = h11.NEED_DATA
    for start in range(0, len(head), piece_bytes):
        connection.receive_data(head[start : start + piece_bytes])
        if (event := connection.next_event()) is not h11.NEED_DATA:
            break
    return event


@pytest.mark.parametrize("piece_bytes", [1, 7, 1_000])
@pytest.mark.parametrize(
    "head",
    [
        b"POST /x HTTP/1.1\nHost: bot\r\n\r\n",
        _START + b"A: b\nC: d\r\n\r\n",
        _START + b"A: b\n\r\n\r\n",
        _START + b"\n\r\n\r\n",
        _START + b"A: b\r\n c\r\n\r\n",
        _START + b"Content-Length:\r\n\t5\r\n\r\nhello",
        _START + b" \r\n\r\n",
        _START + b"Content-Length : 5\r\n\r\nhello",
        _START + b"A: b\rC: d\r\n\r\n",
        _START + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"\r\n" + _START + b"\r\n",
    ],
)
def test_head_that_may_be_read_otherwise_is_refused(head: bytes, piece_bytes: int) -> None:
    """However its bytes arrive."""
    with pytest.raises(h11.RemoteProtocolError):
        _first_event(head, piece_bytes)


@pytest.mark.parametrize("piece_bytes", [1, 7, 1_000])
def test_lines_of_a_body_may_end_in_any_way(piece_bytes: int) -> None:
    """Only heads are strict; the next head of the connection is again."""
    body = b"a\nb\n c\n\n"
    connection = StrictConnection(h11.SERVER)
    whole = _START + b"Content-Length: %d\r\n\r\n" % len(body) + body
    kinds: list[str] = []
    for _ in range(2):
        for start in range(0, len(whole), piece_bytes):
            connection.receive_data(whole[start : start + piece_bytes])
            while isinstance(event := connection.next_event(), h11.Event):
                kinds.append(type(event).__name__)
        connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
        connection.send(h11.EndOfMessage())
        connection.start_next_cycle()
    assert kinds.count("Request") == kinds.count("EndOfMessage") == 2
    connection.receive_data(_START.replace(b"\r", b""))
    with pytest.raises(h11.RemoteProtocolError):
        connection.next_event()


class _Wire(asyncio.Transport):
    """A transport that notes whether it was cut."""

    is_cut = False

    @override
    def abort(self) -> None:
        self.is_cut = True

    @override
    def close(self) -> None:
        pass


@pytest.mark.parametrize("reads_on", [True, False])
async def test_client_that_reads_on_in_time_is_not_cut_off(*, reads_on: bool) -> None:
    """The deadline ends with the pause that it is for."""
    limiter, wire = ConnectionLimiter(unread_s=0.01), _Wire()
    connection = BoundedHttp(
        limiter=limiter, config=Config(Router()), server_state=ServerState(), app_state={}
    )
    connection.connection_made(wire)
    connection.pause_writing()
    if reads_on:
        connection.resume_writing()
    await asyncio.sleep(limiter.unread_s)
    assert wire.is_cut is not reads_on
    connection.connection_lost(None)
