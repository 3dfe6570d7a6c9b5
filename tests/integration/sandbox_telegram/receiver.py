"""A webhook that records what it gets and answers as it is told."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WAIT_S = 8.0


@dataclass(slots=True)
class Receiver:
    """`statuses` are answered first, in order, and 200 after them.

    While `gate` is closed, messages wait for their answer; presses do not.
    """

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    secrets: list[str | None] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Condition = field(default_factory=threading.Condition)

    @classmethod
    @contextmanager
    def listening(cls) -> Iterator["Receiver"]:
        """Listen on a free port until the block is left."""
        receiver = cls()
        receiver.gate.set()
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(receiver))
        receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            receiver.gate.set()
            server.shutdown()
            server.server_close()
            thread.join(WAIT_S)

    def take(self, secret: str | None, update: dict[str, Any]) -> int:
        """Record an update and give the status to answer."""
        with self.arrived:
            self.secrets.append(secret)
            self.updates.append(update)
            status = self.statuses.pop(0) if self.statuses else 200
            self.arrived.notify_all()
        if "message" in update:
            self.gate.wait(WAIT_S)
        return status

    def wait_for(self, enough: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        """Wait until the updates so far are `enough`, and give them."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: enough(self.updates), WAIT_S), self.updates
            return list(self.updates)


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            secret = self.headers.get("X-Telegram-Bot-Api-Secret-Token")
            self.send_response(receiver.take(secret, json.loads(body)))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # silences the base class
            return

    return Handler
