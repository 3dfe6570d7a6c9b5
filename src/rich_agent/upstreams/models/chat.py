"""The chat model, which writes answers and summaries."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rich_agent.domain.text import clean_text
from rich_agent.errors import (
    BrokenAnswerError,
    EarlyEndError,
    EmptyCompletionError,
    UpstreamError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.models import Prompt
from rich_agent.upstreams.servers.access import ModelAccess
from rich_agent.upstreams.servers.chat_client import open_chat_client
from rich_agent.upstreams.servers.continuation import ContinuationJoin, ask_to_continue
from rich_agent.upstreams.servers.messages import Ending, ending_of, refusal_in, thought_in
from rich_agent.upstreams.servers.openai_errors import translate_openai_errors

MOST_CONTINUATIONS = 4
"""Automatic continuations of an answer that runs out of tokens; then the user decides."""


def to_messages(prompt: Prompt) -> list[BaseMessage]:
    """The prompt as messages: instructions, history, question."""
    history = [
        AIMessage(text) if role == "assistant" else HumanMessage(text)
        for role, text in prompt.history
    ]
    return [SystemMessage(prompt.system), *history, HumanMessage(prompt.user)]


@dataclass(slots=True)
class AnswerSoFar:
    """The answer so far over all calls."""

    text: str = ""
    refusal: str = ""
    ending: Ending | None = None


class OpenAIChatModel:
    """Implements `ChatModel`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_chat_client(access)

    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        said = AnswerSoFar()
        async for piece in self._call(prompt, said):
            yield piece
        for _ in range(MOST_CONTINUATIONS):
            if said.ending != "length" or not said.text.strip():
                break
            join = ContinuationJoin(said.text)
            try:
                async for piece in self._call(ask_to_continue(prompt, said.text), said, join):
                    yield piece
            except UpstreamError as error:
                raise EarlyEndError("model", "length") from error
            if join.is_lost:
                said.ending = "length"
                break
        _check(said)

    async def _call(
        self, prompt: Prompt, said: AnswerSoFar, join: ContinuationJoin | None = None
    ) -> AsyncIterator[str]:
        said.ending = None
        try:
            with translate_openai_errors("model", self._access.role):
                async for chunk in self._client.astream(to_messages(prompt)):
                    said.refusal += refusal_in(chunk)
                    said.ending = said.ending or ending_of(chunk)
                    text = str(chunk.text)
                    piece = join.feed(text) if join else text
                    said.text += piece
                    if piece or text or thought_in(chunk):
                        yield piece
        except (UpstreamUnavailableError, UpstreamTimeoutError) as error:
            if said.text:
                raise BrokenAnswerError("model", f"the answer broke off ({error})") from error
            raise
        if join and (rest := join.finish()):
            said.text += rest
            yield rest


def _check(said: AnswerSoFar) -> None:
    """Raises: BrokenAnswerError, EmptyCompletionError, EarlyEndError if it is incomplete."""
    if said.ending is None or said.ending == "broken":
        raise BrokenAnswerError("model", "the answer broke off before its end")
    if said.refusal:
        raise EarlyEndError("model", "refused", said.refusal)
    if said.ending == "length" and not said.text.strip():
        raise EmptyCompletionError(
            "model",
            "its answer is empty: it used up its tokens before its first word",
            mend="Allow it more tokens, or less reasoning, in CHAT_PARAMETERS.",
        )
    if said.ending != "whole":
        raise EarlyEndError("model", said.ending)


class OpenAISummarizer:
    """Implements `Summarizer`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_chat_client(access)

    async def summarize(self, prompt: Prompt) -> str:
        with translate_openai_errors("model", self._access.role):
            reply = await self._client.ainvoke(to_messages(prompt))
        if (ending := ending_of(reply)) not in {None, "whole"}:
            raise BrokenAnswerError("model", f"the summary is incomplete ({ending})")
        summary = clean_text(str(reply.text)).strip()
        if not summary:
            raise EmptyCompletionError("model", "the summary was empty")
        return summary
