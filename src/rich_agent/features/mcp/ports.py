"""The interface to servers of tools that are not the product's own, and errors of these servers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich_agent.feature.errors import UpstreamError, UpstreamRefusedError, UpstreamUnavailableError
from rich_agent.features.mcp.definitions import McpServer, PinnedTool, ServerTool, ToolChange


class McpServerAwayError(UpstreamUnavailableError):
    """A server of tools cannot be used.

    `was_reached` tells whether a call may have arrived there.
    """

    hint = "Run `rich-agent doctor` once it should be back; the bot reconnects by itself."

    def __init__(self, server: str, problem: str, *, was_reached: bool = True) -> None:
        super().__init__(f"tool server {server}", problem)
        self.server = server
        self.problem = problem
        self.was_reached = was_reached


class McpLoginError(UpstreamRefusedError):
    """A server of tools refused the login that is configured for it."""

    def __init__(self, server: str, status: int) -> None:
        super().__init__(
            f"tool server {server}",
            f"it does not accept the login (status {status})",
            hint=f"Renew the token in the headers of {server} in MCP_SERVERS_FILE, and restart "
            "the bot.",
        )
        self.server = server


@dataclass(frozen=True, slots=True)
class ServerText:
    """A text from a tool, and the web address that it is from, "" for none."""

    text: str
    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """The answer of a tool.

    `data`: JSON, None without any.
    `texts`: texts with the same content as `data`, or with more.
    `attachments`: a line for each part that is not a text.
    `is_error`: whether the tool says that it failed.
    """

    data: Any = None
    texts: tuple[ServerText, ...] = ()
    attachments: tuple[str, ...] = ()
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class ServerReport:
    """A report on a server: its tools, or why there are none. `about` is its name and version."""

    server: McpServer
    tools: Sequence[ServerTool] = ()
    trouble: UpstreamError | None = None
    about: str = ""


class ToolsChangedError(UpstreamError):
    """A server describes its tools differently than when they were pinned."""

    def __init__(self, server: str, changes: Sequence[ToolChange]) -> None:
        name_list = ", ".join(change.current.name for change in changes)
        super().__init__(
            f"tool server {server}",
            f"it changed its tools: {name_list}",
            hint=f"Look at them with `rich-agent tools`, and accept them with "
            f"`rich-agent tools --accept {server}`.",
        )
        self.server = server
        self.changes = changes


class ToolPins(Protocol):
    """The tools of servers in the form in which they were first seen, or accepted by an admin.

    Methods may raise DatabaseUnavailableError.
    """

    async def see(self, tools: Sequence[ServerTool]) -> Mapping[tuple[str, str], PinnedTool]:
        """The pins of the tools of these servers, by server and tool.

        All tools of a new server are pinned.
        """

    async def digests(self, servers: Sequence[str]) -> Mapping[tuple[str, str], str]:
        """The fingerprints of the tools by server and tool, "" while a change waits."""

    async def note(self, tools: Sequence[ServerTool]) -> None:
        """Store the present descriptions of these tools for acceptance.

        Descriptions that wait already stay.
        """

    async def to_alert(self, servers: Sequence[str]) -> Sequence[ToolChange]:
        """The waiting changes that the admins were not told of."""

    async def note_alerts(self, changes: Sequence[ToolChange]) -> None:
        """Record that the admins were told of these changes."""

    async def waiting(self) -> Sequence[ToolChange]:
        """The changes that wait for acceptance."""

    async def accept(self, server: str, tool: str = "") -> Sequence[ToolChange]:
        """Pin the waiting changes of a server, or of one of its tools; return these changes."""


class McpServers(Protocol):
    """The configured servers. Each is connected when it is first needed."""

    @property
    def servers(self) -> Mapping[str, McpServer]:
        """The configured servers by name."""

    async def tools(self) -> Sequence[ServerTool]:
        """The tools of the servers that are connected.

        A server that is away costs no time. A server that is used for the first time is waited for,
        a few seconds at most.
        """

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any]) -> ServerAnswer:
        """Call a tool once, with its server's deadline.

        Raises: UpstreamTimeoutError or OutcomeUnknownError if the call may have had an effect,
        UpstreamRefusedError or UpstreamUnavailableError if it had none.
        """

    async def report(self) -> Sequence[ServerReport]:
        """The state of each server, after a connection to it was made or has failed."""
