"""A server that is a command: its process, and the messages on its pipes.

The SDK's own transport reads lines of any length, and lets the process write to our stderr.
"""

import re
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from subprocess import PIPE

import anyio
import structlog
from anyio.abc import ByteReceiveStream, Process
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from rich_agent.feature.confinement import confined_command
from rich_agent.feature.text import clean_text, shorten
from rich_agent.features.mcp.definitions import McpServer
from rich_agent.features.mcp.limits import MOST_BYTES

Incoming = SessionMessage | Exception
Pipes = tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]
_EXIT_S = 2.0
"""Seconds for the process to end by itself once its input is closed, and again after SIGTERM."""
_KEPT_LINES, _LINE_CHARS = 5, 200
# The form of Node, Python and the JVM: "Error: …", "ModuleNotFoundError: …".
_NAMES_ERROR = re.compile(r"(?=[\w.$]{0,80}+(?: \[\w{0,40}+\])?: )[\w.$]*?(?:Error|Exception)\b")
_log = structlog.get_logger()


def _ignore() -> None:
    """Callback that ignores the end."""


@dataclass(slots=True)
class ServerProcess:
    """The state of the process.

    `on_end`: called once, when nothing more is read from the process.
    `has_ended`: whether nothing more is read from it.
    `reason`: why it was ended, "" if it ended by itself.
    `last_lines`: its last lines on stderr.
    `error`: the last line that names an error, because a stack trace may follow that line.
    """

    on_end: Callable[[], None] = _ignore
    has_ended: bool = False
    reason: str = ""
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_LINES))
    error: str = ""

    def end(self) -> None:
        """Note that nothing more is read."""
        self.has_ended = True
        self.on_end()

    def keep(self, line: str) -> None:
        """Keep a line of stderr."""
        if _NAMES_ERROR.match(line):
            self.error = line.strip()
        if line.strip():
            self.last_lines.append(line.strip())

    def explain(self) -> str:
        """The reason of the end: the error that the process named, then its last lines."""
        lines = dict.fromkeys(filter(None, (self.error, *self.last_lines)))
        details = shorten(clean_text(" / ".join(lines)), _KEPT_LINES * _LINE_CHARS)
        return (self.reason or "the command ended") + (f": {details}" if details else "")


@asynccontextmanager
async def run_command(
    server: McpServer, watch: ServerProcess
) -> AsyncIterator[
    tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]
]:
    """Open a transport for the SDK's client. The command runs as long as the block.

    Raises: OSError if the command cannot be started.
    """
    command = [server.command, *server.args]
    if server.bounds is not None:
        command = confined_command(command, server.bounds, server.directory)
    process = await anyio.open_process(
        command,
        env={**get_default_environment(), **server.env},
        cwd=server.directory,
        stderr=PIPE,
        start_new_session=True,
    )
    inbox, incoming = anyio.create_memory_object_stream[Incoming](0)
    outgoing, to_send = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group, inbox, incoming, outgoing, to_send:
        group.start_soon(_read, process, inbox, watch)
        group.start_soon(_write, process, to_send)
        group.start_soon(_read_errors, process, watch)
        try:
            yield incoming, outgoing
        finally:
            with anyio.CancelScope(shield=True):
                await _stop(process)
            group.cancel_scope.cancel()


async def _read(
    process: Process, inbox: MemoryObjectSendStream[Incoming], watch: ServerProcess
) -> None:
    """Pass on each line that is a message; skip all other lines on stdout."""
    lines = BufferedByteReceiveStream(_stream(process.stdout))
    try:
        async with inbox:
            while True:
                line = await lines.receive_until(b"\n", MOST_BYTES)
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    _log.debug("mcp.no_message", size_bytes=len(line))
                    continue
                await inbox.send(SessionMessage(message))
    except anyio.DelimiterNotFound:
        watch.reason = f"it sent more than {MOST_BYTES // 2**20} MB at once"
    except (anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError):
        pass
    finally:
        watch.end()


async def _write(process: Process, to_send: MemoryObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin is not None  # noqa: S101 - opened with a pipe
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        async for outgoing in to_send:
            text = outgoing.message.model_dump_json(by_alias=True, exclude_unset=True)
            await process.stdin.send(f"{text}\n".encode())


async def _read_errors(process: Process, watch: ServerProcess) -> None:
    """Keep the last lines of stderr, and keep its pipe from filling up."""
    open_line = b""
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream):
        while True:
            *lines, open_line = (open_line + await _stream(process.stderr).receive()).split(b"\n")
            open_line = open_line[-_LINE_CHARS:]
            for line in lines:
                watch.keep(line[:_LINE_CHARS].decode("utf-8", "replace"))


def _stream(pipe: ByteReceiveStream | None) -> ByteReceiveStream:
    assert pipe is not None  # noqa: S101 - opened with a pipe
    return pipe


async def _stop(process: Process) -> None:
    """End the process and its children: by closing its input, by SIGTERM, by SIGKILL."""
    assert process.stdin is not None  # noqa: S101 - opened with a pipe
    with anyio.move_on_after(_EXIT_S):
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.aclose()
        await process.wait()
    await terminate_posix_process_tree(process, _EXIT_S)
    await process.aclose()
