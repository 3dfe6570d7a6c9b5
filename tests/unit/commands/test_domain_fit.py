"""The domain that a model words."""

import pytest

from rich_agent.commands.diagnosis.domain_fit import DescribedDomain, describe_domain
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.servers.structured import StructuredModel


async def test_words_of_the_operator_are_never_replaced_by_the_present_domain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not even by a small model that says "it fits" where there is nothing to compare."""

    async def ask(*_: object) -> DescribedDomain:
        return DescribedDomain(fits=True, name="leave", description="Rules on leave.")

    monkeypatch.setattr(StructuredModel, "ask", ask)
    settings = Settings.load(openai_api_key="none")
    assert (await describe_domain(settings, (), "rules on leave")).name == "leave"
    assert await describe_domain(settings, ("Staking",)) == settings.turn.domain
