"""The settings of what the assistant may do besides answering: search, tools, task lists."""

from functools import cached_property

from rich_agent.settings.fields import Group, setting
from rich_agent.settings.mcp import McpServerFile, read_mcp_servers
from rich_agent.settings.types import FilePath, Hosts, Policies


class ToolSettings(Group):
    """Settings for searches and tools, and for which of them ask first."""

    mcp_servers_file: FilePath = setting(
        "JSON file of MCP servers whose tools the bot may use; unset: none."
    )
    policies: Policies = setting(
        "JSON object: for each tool named in it, `auto` (done at once), `ask` (done after "
        "approval) or `deny` (not offered). `rich-agent tools` lists all tools.",
        {},
        name="TOOL_POLICIES",
        examples=['{"delete_task": "deny"}'],
    )
    links_per_message: int = setting("Most links of a message to read; 0: none.", 3, ge=0, le=10)
    link_private_hosts: Hosts = setting(
        "Hosts on private networks whose pages users may have read, comma-separated, as in "
        "`INTRANET_HOSTS`.",
        (),
    )

    @cached_property
    def mcp_servers(self) -> McpServerFile:
        """The servers whose tools may be used."""
        return read_mcp_servers(self.mcp_servers_file)


class TaskListSettings(Group):
    """Settings for task lists on CalDAV servers."""

    private_hosts: Hosts = setting(
        "Hosts on private networks that users may `/connect` to, comma-separated: names, "
        "`*.home.example`, addresses, networks such as 192.168.0.0/16. They may use http://.",
        (),
        name="CALDAV_PRIVATE_HOSTS",
    )
    interval_s: float = setting(
        "Seconds between two looks at a connected task list.", 300.0, name="CALDAV_INTERVAL_S", ge=1
    )
