"""Checks whether the registered documents are about the configured domain; if not, names theirs."""

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from rich_agent.composition.model_server import open_models
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.text import clean_text, shorten
from rich_agent.prompts import render_prompt
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.models.forms import OpenAIFormModel
from rich_agent.upstreams.servers.output_shapes import ModelOutput, MostChars, MostItems

MOST_TITLES = 40
_LONGEST_NAME, _LONGEST_TEXT, _LONGEST_EXAMPLE = 40, 400, 150


class DescribedDomain(ModelOutput):
    """The subject of the documents."""

    fits: bool = Field(description="Whether the present description is about the same subject.")
    name: Annotated[str, MostChars(_LONGEST_NAME)] = Field(
        description="One to three English words in small letters, with _ between."
    )
    description: Annotated[str, MostChars(_LONGEST_TEXT)] = Field(
        description="One or two sentences."
    )
    examples: Annotated[list[Annotated[str, MostChars(_LONGEST_EXAMPLE)]], MostItems(3)] = Field(
        default_factory=list, description="Three typical questions, without commas."
    )

    def to_domain(self, instead_of: Domain) -> Domain:
        """The description as the settings can hold it."""
        name = re.sub(r"[^a-z0-9]+", "_", self.name.lower()[:_LONGEST_NAME]).strip("_")
        examples = (" ".join(clean_text(one).replace(",", " ").split()) for one in self.examples)
        return Domain(
            name or instead_of.name,
            shorten(" ".join(clean_text(self.description).split()), _LONGEST_TEXT),
            tuple(shorten(one, _LONGEST_TEXT) for one in examples if one),
        )


async def describe_domain(settings: Settings, titles: Sequence[str], about: str = "") -> Domain:
    """The domain of these documents (the configured domain if it fits), or of the words `about`.

    Raises: UpstreamError, SettingsError without a key.
    """
    present = settings.turn.domain
    prompt = render_prompt(
        "describe_domain",
        present=None if about else present,
        titles=list(titles)[:MOST_TITLES],
        about=about,
    )
    async with open_models() as access:
        planner = OpenAIFormModel(access(settings.models.role("planner")))
        description = await planner.fill(prompt, DescribedDomain)
    return present if description.fits and not about else description.to_domain(present)


def settings_of(domain: Domain) -> dict[str, str]:
    """The settings that describe the domain in `.env`."""
    return {
        "DOMAIN_NAME": domain.name,
        "DOMAIN_DESCRIPTION": domain.description,
        "DOMAIN_EXAMPLES": ",".join(domain.examples),
    }
