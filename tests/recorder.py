"""A way to PostgreSQL that notes each statement that passes.

Source: PostgreSQL, Frontend/Backend Protocol, Message Formats (Parse, Query).
"""

import asyncio
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict
from typing_extensions import override

_PLAIN = "sslmode=disable&gssencmode=disable"
_HEAD = struct.Struct(">ci")


class StatementReader:
    """Reads what a client sends; `feed` returns the statements that became complete."""

    def __init__(self) -> None:
        self._unread = b""
        self._has_started = False

    def feed(self, data: bytes) -> list[str]:
        """The texts of the statements that were prepared or sent by themselves."""
        self._unread += data
        found: list[str] = []
        if not self._has_started and len(self._unread) >= 4:
            (length,) = struct.unpack_from(">i", self._unread)
            self._has_started = len(self._unread) >= length
            self._unread = self._unread[length:] if self._has_started else self._unread
        while self._has_started and len(self._unread) >= _HEAD.size:
            kind, length = _HEAD.unpack_from(self._unread)
            if len(self._unread) <= length:
                break
            body, self._unread = self._unread[5 : length + 1], self._unread[length + 1 :]
            if kind in {b"P", b"Q"}:
                # Before the text of a prepared statement stands its name.
                found.append(body.split(b"\0")[kind == b"P"].decode())
        return found


class _Server(asyncio.Protocol):
    """The server's side of a connection: what it says goes to the client."""

    def __init__(self, client: asyncio.Transport) -> None:
        self._client = client

    @override
    def data_received(self, data: bytes) -> None:
        self._client.write(data)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._client.close()


class _Client(asyncio.Protocol):
    """The client's side; `on_statement` is called before its server hears of a statement."""

    def __init__(self, socket: Path, on_statement: Callable[[str], None]) -> None:
        self._socket = socket
        self._on_statement = on_statement
        self._reader = StatementReader()
        self._early: list[bytes] = []
        self._server: asyncio.Transport | None = None
        self._joining: asyncio.Task[None] | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._joining = asyncio.get_running_loop().create_task(self._join(transport))

    async def _join(self, client: asyncio.Transport) -> None:
        loop = asyncio.get_running_loop()
        server, _ = await loop.create_unix_connection(lambda: _Server(client), str(self._socket))
        for data in self._early:
            server.write(data)
        self._server = server

    @override
    def data_received(self, data: bytes) -> None:
        for statement in self._reader.feed(data):
            self._on_statement(statement)
        if self._server:
            self._server.write(data)
        else:
            self._early.append(data)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        if self._server:
            self._server.close()


@contextmanager
def recorded(url: str) -> Iterator[tuple[str, list[str]]]:
    """The address of the same database through the recorder, and the statements so far."""
    parts = conninfo_to_dict(url)
    socket = Path(str(parts["host"])) / f".s.PGSQL.{parts.get('port') or 5432}"
    statements: list[str] = []
    loop = asyncio.new_event_loop()
    opening = loop.create_server(lambda: _Client(socket, statements.append), "127.0.0.1", 0)
    server = loop.run_until_complete(opening)
    port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    user, name = parts.get("user") or "postgres", parts["dbname"]
    try:
        yield f"postgresql://{user}@127.0.0.1:{port}/{name}?{_PLAIN}", statements
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.run_until_complete(asyncio.sleep(0))  # what is closed tells its protocol
        loop.close()
