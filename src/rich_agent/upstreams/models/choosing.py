"""Lets a model choose among texts, rank passages, check sentences, or shape an answer."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from rich_agent.domain.answer.grounding import MOST_ASKED, Opinion
from rich_agent.domain.budget import first_within
from rich_agent.domain.text import estimate_tokens, shorten
from rich_agent.ports.models import Prompt
from rich_agent.prompts import render_prompt
from rich_agent.upstreams.models.forms import OpenAIFormModel
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.output_shapes import ModelOutput, MostItems, ShapedOutput

_MOST_OF_A_TEXT = 500
_RANKED_TOKENS = 3_000
"""Tokens of all passages together, so that they fit into the window of a small server."""
Number = Annotated[int, BeforeValidator(lambda told: str(told).strip(" #."))]
"""A number; small models write it with a number sign, as in the prompt: `#3`."""


class ChosenEntries(ModelOutput):
    """The entries that are meant."""

    numbers: Annotated[list[int], MostItems(400)] = Field(
        default_factory=list, description="The numbers of the entries; empty for none."
    )


class ComparedSentence(ModelOutput):
    """A sentence, and the passages that say it or deny it."""

    sentence: int
    passages: Annotated[list[int], MostItems(8)] = Field(
        default_factory=list, description="The numbers of the passages."
    )

    @model_validator(mode="before")
    @classmethod
    def _read_number(cls, value: object) -> object:
        """Accept a bare number, because small models write the number alone."""
        return {"sentence": value} if isinstance(value, int) else value


class CheckedSentences(ModelOutput):
    """The check of each sentence against the passages; its number stands in one of the lists."""

    supported: Annotated[list[ComparedSentence], MostItems(MOST_ASKED)] = Field(
        default_factory=list, description="The sentences that passages say."
    )
    contradicted: Annotated[list[ComparedSentence], MostItems(MOST_ASKED)] = Field(
        default_factory=list, description="The sentences of which passages say the opposite."
    )
    unsupported: Annotated[list[int], MostItems(MOST_ASKED)] = Field(
        default_factory=list, description="The sentences with a claim that no passage says."
    )
    no_answer: Annotated[list[int], MostItems(MOST_ASKED)] = Field(
        default_factory=list, description="The sentences that only say that there is no answer."
    )
    no_claim: Annotated[list[int], MostItems(MOST_ASKED)] = Field(
        default_factory=list, description="The sentences that need no passage."
    )

    def to_opinion(self) -> Opinion:
        """Convert to the domain type."""
        return Opinion(
            {comparison.sentence: tuple(comparison.passages) for comparison in self.supported},
            frozenset(self.unsupported),
            frozenset(self.no_answer),
            frozenset(self.no_claim),
            {comparison.sentence: tuple(comparison.passages) for comparison in self.contradicted},
        )


class OpenAIChooser(OpenAIFormModel):
    """Implements `Chooser`."""

    async def choose(self, prompt: Prompt) -> frozenset[int]:
        choice = await self.fill(prompt, ChosenEntries)
        return frozenset(choice.numbers)

    async def check(self, prompt: Prompt) -> Opinion:
        return (await self.fill(prompt, CheckedSentences)).to_opinion()


class RankedPassages(ModelOutput):
    """The passages that help, in order."""

    ranking: Annotated[list[int], MostItems(60)] = Field(
        default_factory=list,
        description="The numbers of the passages that help, the most helpful first.",
    )


class RankingByModel(OpenAIFormModel):
    """Implements `Reranker` with a model that chats, which reads the beginning of each text."""

    def __init__(self, access: ModelAccess) -> None:
        super().__init__(access)
        self.name = access.role.model

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        beginnings = [shorten(text, _MOST_OF_A_TEXT) for text in texts]
        visible_texts = first_within(beginnings, _RANKED_TOKENS, estimate_tokens)
        prompt = render_prompt(
            "N5_rank", question=shorten(query, _MOST_OF_A_TEXT), texts=visible_texts
        )
        ranking = await self.fill(prompt, RankedPassages)
        indexes = (number - 1 for number in ranking.ranking if 0 < number <= len(visible_texts))
        return list(dict.fromkeys(indexes))


class OpenAIShaper(OpenAIFormModel):
    """Implements `Shaper`."""

    async def shape(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """See `Shaper.shape`."""
        attributes = {"wanted": schema, "__doc__": ShapedOutput.__doc__}
        form: type[ShapedOutput] = type("Answer", (ShapedOutput,), attributes)
        output = await self.fill(prompt, form)
        return output.model_extra or {}
