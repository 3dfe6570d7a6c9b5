"""Which of several numbered texts are meant, by structured output of a chat model."""

from pydantic import BaseModel, Field, field_validator

from rich_agent.ports.upstreams import Prompt
from rich_agent.upstreams.access import ModelAccess
from rich_agent.upstreams.chat import to_messages
from rich_agent.upstreams.metered_chat import open_metered
from rich_agent.upstreams.openai_errors import translate_openai_errors
from rich_agent.upstreams.structured import ask_structured


class ChosenEntries(BaseModel):
    """The entries that are meant."""

    numbers: list[int] = Field(description="The numbers of the entries; empty for none.")

    @field_validator("numbers", mode="before")
    @classmethod
    def _take_one_number(cls, value: object) -> object:
        """Small models write one number without a list, and null for none."""
        if value is None:
            return []
        return value if isinstance(value, list) else [value]


class OpenAIChooser:
    """Implements `Chooser`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_metered(access)

    async def choose(self, prompt: Prompt) -> frozenset[int]:
        """See `Chooser.choose`."""
        with translate_openai_errors("model", self._access.role):
            found = await ask_structured(
                self._client, to_messages(prompt), ChosenEntries, repairs=1
            )
        return frozenset(found.numbers)
