"""The settings of a turn: what an answer is about, and how much is read for it."""

from functools import cached_property
from pathlib import Path

from rich_agent.domain.retrieval.passage import Retrieval
from rich_agent.domain.routing.plan import Domain
from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Words


class TurnSettings(Group):
    """Settings for the domain, the conversation, and the evidence of an answer."""

    domain_name: str = setting(
        "Name of the intent: `domain_<name>`.", "solana_defi_trade", pattern=r"^[a-z0-9_]+$"
    )
    domain_description: str = setting(
        "What the registered documents are about, for the planner.",
        "Solana, Drift, trading, DeFi and blockchain: how they work and how to use them.",
    )
    domain_examples: Words = setting(
        "Typical questions about the domain, comma-separated, for the planner.",
        (
            "What is proof of history?",
            "How is funding paid on Drift perpetuals?",
            "What happens when a loan is liquidated?",
        ),
    )
    recent_turns: int = setting("Recent turns that are kept word for word.", 10, ge=1)
    retrieval_passages: int = setting("Maximum passages for an answer.", 6, ge=1, le=50)
    retrieval_min_score: float = setting(
        "Evidence is weak if the best passage scores less than this.", 0.3, ge=0, le=1
    )
    session_templates_dir: Path | None = setting(
        "Where the operator's own templates of guided sessions are (TOML files)."
    )
    worker_concurrency: int = setting("Users that one process serves at once.", 16, ge=1)

    @cached_property
    def domain(self) -> Domain:
        """The configured domain."""
        return Domain(self.domain_name, self.domain_description, self.domain_examples)

    @cached_property
    def retrieval(self) -> Retrieval:
        """The amount that is read before an answer."""
        return Retrieval(passages=self.retrieval_passages, min_score=self.retrieval_min_score)
