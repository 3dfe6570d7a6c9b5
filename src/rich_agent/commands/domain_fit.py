"""Whether the configured domain is what the registered documents are about; if not, what is."""

from collections.abc import Sequence

from rich_agent.domain.plan import Domain
from rich_agent.model_server import open_models
from rich_agent.prompts import render_prompt
from rich_agent.settings import Settings
from rich_agent.upstreams.domain_description import OpenAIDomainDescriber

MOST_TITLES = 40


async def describe_domain(settings: Settings, titles: Sequence[str], about: str = "") -> Domain:
    """The domain of these documents and of the operator's words; the configured one if it fits.

    Raises: UpstreamError, SettingsError without a key.
    """
    present = settings.domain
    prompt = render_prompt(
        "describe_domain",
        present=None if about else present,
        titles=list(titles)[:MOST_TITLES],
        about=about,
    )
    async with open_models() as access:
        describer = OpenAIDomainDescriber(access(settings.role("planner")))
        return await describer.describe(prompt, present) or present


def settings_of(domain: Domain) -> dict[str, str]:
    """The domain as it is written into `.env`."""
    return {
        "DOMAIN_NAME": domain.name,
        "DOMAIN_DESCRIPTION": domain.description,
        "DOMAIN_EXAMPLES": ",".join(domain.examples),
    }
