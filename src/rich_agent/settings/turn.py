"""The settings of a turn: its domain, the evidence for an answer, and its cost."""

from functools import cached_property

from rich_agent.domain.retrieval.passage import Retrieval
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.usage_limits import DailyLimits, Prices
from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Count, Language, Text, Words


class TurnSettings(Group):
    """Settings for the domain, the conversation, and the evidence of an answer."""

    domain_name: str = setting(
        "Name of the intent: `domain_<name>`.",
        "documents",
        pattern=r"^[a-z0-9_]{1,80}$",
        changes_at_run_time=True,
    )
    domain_description: str = setting(
        "What the registered documents are about, for the planner. Unset: the planner's model "
        "describes them when they were read, and again when many have changed.",
        "",
        changes_at_run_time=True,
    )
    domain_examples: Words = setting(
        "Typical questions about the domain, comma-separated, for the planner.",
        (),
        changes_at_run_time=True,
    )
    default_language: Language = setting(
        "Language of the bot's own sentences for people whose app names none. What somebody "
        "writes, and `/language`, go before it.",
        "en",
        changes_at_run_time=True,
    )
    recent_turns: int = setting(
        "Recent turns that are kept word for word.", 10, ge=1, changes_at_run_time=True
    )
    retrieval_passages: int = setting(
        "Maximum passages for an answer.", 6, ge=1, le=50, changes_at_run_time=True
    )
    retrieval_min_score: float = setting(
        "Evidence is weak if the best passage scores less than this.",
        0.3,
        ge=0,
        le=1,
        changes_at_run_time=True,
    )
    retrieval_rounds: int = setting(
        "Rounds of searching the documents for one answer; 1 searches once.",
        3,
        ge=1,
        le=5,
        changes_at_run_time=True,
    )
    retrieval_rounds_s: float = setting(
        "Seconds that the rounds after the first may take together.",
        10.0,
        gt=0,
        changes_at_run_time=True,
    )
    retrieval_rounds_tokens: int = setting(
        "Tokens that the planning model may read in these rounds together, besides the "
        "instructions and the conversation.",
        12_000,
        ge=0,
        changes_at_run_time=True,
    )
    check_answers: float = setting(
        "Share of the answers from passages, 0 to 1, of which the planner's model judges every "
        "sentence. In the others it is asked only about those that look doubtful.",
        1.0,
        name="CHECK_ANSWERS",
        ge=0,
        le=1,
        changes_at_run_time=True,
    )
    check_answers_s: float = setting(
        "Seconds that judging an answer may take, once it can be read.",
        15.0,
        name="CHECK_ANSWERS_S",
        gt=0,
        changes_at_run_time=True,
    )
    worker_concurrency: int = setting(
        "Users that one process serves at once, as long as it keeps up with them.", 64, ge=1
    )

    @cached_property
    def domain(self) -> Domain:
        """The configured domain."""
        return Domain(self.domain_name, self.domain_description, self.domain_examples)

    @cached_property
    def retrieval(self) -> Retrieval:
        """The limits of retrieval for an answer."""
        return Retrieval(
            passages=self.retrieval_passages,
            min_score=self.retrieval_min_score,
            rounds=self.retrieval_rounds,
            rounds_s=self.retrieval_rounds_s,
            rounds_tokens=self.retrieval_rounds_tokens,
        )


class CostSettings(Group):
    """Settings for prices and daily limits; admins have no limit."""

    model_prices: Words = setting(
        "Prices in USD per million tokens, comma-separated: MODEL=IN/OUT, MODEL=IN/OUT/CACHED or "
        "MODEL=IN/OUT/CACHED/WRITE. Models without one have the published price of their server.",
        (),
        changes_at_run_time=True,
    )
    search_price: Text = setting("Price of one web search in USD.", changes_at_run_time=True)
    daily_tokens: Count = setting(
        "Tokens per user and day (UTC); 0: no limit. Admins have no limit.",
        0,
        changes_at_run_time=True,
    )
    daily_images: Count = setting(
        "Images per user and day; 0: no limit.", 0, changes_at_run_time=True
    )
    daily_searches: Count = setting(
        "Web searches per user and day; 0: no limit.", 0, changes_at_run_time=True
    )
    daily_tool_calls: Count = setting(
        "Calls of tools of servers per user and day; 0: no limit.", 0, changes_at_run_time=True
    )
    daily_audio_seconds: Count = setting(
        "Seconds of sound per user and day, heard and spoken; 0: no limit.",
        0,
        changes_at_run_time=True,
    )

    @cached_property
    def prices(self) -> Prices:
        """The prices of use."""
        return Prices.parse(self.model_prices, self.search_price)

    @property
    def daily_limits(self) -> DailyLimits:
        """The daily limits of a user who is not an admin."""
        limits = (
            *(self.daily_tokens, self.daily_images),
            *(self.daily_searches, self.daily_tool_calls, self.daily_audio_seconds),
        )
        return DailyLimits(*(limit or None for limit in limits))

    @property
    def is_unlimited_by_default(self) -> bool:
        """Whether no daily limit was set, so that users are unlimited only by default."""
        return not self.model_fields_set & {"daily_tokens", "daily_images", "daily_searches"}
