"""The settings of the web search and of tools."""

from typing import Final

from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Hosts, Policies, Words

WEB_SEARCH_OFF: Final = "off"
"""The value of WEB_SEARCH with which the web is not searched."""


class ToolSettings(Group):
    """Settings for the web search and for tools, and for which of them ask first."""

    web_search: Words = setting(
        "Search engines for the web, comma-separated, in the order in which they are asked until "
        "one answers. Empty: all that are configured; `off`: none. "
        "Engines that need no key are used only if they are named here, by which you accept their "
        "terms; `rich-agent doctor` tells them.",
        (),
    )
    web_search_hosts: Hosts = setting(
        "The only hosts whose pages the web search may return, comma-separated, each with the "
        "hosts below it; empty: all.",
        (),
    )
    web_search_blocked_hosts: Hosts = setting(
        "Hosts whose pages the web search leaves out, comma-separated, each with the hosts below "
        "it.",
        (),
    )

    policies: Policies = setting(
        "JSON object: for each tool named in it, `auto` (done at once), `ask` (done after "
        "approval) or `deny` (not offered). `rich-agent tools` lists all tools.",
        {},
        name="TOOL_POLICIES",
        examples=['{"search_web": "ask"}'],
    )
    links_per_message: int = setting(
        "Most links of a message to read; 0: none.", 3, ge=0, le=10, changes_at_run_time=True
    )
    link_private_hosts: Hosts = setting(
        "Hosts on private networks whose pages users may have read, comma-separated, as in "
        "`INTRANET_HOSTS`.",
        (),
    )

    @property
    def engine_names(self) -> tuple[str, ...]:
        """The search engines that are named, in lowercase."""
        return tuple(name.lower() for name in self.web_search)
