"""Settings of the web search with Tavily."""

from rich_agent.feature import Group, Secret, Url, setting


class TavilySettings(Group):
    """The access to Tavily."""

    api_key: Secret = setting("Key of Tavily for web search.", demo="tvly-sandbox")
    base_url: Url = setting(
        "Address of Tavily's API.", "https://api.tavily.com", demo="{sandbox}/tavily"
    )
