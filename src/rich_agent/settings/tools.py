"""The settings of what the assistant may do besides answering."""

from functools import cached_property

from pydantic import Field

from rich_agent.settings.files import FileSettings
from rich_agent.settings.mcp import McpServerFile, read_mcp_servers
from rich_agent.settings.types import OptionalPath, OptionalSecret, Policies, Url, Words


class ToolSettings(FileSettings):
    """Which searches and tools there are, and which of them ask first."""

    # Web search
    tavily_api_key: OptionalSecret = Field(
        None, description="Key for web search; unset: no web search."
    )
    tavily_base_url: Url = Field("https://api.tavily.com", description="Address of Tavily's API.")

    # Tools
    mcp_servers_file: OptionalPath = Field(
        None,
        description="JSON file of MCP servers whose tools the bot may use; unset: none.",
    )
    tool_policies: Policies = Field(
        {},
        examples=['{"delete_task": "deny"}'],
        description="JSON object: for each tool named in it, `auto` (done at once), `ask` (done "
        "after approval) or `deny` (not offered). `rich-agent tools` lists all tools.",
    )

    # Links
    links_per_message: int = Field(
        3, ge=0, le=10, description="How many links of a message may be read; 0: none."
    )
    link_private_hosts: Words = Field(
        (),
        description="Hosts on private networks whose pages users may have read, comma-separated, "
        "as in `CALDAV_PRIVATE_HOSTS`.",
    )

    # Task lists
    credentials_key: OptionalSecret = Field(
        None,
        description="Key that encrypts the passwords of `/connect`; unset: task lists cannot be "
        "connected. Several, comma-separated: the first encrypts, all decrypt.",
    )
    caldav_private_hosts: Words = Field(
        (),
        description="Hosts on private networks that users may `/connect` to, comma-separated: "
        "names, `*.home.example`, addresses, networks such as 192.168.0.0/16. They may use http://.",
    )
    caldav_interval_s: float = Field(
        300.0, ge=1, description="Seconds between two looks at a connected task list."
    )

    @cached_property
    def credentials_keys(self) -> tuple[str, ...]:
        """The keys that encrypt what users give the bot, the one in use first."""
        text = self.credentials_key.get_secret_value() if self.credentials_key else ""
        return tuple(key.strip() for key in text.split(",") if key.strip())

    @cached_property
    def mcp_servers(self) -> McpServerFile:
        """The servers whose tools may be used."""
        return read_mcp_servers(self.mcp_servers_file)
