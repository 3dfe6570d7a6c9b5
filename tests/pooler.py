"""PgBouncer between a test and its database."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.acceptance.world import free_port

_PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
_DEADLINE_S = 20.0
_CONFIGURATION = """
[databases]
* = host={host} port={port} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 3
max_client_conn = 500
server_round_robin = {in_turn:d}
ignore_startup_parameters = extra_float_digits
"""


@contextmanager
def pooled(url: str, mode: str, folder: Path, *, in_turn: bool = False) -> Iterator[str]:
    """The address of the same database through PgBouncer in `session` or `transaction` mode.

    Its own connections are used `in_turn`, or else the one first that was used last.
    """
    if _PROGRAM is None:
        if os.environ.get("RICH_AGENT_REQUIRE_POOLER"):
            pytest.fail("pgbouncer is not installed")
        pytest.skip("pgbouncer is not installed (Debian: apt install pgbouncer)")
    parts, listen = conninfo_to_dict(url), free_port()
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        _CONFIGURATION.format(
            host=parts["host"],
            port=parts.get("port") or 5432,
            user=parts.get("user") or "postgres",
            listen=listen,
            mode=mode,
            in_turn=in_turn,
        ),
        "utf-8",
    )
    settings.chmod(0o644)
    # It refuses to run as root; the server's own user may enter the folder of its socket.
    owner = Path(str(parts["host"])).stat().st_uid if os.geteuid() == 0 else None
    with (
        settings.open("rb") as given,
        subprocess.Popen(
            [_PROGRAM, "/dev/stdin"], stdin=given, stderr=subprocess.DEVNULL, user=owner
        ) as running,
    ):
        try:
            _await_port(listen)
            yield f"postgresql://anyone@127.0.0.1:{listen}/{parts['dbname']}"
        finally:
            running.kill()


def _await_port(port: int) -> None:
    end = time.monotonic() + _DEADLINE_S
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens on port {port}")
