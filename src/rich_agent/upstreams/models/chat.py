"""The chat model, which writes answers and summaries, and calls tools."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

import openai
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from rich_agent.domain.answer.loops import LoopWatch
from rich_agent.domain.text import clean_text
from rich_agent.errors import (
    BrokenAnswerError,
    EarlyEndError,
    EmptyCompletionError,
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.models import GrowingCall, ModelPiece, Prompt
from rich_agent.upstreams.servers.access import ModelAccess
from rich_agent.upstreams.servers.chat_client import open_chat_client
from rich_agent.upstreams.servers.continuation import ContinuationJoin, ask_to_continue
from rich_agent.upstreams.servers.messages import Ending, ending_of, refusal_in, thought_in
from rich_agent.upstreams.servers.openai_errors import translate_openai_errors
from rich_agent.upstreams.servers.refusals import is_about_form
from rich_agent.upstreams.servers.tool_calls import (
    ProseCallReader,
    ToolCallReader,
    function_of,
    in_words,
    round_messages,
)

MOST_CONTINUATIONS = 4
"""Automatic continuations of an answer that runs out of tokens; then the user decides."""
_SUMMARY_TOKENS = 2_000


def to_messages(prompt: Prompt) -> list[BaseMessage]:
    """The prompt as messages: instructions, history, question."""
    history = [
        AIMessage(text) if role == "assistant" else HumanMessage(text)
        for role, text in prompt.history
    ]
    return [
        SystemMessage(prompt.system),
        *history,
        HumanMessage(prompt.user),
        *(message for one in prompt.rounds for message in round_messages(one)),
    ]


@dataclass(slots=True)
class AnswerSoFar:
    """The answer so far over all calls."""

    text: str = ""
    refusal: str = ""
    ending: Ending | None = None
    calls: ToolCallReader = field(default_factory=ToolCallReader)
    repeats: LoopWatch = field(default_factory=LoopWatch)
    thought_repeats: LoopWatch = field(default_factory=LoopWatch)

    def grow(self, piece: str, thought: str) -> None:
        """Take new text, and a new thought.

        Raises: EarlyEndError once one of them repeats itself without end.
        """
        self.text += piece
        if self.thought_repeats.feed(thought) is not None:
            raise EarlyEndError("model", "repeated")
        if (kept := self.repeats.feed(piece)) is not None:
            raise EarlyEndError("model", "repeated", kept=kept)


class OpenAIChatModel:
    """Implements `ChatModel`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_chat_client(access)

    async def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        said = AnswerSoFar()
        if prompt.tools and self._takes_no_tools:
            prompt = in_words(prompt)
        prose = ProseCallReader(frozenset(tool.name for tool in prompt.tools))
        try:
            async for piece in self._call(prompt, said):
                yield prose.feed(piece) if isinstance(piece, str) else piece
        except (UpstreamRefusedError, UpstreamUnavailableError) as error:
            # llama.cpp refuses tools with a 500.
            if not self._refuses_tools(prompt, error):
                raise
            self._client.capabilities.refuses_tools = True
            prompt = in_words(prompt)
            async for piece in self._call(prompt, said):
                yield prose.feed(piece) if isinstance(piece, str) else piece
        calls = said.calls.read() or prose.read()
        if calls and prompt.tools:
            _ending(said)
            for call in calls:
                yield call
            return
        if rest := prose.rest():
            yield rest
        async for piece in self._continued(prompt, said):
            yield piece
        _check(said)

    async def _continued(self, prompt: Prompt, said: AnswerSoFar) -> AsyncIterator[str]:
        """The rest of an answer whose tokens ran out."""
        for _ in range(MOST_CONTINUATIONS):
            if said.ending != "length" or not said.text.strip():
                return
            join = ContinuationJoin(said.text)
            wish = replace(ask_to_continue(prompt, said.text), tools=(), rounds=())
            try:
                async for piece in self._call(wish, said, join):
                    if isinstance(piece, str):
                        yield piece
            except UpstreamError as error:
                if isinstance(error, EarlyEndError) and error.reason == "repeated":
                    raise
                raise EarlyEndError("model", "length") from error
            if join.is_lost:
                said.ending = "length"
                return

    @property
    def _takes_no_tools(self) -> bool:
        known = self._client.capabilities
        return known.refuses_tools or known.has_two_roles

    def _refuses_tools(self, prompt: Prompt, error: UpstreamError) -> bool:
        cause = error.__cause__
        is_form = isinstance(cause, openai.APIStatusError) and is_about_form(cause)
        return bool(prompt.tools) and is_form and not self._takes_no_tools

    async def _call(
        self, prompt: Prompt, said: AnswerSoFar, join: ContinuationJoin | None = None
    ) -> AsyncIterator[str | GrowingCall]:
        said.ending = None
        tools = () if self._takes_no_tools else prompt.tools
        offered: dict[str, Any] = {"tools": [function_of(tool) for tool in tools]} if tools else {}
        try:
            with translate_openai_errors("model", self._access.role):
                asked = to_messages(prompt)
                most = prompt.most_tokens
                async for chunk in self._client.pieces(asked, most_tokens=most, **offered):
                    grown = list(said.calls.feed(chunk))
                    said.refusal += refusal_in(chunk)
                    said.ending = said.ending or ending_of(chunk)
                    text = str(chunk.text)
                    piece = join.feed(text) if join else text
                    said.grow(piece, thought := thought_in(chunk))
                    if piece or text or thought or chunk.tool_call_chunks:
                        yield piece
                    for call in grown:
                        yield call
                    # Pieces that have arrived are read without waiting: others come to work here.
                    await asyncio.sleep(0)
        except (UpstreamUnavailableError, UpstreamTimeoutError) as error:
            if said.text:
                raise BrokenAnswerError("model", f"the answer broke off ({error})") from error
            raise
        if join and (rest := join.finish()):
            said.text += rest
            yield rest


def _ending(said: AnswerSoFar) -> Ending:
    """The ending of the reply. Raises: BrokenAnswerError if it did not come to an end."""
    if said.ending is None or said.ending == "broken":
        raise BrokenAnswerError("model", "the answer broke off before its end")
    return said.ending


def _check(said: AnswerSoFar) -> None:
    """Raises: BrokenAnswerError, EmptyCompletionError, EarlyEndError if it is not whole."""
    ending = _ending(said)
    if said.refusal:
        raise EarlyEndError("model", "refused", said.refusal)
    if ending == "length" and not said.text.strip():
        raise EmptyCompletionError(
            "model",
            "its answer is empty: it used up its tokens before its first word",
            hint="Allow it more tokens, or less reasoning, in CHAT_PARAMETERS.",
        )
    if ending != "whole":
        raise EarlyEndError("model", ending)


class OpenAISummarizer:
    """Implements `Summarizer`."""

    def __init__(self, access: ModelAccess) -> None:
        self._access = access
        self._client = open_chat_client(access)

    async def summarize(self, prompt: Prompt) -> str:
        with translate_openai_errors("model", self._access.role):
            asked = to_messages(prompt)
            reply = await self._client.ainvoke(asked, most_tokens=_SUMMARY_TOKENS)
        if (ending := ending_of(reply)) not in {None, "whole"}:
            raise BrokenAnswerError("model", f"the summary is incomplete ({ending})")
        summary = clean_text(str(reply.text)).strip()
        if not summary:
            raise EmptyCompletionError("model", "the summary was empty")
        return summary
