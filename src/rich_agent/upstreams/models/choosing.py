"""Has a model choose among numbered texts, or check sentences, by structured output."""

from pydantic import Field

from rich_agent.domain.answer.grounding import Opinion
from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.chat import to_messages
from rich_agent.upstreams.servers.reasoning import ModelOutput
from rich_agent.upstreams.servers.structured import StructuredModel


class ChosenEntries(ModelOutput):
    """The entries that are meant."""

    numbers: list[int] = Field(
        default_factory=list, description="The numbers of the entries; empty for none."
    )


class SupportedSentence(ModelOutput):
    """A sentence, and the passages that say it."""

    sentence: int
    passages: list[int] = Field(default_factory=list, description="The numbers of the passages.")


class CheckedSentences(ModelOutput):
    """The check of each sentence against the passages; its number stands in one of the lists."""

    supported: list[SupportedSentence] = Field(
        default_factory=list, description="The sentences that passages say."
    )
    unsupported: list[int] = Field(
        default_factory=list, description="The sentences with a claim that no passage says."
    )
    no_answer: list[int] = Field(
        default_factory=list, description="The sentences that only say that there is no answer."
    )
    no_claim: list[int] = Field(
        default_factory=list, description="The sentences that need no passage."
    )

    def to_opinion(self) -> Opinion:
        """The same for the domain."""
        return Opinion(
            {one.sentence: tuple(one.passages) for one in self.supported},
            frozenset(self.unsupported),
            frozenset(self.no_answer),
            frozenset(self.no_claim),
        )


class OpenAIChooser(StructuredModel):
    """Implements `Chooser`."""

    async def choose(self, prompt: Prompt) -> frozenset[int]:
        found = await self.ask(to_messages(prompt), ChosenEntries)
        return frozenset(found.numbers)

    async def check(self, prompt: Prompt) -> Opinion:
        return (await self.ask(to_messages(prompt), CheckedSentences)).to_opinion()
