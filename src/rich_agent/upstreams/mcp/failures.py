"""Translation of errors of the SDK and of a transport into the product's errors."""

import httpx2
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, PARSE_ERROR, REQUEST_TIMEOUT
from pydantic import ValidationError

from rich_agent.domain.mcp import McpServer
from rich_agent.domain.text import clean_text, printable, shorten
from rich_agent.errors import (
    OutcomeUnknownError,
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
)
from rich_agent.ports.mcp import McpLoginError, McpServerAwayError
from rich_agent.upstreams.mcp.address import HttpWatch
from rich_agent.upstreams.mcp.command import ServerProcess
from rich_agent.upstreams.mcp.limits import MOST_BYTES

_SHOWN_CHARS = 300
_GONE = 404


def first_of(error: BaseException) -> BaseException:
    """The first error of nested groups, which a transport's tasks raise."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def why_away(
    server: McpServer, error: BaseException, watch: HttpWatch, process: ServerProcess
) -> UpstreamError:
    """Why a connection could not be made, or broke."""
    cause = first_of(error)
    if watch.is_login_refused:
        return McpLoginError(server.name, watch.refused_with)
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
    if watch.refused_with:
        return f"it answered with status {watch.refused_with}"
    return _words(cause)


def why_failed(server: McpServer, error: Exception, watch: HttpWatch) -> UpstreamError:
    """Why a call failed whose connection may still be good."""
    service = f"tools of {server.name}"
    if not isinstance(error, MCPError):
        what = "its result is malformed" if isinstance(error, ValidationError) else _words(error)
        return OutcomeUnknownError(service, what)
    if error.code == REQUEST_TIMEOUT:
        return UpstreamTimeoutError(service, server.timeout_s)
    if watch.is_login_refused:
        return McpLoginError(server.name, watch.refused_with)
    if watch.is_too_large:
        watch.is_too_large = False
        return OutcomeUnknownError(service, f"its result is larger than {MOST_BYTES // 2**20} MB")
    if error.code in {CONNECTION_CLOSED, PARSE_ERROR} or watch.refused_with >= 500:
        return OutcomeUnknownError(service, _words(error))
    return UpstreamRefusedError(service, _words(error))


def is_broken_off(error: Exception) -> bool:
    """Whether the connection ended before the answer came."""
    return isinstance(error, MCPError) and error.code == CONNECTION_CLOSED


def is_session_gone(error: Exception, watch: HttpWatch) -> bool:
    """Whether the server forgot the session, and so did not take the message.

    Source: MCP, transports, session management: a 404 means that a new session has to be begun.
    """
    is_answer = isinstance(error, MCPError) and error.code not in {
        CONNECTION_CLOSED,
        REQUEST_TIMEOUT,
    }
    return is_answer and watch.refused_with == _GONE


def _words(error: BaseException) -> str:
    said = printable(clean_text(str(error)[: _SHOWN_CHARS * 2])) or type(error).__name__
    return shorten(said, _SHOWN_CHARS)
