"""What the registered documents are about, described by a model for the planner."""

import re

from pydantic import Field

from rich_agent.domain.plan import Domain
from rich_agent.domain.text import clean_text, shorten
from rich_agent.ports.upstreams import Prompt
from rich_agent.upstreams.chat import to_messages
from rich_agent.upstreams.model_output import ModelOutput
from rich_agent.upstreams.structured import StructuredModel

_LONGEST_NAME, _LONGEST_TEXT = 40, 400


class DescribedDomain(ModelOutput):
    """What the documents are about."""

    fits: bool = Field(description="Whether the present description is about the same subject.")
    name: str = Field(description="One to three English words in small letters, with _ between.")
    description: str = Field(description="One or two sentences.")
    examples: list[str] = Field(
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


class OpenAIDomainDescriber(StructuredModel):
    """Describes a subject with the model that plans."""

    async def describe(self, prompt: Prompt, present: Domain) -> Domain | None:
        """Another description, None where the present one fits.

        Raises: UpstreamError.
        """
        found = await self.ask(to_messages(prompt), DescribedDomain)
        return None if found.fits else found.to_domain(present)
