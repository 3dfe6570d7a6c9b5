"""Serves an ASGI application on a free port of the loopback, in a thread."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

_START_DEADLINE_S = 5.0


@contextmanager
def served(app: Starlette, certificate: Path | None = None) -> Iterator[str]:
    """The address of `app` while the block runs, without a slash at its end.

    With a file of a certificate and its key, it is served by HTTPS.
    """
    config = uvicorn.Config(
        app,
        port=0,
        log_level="critical",
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
        ssl_certfile=certificate,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + _START_DEADLINE_S
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.005)
    assert server.started, "the server did not start"
    try:
        host, port = server.servers[0].sockets[0].getsockname()[:2]
        yield f"{'https' if certificate else 'http'}://{host}:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=5)
