"""What a message teaches about its writer, read by a model as structured output."""

from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel, Field, model_validator

from rich_agent.domain.memory import MemoryKind
from rich_agent.domain.memory_merging import Action, Learned
from rich_agent.domain.text import clean_text
from rich_agent.ports.upstreams import Prompt
from rich_agent.upstreams.access import ModelAccess
from rich_agent.upstreams.chat import to_messages
from rich_agent.upstreams.metered_chat import open_metered
from rich_agent.upstreams.openai_errors import translate_openai_errors
from rich_agent.upstreams.structured import ask_structured


class LearnedItem(BaseModel):
    """One thing that the message teaches, or takes back."""

    topic: str = Field("", description="What it is about, in one English word: residence, job.")
    text: str = Field(description="One short sentence; of what is removed, word for word.")
    action: Action = Field("add", description="Whether it replaces what is known on its topic.")

    @model_validator(mode="before")
    @classmethod
    def _take_less(cls, given: Any) -> Any:  # noqa: ANN401 - what a model wrote
        """Small models write a bare text, nulls, or an action of their own: the rest counts."""
        if isinstance(given, str):
            return {"text": given}
        if not isinstance(given, dict):
            return given
        told = {name: value for name, value in given.items() if value is not None}
        if told.get("action") not in get_args(Action):
            told.pop("action", None)
        return told

    def learned(self, kind: MemoryKind, due: str = "") -> Learned:
        """The item as the domain has it."""
        return Learned(kind, clean_text(self.text), clean_text(self.topic), self.action, due)


class LearnedTask(LearnedItem):
    """A task, with the day on which it is due."""

    due: str = Field("", description="YYYY-MM-DD, empty without a day.")


class LearnedAboutUser(BaseModel):
    """What the user's message changes in what is remembered of them."""

    facts: list[LearnedItem] = Field(default_factory=list)
    preferences: list[LearnedItem] = Field(default_factory=list)
    tasks: list[LearnedTask] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _take_null_for_none(cls, given: Any) -> Any:  # noqa: ANN401 - what a model wrote
        if not isinstance(given, dict):
            return given
        return {name: value for name, value in given.items() if value is not None}

    def items(self) -> tuple[Learned, ...]:
        """Everything learned, by kind."""
        return (
            *(item.learned("facts") for item in self.facts),
            *(item.learned("preferences") for item in self.preferences),
            *(task.learned("tasks", clean_text(task.due)) for task in self.tasks),
        )


class OpenAIMemoryExtractor:
    """Implements `MemoryExtractor`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_metered(access)

    async def extract(self, prompt: Prompt) -> Sequence[Learned]:
        """See `MemoryExtractor.extract`."""
        with translate_openai_errors("model", self._access.role):
            found = await ask_structured(self._client, to_messages(prompt), LearnedAboutUser)
        return found.items()
