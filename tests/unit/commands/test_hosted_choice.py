"""The model that is taken of a provider, by its price."""

import pytest

from rich_agent.commands.hosted_choice import choose_by_price
from rich_agent.upstreams.servers.offers import Offer, Offers

ANTHROPIC, OPENAI = "https://api.anthropic.com/v1", "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("server", "names", "chosen"),
    [
        (
            ANTHROPIC,
            ["claude-opus-4-1", "claude-haiku-4-5", "claude-sonnet-4-5"],
            "claude-haiku-4-5",
        ),
        # Dated editions cost the same, and nobody pays for output of an embedder.
        (OPENAI, ["gpt-4.1", "gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"], "gpt-4.1-mini"),
        (OPENAI, ["text-embedding-3-small", "gpt-4.1-nano"], "gpt-4.1-nano"),
        (OPENAI, ["a-model-of-tomorrow"], ""),
        ("http://127.0.0.1:8000/v1", ["gpt-4.1-mini"], ""),
        (OPENAI, [], ""),
    ],
)
def test_model_of_a_provider_costs_about_as_much_as_the_default(
    server: str, names: list[str], chosen: str
) -> None:
    """A list of names says nothing of what a model can do; without a price nothing is chosen."""
    assert choose_by_price(Offers(server, tuple(map(Offer, names)))) == chosen


def test_model_that_sees_comes_first_at_the_same_price() -> None:
    """Then it describes photos, too."""
    offers = (Offer("gpt-4.1-mini"), Offer("gpt-4.1-mini-2025-04-14", sees=True))
    assert choose_by_price(Offers(OPENAI, offers)) == "gpt-4.1-mini-2025-04-14"
