"""Settings of the search engines SearXNG and Brave."""

from rich_agent.feature import Group, Secret, Url, setting
from rich_agent.feature.settings import OptionalUrl


class WebEngineSettings(Group):
    """The access to SearXNG and to Brave."""

    searxng_url: OptionalUrl = setting(
        "Address of a SearXNG server for web search, such as http://localhost:8888; used without "
        "TAVILY_API_KEY. Its settings.yml has to list `json` under `search: formats:`.",
        name="SEARXNG_URL",
    )
    brave_api_key: Secret = setting(
        "Key of the Brave Search API for web search; used without TAVILY_API_KEY and SEARXNG_URL.",
        name="BRAVE_API_KEY",
    )
    brave_base_url: Url = setting(
        "Address of the Brave Search API.",
        "https://api.search.brave.com/res/v1",
        name="BRAVE_BASE_URL",
    )
