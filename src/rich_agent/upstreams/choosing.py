"""Which of several numbered texts are meant, or unsupported, by structured output of a model."""

from pydantic import Field

from rich_agent.domain.grounding import Opinion
from rich_agent.ports.upstreams import Prompt
from rich_agent.upstreams.access import ModelAccess
from rich_agent.upstreams.chat import to_messages
from rich_agent.upstreams.metered_chat import open_metered
from rich_agent.upstreams.model_output import ModelOutput
from rich_agent.upstreams.openai_errors import translate_openai_errors
from rich_agent.upstreams.structured import ask_structured


class ChosenEntries(ModelOutput):
    """The entries that are meant."""

    numbers: list[int] = Field(
        default_factory=list, description="The numbers of the entries; empty for none."
    )


class CheckedSentences(ModelOutput):
    """The sentences that state something which no passage says."""

    unsupported: list[int] = Field(
        default_factory=list, description="The numbers of the sentences; empty for none."
    )
    nothing_found: bool = Field(
        default=False,
        description="Whether the sentences only say that the passages hold no answer.",
    )


class OpenAIChooser:
    """Implements `Chooser`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_metered(access)

    async def choose(self, prompt: Prompt) -> frozenset[int]:
        """See `Chooser.choose`."""
        with translate_openai_errors("model", self._access.role):
            found = await ask_structured(self._client, to_messages(prompt), ChosenEntries)
        return frozenset(found.numbers)

    async def check(self, prompt: Prompt) -> Opinion:
        """See `Chooser.check`."""
        with translate_openai_errors("model", self._access.role):
            found = await ask_structured(self._client, to_messages(prompt), CheckedSentences)
        return Opinion(frozenset(found.unsupported), found.nothing_found)
