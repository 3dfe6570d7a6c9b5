"""Interface to the servers whose tools are not the product's own, and how these refuse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich_agent.feature.errors import UpstreamError, UpstreamRefusedError, UpstreamUnavailableError
from rich_agent.features.mcp.definitions import McpServer, PinnedTool, ServerTool, ToolChange


class McpServerAwayError(UpstreamUnavailableError):
    """A server of tools cannot be used; `was_reached` if a call may have come through to it."""

    hint = "Run `rich-agent doctor` once it should be back; the bot reconnects by itself."

    def __init__(self, server: str, problem: str, *, was_reached: bool = True) -> None:
        super().__init__(f"tool server {server}", problem)
        self.server = server
        self.problem = problem
        self.was_reached = was_reached


class McpLoginError(UpstreamRefusedError):
    """A server of tools does not take the login that is configured for it."""

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
    """A text that a tool gave, and the web address that it is from, "" if there is none."""

    text: str
    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """The answer of a tool: `data` is JSON, None if it gave none; the texts say the same or more.

    `attachments` names what is no text, one line each. `is_error` when the tool says it failed.
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
    """A server says other things of its tools than when they were pinned."""

    def __init__(self, server: str, changes: Sequence[ToolChange]) -> None:
        names = ", ".join(change.current.name for change in changes)
        super().__init__(
            f"tool server {server}",
            f"it changed its tools: {names}",
            hint=f"Look at them with `rich-agent tools`, and accept them with "
            f"`rich-agent tools --accept {server}`.",
        )
        self.server = server
        self.changes = changes


class ToolPins(Protocol):
    """The tools of servers as they were when first seen, or accepted by an admin.

    May raise DatabaseUnavailableError.
    """

    async def see(self, tools: Sequence[ServerTool]) -> Mapping[tuple[str, str], PinnedTool]:
        """The pins of these servers by server and tool; one seen for the first time is pinned."""

    async def digests(self, servers: Sequence[str]) -> Mapping[tuple[str, str], str]:
        """The fingerprints of their tools by server and tool, "" while a change waits."""

    async def note(self, tools: Sequence[ServerTool]) -> None:
        """Keep what is said of these tools now, to be accepted; what waits already stays."""

    async def to_alert(self, servers: Sequence[str]) -> Sequence[ToolChange]:
        """Return the changes that wait and that the admins were not told of."""

    async def note_alerts(self, changes: Sequence[ToolChange]) -> None:
        """Note that the admins were told of these; they are not to be told again."""

    async def waiting(self) -> Sequence[ToolChange]:
        """Return the changes that wait to be accepted."""

    async def accept(self, server: str, tool: str = "") -> Sequence[ToolChange]:
        """Pin what waits of a server, or of one of its tools; what that was."""


class McpServers(Protocol):
    """The configured servers. Each is connected when it is first needed."""

    @property
    def servers(self) -> Mapping[str, McpServer]:
        """The configured servers by name."""

    async def tools(self) -> Sequence[ServerTool]:
        """The tools of the servers that are there; one that is away costs no time.

        A server that is asked for the first time is waited for, a few seconds at most.
        """

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any]) -> ServerAnswer:
        """Call a tool once, with its server's deadline.

        Raises: UpstreamTimeoutError or OutcomeUnknownError if it may have been done,
        UpstreamRefusedError or UpstreamUnavailableError if it was not.
        """

    async def report(self) -> Sequence[ServerReport]:
        """Return the state of each server, after a connection to it was made or has failed."""
