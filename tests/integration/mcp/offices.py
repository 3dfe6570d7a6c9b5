"""Starts offices: real servers of tools, over both transports."""

import os
import runpy
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal

from rich_agent.domain.mcp import McpServer, ServerTool
from rich_agent.errors import UpstreamError
from rich_agent.ports.mcp import McpServers
from rich_agent.upstreams.mcp.servers import open_mcp_servers
from tests.forking import forks

OFFICE = Path(__file__).with_name("office.py")
Transport = Literal["stdio", "http"]


def by_command(**env: str) -> McpServer:
    """An office that is started by its command."""
    return McpServer("office", command=sys.executable, args=(str(OFFICE), "stdio"), env=env)


@dataclass(slots=True)
class HttpOffice:
    """An office at an address, which can be stopped and started again."""

    listener: socket.socket
    env: dict[str, str]
    program: Path = OFFICE
    process: BaseProcess | None = None

    @property
    def server(self) -> McpServer:
        """The server as it is reached."""
        port = self.listener.getsockname()[1]
        return McpServer("office", url=f"http://127.0.0.1:{port}/mcp")

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


@contextmanager
def office_over(transport: Transport, **env: str) -> Iterator[McpServer]:
    """An office, started when it is needed or right now."""
    if transport == "stdio":
        yield by_command(**env)
        return
    with at_address(**env) as office:
        yield office.server


@dataclass(slots=True)
class Connected:
    """The servers, and the troubles that admins were told of."""

    servers: McpServers
    troubles: list[UpstreamError] = field(default_factory=list)


@asynccontextmanager
async def connected(servers: Sequence[McpServer]) -> AsyncIterator[Connected]:
    """The servers, connected once; however slow the machine is, the first wait is long enough."""
    troubles: list[UpstreamError] = []

    async def keep(trouble: UpstreamError) -> None:
        troubles.append(trouble)

    async with open_mcp_servers(servers, keep) as opened:
        await opened.report()
        yield Connected(opened, troubles)


def within(server: McpServer, timeout_s: float) -> McpServer:
    """The same with a deadline."""
    return replace(server, timeout_s=timeout_s)


def tool(name: str) -> ServerTool:
    """A tool of the office by its name."""
    return ServerTool("office", name)
