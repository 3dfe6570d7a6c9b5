"""The chat model, which writes answers and summaries."""

from collections.abc import AsyncIterator

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rich_agent.domain.text import clean_text
from rich_agent.errors import (
    BrokenAnswerError,
    EmptyCompletionError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.upstreams import Prompt
from rich_agent.upstreams.access import ModelAccess
from rich_agent.upstreams.metered_chat import open_metered
from rich_agent.upstreams.openai_errors import translate_openai_errors


def to_messages(prompt: Prompt) -> list[BaseMessage]:
    """The prompt in the order in which a chat model reads it."""
    history = [
        AIMessage(text) if role == "assistant" else HumanMessage(text)
        for role, text in prompt.history
    ]
    return [SystemMessage(prompt.system), *history, HumanMessage(prompt.user)]


class OpenAIChatModel:
    """Implements `ChatModel`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_metered(access)

    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """See `ChatModel.stream`."""
        begun = ended = False
        try:
            with translate_openai_errors("model", self._access.role):
                async for chunk in self._client.astream(to_messages(prompt)):
                    ended = ended or bool(chunk.response_metadata.get("finish_reason"))
                    if piece := str(chunk.text):
                        begun = True
                        yield piece
        except (UpstreamUnavailableError, UpstreamTimeoutError) as error:
            if begun:
                raise BrokenAnswerError("model", f"the answer broke off ({error})") from error
            raise
        if not ended:
            raise BrokenAnswerError("model", "the answer broke off before its end")


class OpenAISummarizer:
    """Implements `Summarizer`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_metered(access)

    async def summarize(self, prompt: Prompt) -> str:
        """See `Summarizer.summarize`."""
        with translate_openai_errors("model", self._access.role):
            reply = await self._client.ainvoke(to_messages(prompt))
        summary = clean_text(str(reply.text)).strip()
        if not summary:
            raise EmptyCompletionError("model", "the summary was empty")
        return summary
