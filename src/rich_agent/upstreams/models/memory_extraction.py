"""Lets a model extract from a message the facts about its user that are worth storing."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import Field

from rich_agent.domain.memory.items import NOW, Holds, Topic
from rich_agent.domain.memory.kinds import MemoryKind
from rich_agent.domain.memory.merging import Action, Learned
from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.choosing import Number
from rich_agent.upstreams.models.forms import OpenAIFormModel
from rich_agent.upstreams.servers.output_shapes import ModelOutput, MostChars, MostItems

_THE_USER = frozenset({"", "user", "the user"})
_MOST_OF_A_NAME = 60


class LearnedItem(ModelOutput):
    """One thing that the message teaches, or takes back."""

    bare: ClassVar[str] = "text"

    said: Annotated[str, MostChars(400)] = Field(
        "", description="The words of the message that say it, copied."
    )
    text: Annotated[str, MostChars(400)] = Field(
        "", description="One short sentence in the user's language."
    )
    topic: Topic = Field("other", description="What it is about.")
    about: Annotated[str, MostChars(_MOST_OF_A_NAME)] = Field(
        "user", description="`user`, or whom else it is about: `wife`, `friend Bo`."
    )
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

    language: Annotated[str, MostChars(35)] = Field(
        "", description="For the topic language its code, such as `fr`."
    )


class LearnedTask(LearnedItem):
    """A task, with the day on which it is due."""

    due: Annotated[str, MostChars(10)] = Field("", description="YYYY-MM-DD, empty without a day.")


class LearnedAboutUser(ModelOutput):
    """The changes that the user's message makes to what is remembered of them."""

    facts: Annotated[list[LearnedItem], MostItems(20)] = Field(default_factory=list)
    preferences: Annotated[list[LearnedPreference], MostItems(10)] = Field(default_factory=list)
    tasks: Annotated[list[LearnedTask], MostItems(20)] = Field(default_factory=list)

    def items(self) -> tuple[Learned, ...]:
        """Return all facts, then all preferences, then all tasks."""
        return (
            *(item.learned("facts") for item in self.facts),
            *(item.learned("preferences", language=item.language) for item in self.preferences),
            *(item.learned("tasks", due=item.due) for item in self.tasks),
        )


class OpenAIMemoryExtractor(OpenAIFormModel):
    """Implements `MemoryExtractor`."""

    async def extract(self, prompt: Prompt) -> Sequence[Learned]:
        lessons = await self.fill(prompt, LearnedAboutUser)
        return lessons.items()
