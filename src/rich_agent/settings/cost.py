"""The settings of the cost: what is charged for use, and how much of it a user has."""

from functools import cached_property

from rich_agent.domain.usage.usage import DailyLimits, Prices
from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Count, Text, Words


class CostSettings(Group):
    """Settings for prices and daily limits; admins have no limit."""

    model_prices: Words = setting(
        "Prices in USD per million tokens, comma-separated: MODEL=IN/OUT or MODEL=IN/OUT/CACHED.",
        (),
    )
    search_price: Text = setting("Price of one web search in USD.")
    daily_tokens: Count = setting(
        "Tokens per user and day (UTC); 0: no limit. Admins have no limit.", 0
    )
    daily_images: Count = setting("Images per user and day; 0: no limit.", 0)
    daily_searches: Count = setting("Web searches per user and day; 0: no limit.", 0)
    daily_tool_calls: Count = setting(
        "Calls of tools of MCP servers per user and day; 0: no limit.", 0
    )
    daily_audio_seconds: Count = setting(
        "Seconds of sound per user and day, heard and spoken; 0: no limit.", 0
    )

    @cached_property
    def prices(self) -> Prices:
        """The prices of use."""
        return Prices.parse(self.model_prices, self.search_price)

    @property
    def daily_limits(self) -> DailyLimits:
        """The daily limits of a user who is no admin."""
        limits = (
            *(self.daily_tokens, self.daily_images),
            *(self.daily_searches, self.daily_tool_calls, self.daily_audio_seconds),
        )
        return DailyLimits(*(limit or None for limit in limits))

    @property
    def is_unlimited_by_default(self) -> bool:
        """Whether no user has a daily limit, and no setting says so."""
        return not self.model_fields_set & {"daily_tokens", "daily_images", "daily_searches"}
