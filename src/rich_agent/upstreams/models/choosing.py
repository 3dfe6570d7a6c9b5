"""Has a model choose among texts, check sentences, shape an answer or extract what was learned."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, model_validator

from rich_agent.domain.answer.grounding import Opinion
from rich_agent.domain.budget import first_within
from rich_agent.domain.memory.items import NOW, Holds, MemoryKind, Topic
from rich_agent.domain.memory.merging import Action, Learned
from rich_agent.domain.text import estimate_tokens, shorten
from rich_agent.ports.models import Prompt
from rich_agent.prompts import render_prompt
from rich_agent.upstreams.models.chat import to_messages
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.output_shapes import ModelOutput, ShapedOutput
from rich_agent.upstreams.servers.structured import StructuredModel

_MOST_OF_A_TEXT = 500
_RANKED_TOKENS = 3_000
"""For all passages together, so that they fit into the window of a small server."""


class ChosenEntries(ModelOutput):
    """The entries that are meant."""

    numbers: list[int] = Field(
        default_factory=list, description="The numbers of the entries; empty for none."
    )


class ComparedSentence(ModelOutput):
    """A sentence, and the passages that say it or deny it."""

    sentence: int
    passages: list[int] = Field(default_factory=list, description="The numbers of the passages.")

    @model_validator(mode="before")
    @classmethod
    def _read_number(cls, value: object) -> object:
        """Small models write the number alone."""
        return {"sentence": value} if isinstance(value, int) else value


class CheckedSentences(ModelOutput):
    """The check of each sentence against the passages; its number stands in one of the lists."""

    supported: list[ComparedSentence] = Field(
        default_factory=list, description="The sentences that passages say."
    )
    contradicted: list[ComparedSentence] = Field(
        default_factory=list, description="The sentences of which passages say the opposite."
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
        """Convert to the domain type."""
        return Opinion(
            {one.sentence: tuple(one.passages) for one in self.supported},
            frozenset(self.unsupported),
            frozenset(self.no_answer),
            frozenset(self.no_claim),
            {one.sentence: tuple(one.passages) for one in self.contradicted},
        )


class OpenAIChooser(StructuredModel):
    """Implements `Chooser`."""

    async def choose(self, prompt: Prompt) -> frozenset[int]:
        choice = await self.ask(to_messages(prompt), ChosenEntries)
        return frozenset(choice.numbers)

    async def check(self, prompt: Prompt) -> Opinion:
        return (await self.ask(to_messages(prompt), CheckedSentences)).to_opinion()


class RankedPassages(ModelOutput):
    """The passages that help, in order."""

    ranking: list[int] = Field(
        default_factory=list,
        description="The numbers of the passages that help, the most helpful first.",
    )


class RankingByModel(StructuredModel):
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
        ranking = await self.ask(to_messages(prompt), RankedPassages)
        places = (number - 1 for number in ranking.ranking if 0 < number <= len(visible_texts))
        return list(dict.fromkeys(places))


class OpenAIShaper(StructuredModel):
    """Implements `Shaper`."""

    async def shape(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """See `Shaper.shape`."""
        own = {"wanted": schema, "__doc__": ShapedOutput.__doc__}
        form: type[ShapedOutput] = type("Answer", (ShapedOutput,), own)
        output = await self.ask(to_messages(prompt), form)
        return output.model_extra or {}


_THE_USER = frozenset({"", "user", "the user"})
_MOST_OF_A_NAME = 60
Number = Annotated[int, BeforeValidator(lambda told: str(told).strip(" #."))]
"""Small models write a number the way the prompt shows it: `#3`."""


class LearnedItem(ModelOutput):
    """One thing that the message teaches, or takes back."""

    bare: ClassVar[str] = "text"

    said: str = Field("", description="The words of the message that say it, copied.")
    text: str = Field("", description="One short sentence in the user's language.")
    topic: Topic = Field("other", description="What it is about.")
    about: str = Field("user", description="`user`, or whom else it is about: `wife`, `friend Bo`.")
    holds: Holds = Field(NOW, description="When it is true.")
    action: Action = Field("add", description="What becomes of the known entry `number`.")
    number: Number = Field(
        0, ge=0, le=9_999, description="The known entry that it replaces or removes, else 0."
    )

    def learned(self, kind: MemoryKind, *, due: str = "", language: str = "") -> Learned:
        """The item as a domain value."""
        about = " ".join(self.about.split())[:_MOST_OF_A_NAME]
        return Learned(
            kind,
            self.text,
            "" if self.topic == "other" else self.topic,
            self.action,
            due=due,
            about="" if about.lower() in _THE_USER else about,
            holds=self.holds,
            language=language.strip().lower().split("-")[0],
            number=self.number,
            said=self.said,
        )


class LearnedPreference(LearnedItem):
    """A preference, with the language that it asks for."""

    language: str = Field("", description="For the topic language its code, such as `fr`.")


class LearnedTask(LearnedItem):
    """A task, with the day on which it is due."""

    due: str = Field("", description="YYYY-MM-DD, empty without a day.")


class LearnedAboutUser(ModelOutput):
    """The changes that the user's message makes to what is remembered of them."""

    facts: list[LearnedItem] = Field(default_factory=list)
    preferences: list[LearnedPreference] = Field(default_factory=list)
    tasks: list[LearnedTask] = Field(default_factory=list)

    def items(self) -> tuple[Learned, ...]:
        """Everything learned, by kind."""
        return (
            *(item.learned("facts") for item in self.facts),
            *(item.learned("preferences", language=item.language) for item in self.preferences),
            *(item.learned("tasks", due=item.due) for item in self.tasks),
        )


class OpenAIMemoryExtractor(StructuredModel):
    """Implements `MemoryExtractor`."""

    async def extract(self, prompt: Prompt) -> Sequence[Learned]:
        lessons = await self.ask(to_messages(prompt), LearnedAboutUser)
        return lessons.items()
