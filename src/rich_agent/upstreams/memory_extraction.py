"""What a message teaches about its writer, read by a model as structured output."""

from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel, Field, model_validator

from rich_agent.domain.memory import NOW, Holds, MemoryKind, Topic
from rich_agent.domain.memory_merging import Action, Learned
from rich_agent.domain.text import clean_text
from rich_agent.ports.upstreams import Prompt
from rich_agent.upstreams.access import ModelAccess
from rich_agent.upstreams.chat import to_messages
from rich_agent.upstreams.metered_chat import open_metered
from rich_agent.upstreams.openai_errors import translate_openai_errors
from rich_agent.upstreams.structured import ask_structured

_CHOICES = {"topic": get_args(Topic), "holds": get_args(Holds), "action": get_args(Action)}
_THE_USER = frozenset({"", "user", "the user"})
_MOST_OF_A_NAME = 60
_MOST_DIGITS = 4


class LearnedItem(BaseModel):
    """One thing that the message teaches, or takes back."""

    text: str = Field(description="One short sentence in the user's language.")
    topic: Topic = Field("other", description="What it is about.")
    about: str = Field("user", description="`user`, or whom else it is about: `wife`, `friend Bo`.")
    holds: Holds = Field(NOW, description="When it is true.")
    action: Action = Field("add", description="What becomes of the known entry `number`.")
    number: int = Field(0, description="The known entry that it replaces or removes, else 0.")

    @model_validator(mode="before")
    @classmethod
    def _take_less(cls, given: Any) -> Any:  # noqa: ANN401 - what a model wrote
        """Small models write a bare text, nulls, or a word of their own: the rest counts."""
        if isinstance(given, str):
            return {"text": given}
        if not isinstance(given, dict):
            return given
        plain = {name: str(told) for name, told in given.items() if isinstance(told, str | int)}
        told = {"text": "", **plain}
        for name, choices in _CHOICES.items():
            told[name] = told.get(name, "").strip().lower()
            if told[name] not in choices:
                del told[name]
        number = told.pop("number", "").strip(" #.")
        is_one = number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS
        return {**told, "number": int(number) if is_one else 0}

    def learned(self, kind: MemoryKind, *, due: str = "", language: str = "") -> Learned:
        """The item as the domain has it."""
        about = " ".join(clean_text(self.about).split())[:_MOST_OF_A_NAME]
        return Learned(
            kind,
            clean_text(self.text),
            "" if self.topic == "other" else self.topic,
            self.action,
            due=clean_text(due),
            about="" if about.lower() in _THE_USER else about,
            holds=self.holds,
            language=clean_text(language).strip().lower().split("-")[0],
            number=self.number,
        )


class LearnedPreference(LearnedItem):
    """A preference, with the language that it asks for."""

    language: str = Field("", description="For the topic language its code, such as `fr`.")


class LearnedTask(LearnedItem):
    """A task, with the day on which it is due."""

    due: str = Field("", description="YYYY-MM-DD, empty without a day.")


class LearnedAboutUser(BaseModel):
    """What the user's message changes in what is remembered of them."""

    facts: list[LearnedItem] = Field(default_factory=list)
    preferences: list[LearnedPreference] = Field(default_factory=list)
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
            *(item.learned("preferences", language=item.language) for item in self.preferences),
            *(item.learned("tasks", due=item.due) for item in self.tasks),
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
