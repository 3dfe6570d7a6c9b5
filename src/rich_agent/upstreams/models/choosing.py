"""Has a model choose among numbered texts, or check sentences, by structured output."""

from pydantic import Field

from rich_agent.domain.answer.grounding import Opinion
from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.chat import to_messages
from rich_agent.upstreams.servers.model_output import ModelOutput
from rich_agent.upstreams.servers.structured import StructuredModel


class ChosenEntries(ModelOutput):
    """The entries that are meant."""

    numbers: list[int] = Field(
        default_factory=list, description="The numbers of the entries; empty for none."
    )


class CheckedSentences(ModelOutput):
    """The sentences that no passage supports."""

    unsupported: list[int] = Field(
        default_factory=list, description="The numbers of the sentences; empty for none."
    )
    nothing_found: bool = Field(
        default=False,
        description="Whether the sentences only say that the passages hold no answer.",
    )


class OpenAIChooser(StructuredModel):
    """Implements `Chooser`."""

    async def choose(self, prompt: Prompt) -> frozenset[int]:
        found = await self.ask(to_messages(prompt), ChosenEntries)
        return frozenset(found.numbers)

    async def check(self, prompt: Prompt) -> Opinion:
        found = await self.ask(to_messages(prompt), CheckedSentences)
        return Opinion(frozenset(found.unsupported), found.nothing_found)
