"""The section of the settings: the file of servers."""

from collections.abc import Sequence
from functools import cached_property

from typing_extensions import override

from rich_agent.feature import Group, SectionSecrets, SettingsError, setting
from rich_agent.feature.settings import FilePath
from rich_agent.features.mcp.servers_file import McpServerFile, read_mcp_servers


class McpSettings(Group):
    """The file of servers, which is read once."""

    servers_file: FilePath = setting(
        "JSON file of MCP servers whose tools the bot may use; unset: none."
    )

    @cached_property
    def content(self) -> McpServerFile:
        """The content of the file."""
        return read_mcp_servers(self.servers_file)

    @override
    def find_problems(self) -> Sequence[SettingsError]:
        return self.content.problems

    @override
    def find_secrets(self) -> SectionSecrets:
        return SectionSecrets(self.content.secrets, self.content.variables)
