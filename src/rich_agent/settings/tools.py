"""The settings of searches and tools."""

from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Hosts, Policies


class ToolSettings(Group):
    """Settings for searches and tools, and for which of them ask first."""

    policies: Policies = setting(
        "JSON object: for each tool named in it, `auto` (done at once), `ask` (done after "
        "approval) or `deny` (not offered). `rich-agent tools` lists all tools.",
        {},
        name="TOOL_POLICIES",
        examples=['{"search_web": "ask"}'],
    )
    links_per_message: int = setting("Most links of a message to read; 0: none.", 3, ge=0, le=10)
    link_private_hosts: Hosts = setting(
        "Hosts on private networks whose pages users may have read, comma-separated, as in "
        "`INTRANET_HOSTS`.",
        (),
    )
