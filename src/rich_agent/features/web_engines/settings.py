"""Settings of the search engines SearXNG and Brave."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from typing_extensions import override

from rich_agent.feature import Group, Secret, SettingsError, Url, setting
from rich_agent.feature.settings import OptionalUrl


class WebEngineSettings(Group):
    """The access to SearXNG and to Brave."""

    searxng_url: OptionalUrl = setting(
        "Address of a SearXNG server for web search, such as http://localhost:8888. "
        "Its settings.yml has to list `json` under `search: formats:`.",
        name="SEARXNG_URL",
    )
    brave_api_key: Secret = setting(
        "Key of the Brave Search API for web search.",
        name="BRAVE_API_KEY",
    )
    brave_base_url: Url = setting(
        "Address of the Brave Search API.",
        "https://api.search.brave.com/res/v1",
        name="BRAVE_BASE_URL",
    )

    @override
    def find_problems(self) -> Iterator[SettingsError]:
        """Find a server whose host cannot be asked."""
        if not self.searxng_url:
            return
        from rich_agent.feature.connectors import Intranet  # noqa: PLC0415 - it loads slowly

        try:
            Intranet.parse([urlsplit(self.searxng_url).hostname or ""])
        except ValueError as error:
            yield SettingsError(
                "SEARXNG_URL", str(error), hint="Give a host name or a whole address."
            )
