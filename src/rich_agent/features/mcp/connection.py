"""A connection to one server of tools: made when it is first needed, kept, and made again."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from importlib.metadata import version
from typing import Any

import httpx2
import structlog
from mcp import Client
from mcp.client import IncomingMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    PARSE_ERROR,
    REQUEST_TIMEOUT,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    ToolListChangedNotification,
)
from pydantic import ValidationError

from rich_agent.feature.concurrency import unless
from rich_agent.feature.errors import (
    OutcomeUnknownError,
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
)
from rich_agent.feature.reach import Target, in_reach, out_of_reach
from rich_agent.feature.text import clean_text, printable, shorten
from rich_agent.features.mcp import limits
from rich_agent.features.mcp.address import HttpWatch, reach_address
from rich_agent.features.mcp.command import ServerProcess, run_command
from rich_agent.features.mcp.definitions import McpServer, ServerTool
from rich_agent.features.mcp.limits import MOST_BYTES
from rich_agent.features.mcp.ports import (
    McpLoginError,
    McpServerAwayError,
    ServerAnswer,
    ServerReport,
)
from rich_agent.features.mcp.results import to_answer, to_server_tool

_ERROR_CHARS = 300
_GONE = 404


def first_of(error: BaseException) -> BaseException:
    """The first error in nested groups, which the tasks of a transport raise."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def why_away(
    server: McpServer, error: BaseException, watch: HttpWatch, process: ServerProcess
) -> UpstreamError:
    """The error of a connection that could not be made, or that broke."""
    cause = first_of(error)
    if watch.is_login_refused:
        return McpLoginError(server.name, watch.refusal_status)
    if isinstance(cause, UpstreamError) and not process.has_ended:
        return cause
    was_reached = not isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout)
    problem = _problem(server, cause, watch, process)
    return McpServerAwayError(server.name, problem, was_reached=was_reached)


def _problem(
    server: McpServer, cause: BaseException, watch: HttpWatch, process: ServerProcess
) -> str:
    if process.has_ended:
        return process.explain()
    if isinstance(cause, TimeoutError):
        return "it did not answer in time"
    if isinstance(cause, FileNotFoundError | PermissionError):
        return f"{server.command} cannot be started: {_words(cause)}"
    if watch.refusal_status:
        return f"it answered with status {watch.refusal_status}"
    return _words(cause)


def failure_of(server: McpServer, error: Exception, watch: HttpWatch) -> UpstreamError:
    """The error of a failed call whose connection may still be good."""
    service = f"tools of {server.name}"
    if not isinstance(error, MCPError):
        problem = "its result is malformed" if isinstance(error, ValidationError) else _words(error)
        return OutcomeUnknownError(service, problem)
    if error.code == REQUEST_TIMEOUT:
        return UpstreamTimeoutError(service, server.timeout_s)
    if watch.is_login_refused:
        return McpLoginError(server.name, watch.refusal_status)
    if watch.is_too_large:
        watch.is_too_large = False
        return OutcomeUnknownError(service, f"its result is larger than {MOST_BYTES // 2**20} MB")
    if error.code in {CONNECTION_CLOSED, PARSE_ERROR} or watch.refusal_status >= 500:
        return OutcomeUnknownError(service, _words(error))
    return UpstreamRefusedError(service, _words(error))


def is_broken_off(error: Exception) -> bool:
    """Whether the connection ended before the answer arrived."""
    return isinstance(error, MCPError) and error.code == CONNECTION_CLOSED


def is_session_gone(error: Exception, watch: HttpWatch) -> bool:
    """Whether the server forgot the session, and therefore did not take the message.

    Source: MCP, transports, session management: after a 404, a new session has to be begun.
    """
    is_answer = isinstance(error, MCPError) and error.code not in {
        CONNECTION_CLOSED,
        REQUEST_TIMEOUT,
    }
    return is_answer and watch.refusal_status == _GONE


def _words(error: BaseException) -> str:
    error_text = printable(clean_text(str(error)[: _ERROR_CHARS * 2])) or type(error).__name__
    return shorten(error_text, _ERROR_CHARS)


OnTrouble = Callable[[UpstreamError], Awaitable[object]]
TOLD_AFTER = 3
"""Number of consecutive failures after which admins are told. A refused login is told at once."""
_RELIST_PAUSE_S = 5.0
_LOSING_S = 1.0
"""Most seconds to wait until the reason of a broken connection is known."""
_log = structlog.get_logger()
# These loggers write unreadable messages, with texts of users. Here each is an error instead.
for _name in ("mcp", "client"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


class _ForgottenByServerError(Exception):
    """The server forgot the session of the client. Another session is begun at once."""

    def __init__(self, client: Client) -> None:
        super().__init__()
        self.client = client


class Connection:
    """The connection to one server. The task of `run` makes it, and any task may use it.

    `trouble` is the reason why the server is away, None while it is connected or was never needed.
    """

    def __init__(self, server: McpServer, on_trouble: OnTrouble) -> None:
        self.server = server
        self.tools: tuple[ServerTool, ...] = ()
        self.trouble: UpstreamError | None = None
        self._about = ""
        self._on_trouble = on_trouble
        self._client: Client | None = None
        self._watch, self._process = HttpWatch(), ServerProcess()
        self._failures, self._connected_at = 0, 0.0
        self._is_needed, self._settled = asyncio.Event(), asyncio.Event()
        self._changed, self._lost = asyncio.Event(), asyncio.Event()
        self._is_session_gone = False
        self._under_way, self._quiet = 0, asyncio.Event()
        self._waited_until: float | None = None

    async def settle(self, wait_s: float) -> None:
        """Request a connection, and wait for the first attempt.

        All calls together wait at most `wait_s`.
        """
        now = asyncio.get_running_loop().time()
        if self._waited_until is None:
            self._waited_until = now + wait_s
        self._is_needed.set()
        await _within(self._waited_until - now, self._settled)

    def report(self) -> ServerReport:
        """The state of the server."""
        trouble = self.trouble
        if self._client is None and trouble is None:
            trouble = McpServerAwayError(self.server.name, "it is still starting")
        return ServerReport(self.server, self.tools, trouble, self._about)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> ServerAnswer:
        """See `McpServers.call`."""
        self._is_needed.set()
        try:
            return await self._send(tool, arguments)
        except _ForgottenByServerError as loss:
            if loss.client is self._client:
                self._is_session_gone = True
                self._settled.clear()
                self._changed.set()
        try:
            return await self._send(tool, arguments)
        except _ForgottenByServerError as loss:
            raise McpServerAwayError(self.server.name, "it forgets its sessions") from loss

    async def _send(self, tool: str, arguments: Mapping[str, Any]) -> ServerAnswer:
        await _within(self.server.timeout_s, self._settled)
        client, watch = self._client, self._watch
        if client is None or self.trouble:
            starting_error = McpServerAwayError(self.server.name, "it is still starting")
            raise self.trouble or starting_error
        # Not `call_tool`: it checks results by patterns of the server, in this process.
        params = CallToolRequestParams(name=tool, arguments=dict(arguments))
        request = CallToolRequest(params=params)
        try:
            with self._while_under_way():
                result = await client.session.send_request(
                    request, CallToolResult, request_read_timeout_seconds=self.server.timeout_s
                )
            return to_answer(result)
        except (MCPError, ValidationError, RuntimeError) as error:
            if is_session_gone(error, watch):
                raise _ForgottenByServerError(client) from error
            raise await self._failure_of(error, watch) from error

    @contextmanager
    def _while_under_way(self) -> Iterator[None]:
        """Count a call. The session is kept until the answers of all calls have arrived."""
        self._under_way += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._quiet.set()

    async def _failure_of(self, error: Exception, watch: HttpWatch) -> UpstreamError:
        if is_broken_off(error):
            await _within(0 if self._process.reason else _LOSING_S, self._lost)
            if self._process.reason:
                return OutcomeUnknownError(f"tools of {self.server.name}", self._process.reason)
            if isinstance(self.trouble, McpServerAwayError):
                away_error = self.trouble
                return (
                    OutcomeUnknownError(away_error.service, away_error.problem)
                    if away_error.was_reached
                    else away_error
                )
        failure = failure_of(self.server, error, watch)
        if isinstance(failure, McpLoginError):
            self.trouble, self.tools = failure, ()
        if watch.refusal_status:
            self._changed.set()  # a new listing of the tools shows whether the server is well
        return failure

    def _end(self) -> None:
        """Hide the tools of a command that has ended, even before the reason is known."""
        if self._client:
            self.trouble = McpServerAwayError(self.server.name, self._process.explain())
            self.tools = ()
        self._changed.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Keep the server connected, from the time when it is first needed until `stop` is set."""
        await unless(stop, self._is_needed.wait())
        while not stop.is_set():
            pause_s = await self._connect(stop)
            await unless(stop, asyncio.sleep(pause_s))

    async def _connect(self, stop: asyncio.Event) -> float:
        """Connect and stay connected; return the seconds until the next attempt after a break."""
        self._watch, self._process = HttpWatch(), ServerProcess(self._end)
        try:
            async with asyncio.timeout(self._connect_s) as deadline:
                async with self._open_client() as client:
                    await self._take(client)
                    deadline.reschedule(None)
                    await unless(stop, self._keep(client))
        except Exception as error:  # noqa: BLE001 - a server may fail in any way, and ends nothing
            if self._is_session_gone:
                self._is_session_gone = False
                return 0.0
            return await self._lose(why_away(self.server, error, self._watch, self._process))
        finally:
            self._client = None
        return 0.0

    @property
    def _target(self) -> Target:
        return Target("MCP server", self.server.name)

    @property
    def _connect_s(self) -> float:
        return limits.CONNECT_COMMAND_S if self.server.command else limits.CONNECT_HTTP_S

    @asynccontextmanager
    async def _open_client(self) -> AsyncIterator[Client]:
        async with AsyncExitStack() as stack:
            transport = (
                run_command(self.server, self._process)
                if self.server.command
                else await stack.enter_async_context(reach_address(self.server, self._watch))
            )
            client = Client(
                transport,
                read_timeout_seconds=self._connect_s,
                message_handler=self._on_message,
                client_info=Implementation(name="rich-agent", version=version("rich-agent")),
                cache=None,
            )
            yield await stack.enter_async_context(client)

    async def _on_message(self, message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            self._changed.set()

    async def _take(self, client: Client) -> None:
        """Offer the tools of a server that was just connected."""
        await self._list(client)
        info = client.server_info
        self._about = f"{info.name} {info.version}"[:100] if info else ""
        in_reach(self._target)
        self._client, self.trouble, self._is_session_gone = client, None, False
        self._connected_at = time.monotonic()
        self._changed.clear()
        self._lost.clear()
        self._settled.set()

    async def _keep(self, client: Client) -> None:
        """List the tools again when they change, and from time to time. Errors are raised."""
        while True:
            await _within(limits.LIST_EVERY_S, self._changed)
            self._changed.clear()
            if self._is_session_gone:
                await _within(_LOSING_S, self._quiet)
                raise _ForgottenByServerError(client)
            if self.trouble:
                raise self.trouble
            await self._list(client)
            await asyncio.sleep(_RELIST_PAUSE_S)

    async def _list(self, client: Client) -> None:
        tools: list[ServerTool] = []
        cursor = None
        for _ in range(limits.MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            tools += [to_server_tool(self.server.name, tool) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None or len(tools) >= limits.MOST_TOOLS_LISTED:
                break
        self.tools = tuple(tools[: limits.MOST_TOOLS_LISTED])

    async def _lose(self, trouble: UpstreamError) -> float:
        """Hide the tools, report the trouble once; return the seconds until the next attempt."""
        connected_s = time.monotonic() - self._connected_at if self._client else 0.0
        self.trouble, self.tools = trouble, ()
        self._failures = 1 if connected_s > limits.LONGEST_PAUSE_S else self._failures + 1
        self._lost.set()
        self._settled.set()
        is_refused = isinstance(trouble, McpLoginError)
        out_of_reach(self._target, trouble)
        if self._failures == (1 if is_refused else TOLD_AFTER):
            await self._on_trouble(trouble)
        if is_refused:
            return limits.LONGEST_PAUSE_S
        return min(limits.FIRST_PAUSE_S * 2.0 ** (self._failures - 1), limits.LONGEST_PAUSE_S)


async def _within(seconds: float, event: asyncio.Event) -> None:
    """Wait for the event, at most `seconds`."""
    if event.is_set() or seconds <= 0:
        return
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
