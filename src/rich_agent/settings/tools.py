"""The settings of what the assistant may do besides answering."""

from functools import cached_property

from pydantic import Field

from rich_agent.settings.models import ModelSettings
from rich_agent.settings.tool_servers import ToolServerFile, read_tool_servers
from rich_agent.settings.types import OptionalPath, OptionalSecret, Policies, Url


class ToolSettings(ModelSettings):
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

    @cached_property
    def tool_servers(self) -> ToolServerFile:
        """The servers whose tools may be used."""
        return read_tool_servers(self.mcp_servers_file)
