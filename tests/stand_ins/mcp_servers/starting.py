"""Starts servers of tools, over both transports."""

import os
import runpy
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.forking import forks

OFFICE = Path(__file__).with_name("office.py")
BANK = Path(__file__).with_name("bank.py")


def office_command() -> dict[str, Any]:
    """An office that is started by its command, as it stands in a file of servers."""
    return {"command": sys.executable, "args": [str(OFFICE), "stdio"]}


@dataclass(slots=True)
class HttpOffice:
    """An office at an address, which can be stopped and started again."""

    listener: socket.socket
    env: dict[str, str]
    program: Path = OFFICE
    process: BaseProcess | None = None

    @property
    def url(self) -> str:
        """The address at which it is reached."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/mcp"

    def start(self) -> None:
        """Serve; connections wait until it does."""
        arguments = (self.program, self.listener, self.env)
        self.process = forks().Process(target=_serve, args=arguments)
        self.process.start()

    def stop(self) -> None:
        """End the process at once, and wait for its end."""
        if self.process:
            self.process.kill()
            self.process.join()


def _serve(program: Path, listener: socket.socket, env: dict[str, str]) -> None:
    os.environ.update(env)
    sys.argv = [str(program), "http", str(listener.fileno())]
    runpy.run_path(str(program), run_name="__main__")


@contextmanager
def at_address(program: Path = OFFICE, /, **env: str) -> Iterator[HttpOffice]:
    """An office, or another server, that is reached over HTTP."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        office = HttpOffice(listener, env, program)
        office.start()
        try:
            yield office
        finally:
            office.stop()
