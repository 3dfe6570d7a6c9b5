"""Reads the replies of a chat client: separates thoughts from text, and notices their ending."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import openai
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk
from openai.resources.chat.completions import AsyncCompletions

from rich_agent.upstreams.servers.call_pieces import ReplyPiece
from rich_agent.upstreams.servers.messages import (
    Ending,
    ending_of,
    read_message,
    thought_in,
    told_ending,
)
from rich_agent.upstreams.servers.reasoning import ThinkingFilter


@dataclass(slots=True)
class StreamSoFar:
    """The part of a stream that has come: its thoughts, whether text or calls, and how it ended."""

    thinking: ThinkingFilter = field(default_factory=ThinkingFilter)
    is_begun: bool = False
    is_said: bool = False
    ending: Ending | None = None

    @property
    def is_spent(self) -> bool:
        """Whether its tokens ran out before its first word."""
        return self.ending == "length" and not self.is_said

    def _grow(self, message: BaseMessage) -> None:
        has_calls = isinstance(message, AIMessageChunk) and bool(message.tool_call_chunks)
        self.is_said = self.is_said or has_calls or bool(message.text.strip())
        self.is_begun = self.is_begun or self.is_said or bool(thought_in(message))
        self.ending = self.ending or ending_of(message)

    def read(self, chunk: ChatGenerationChunk) -> ChatGenerationChunk:
        """The next piece, with only its text as content."""
        ending = told_ending(chunk.message, chunk.generation_info)
        text = self.thinking.feed(str(chunk.message.text))
        if ending:
            text += self.thinking.finish(was_cut=ending == "length")
        thought = self.thinking.new_thought()
        message = ReplyPiece.of(read_message(chunk.message, text, thought, ending))
        self._grow(message)
        return ChatGenerationChunk(message=message, generation_info=chunk.generation_info)

    def rest(self) -> ChatGenerationChunk:
        """The text that was held back, as the last piece of a stream without a mark of its end."""
        told = {"ending": "whole"}
        return ChatGenerationChunk(
            message=ReplyPiece(content=self.thinking.finish(), response_metadata=told)
        )


def read_whole(generation: ChatGeneration) -> ThinkingFilter:
    """Read a reply that was not streamed, in place; how its thoughts were marked."""
    message = generation.message
    ending = told_ending(message, generation.generation_info)
    reading = ThinkingFilter()
    text = reading.feed(str(message.text)) + reading.finish(was_cut=ending == "length")
    generation.message = read_message(message, text, reading.thought, ending)
    return reading


class StreamedCompletions:
    """The chat completions of a client, where a whole answer is a stream of one chunk.

    `on_whole` is called when one came. Everything else is the client's.
    """

    def __init__(self, completions: AsyncCompletions, on_whole: Callable[[], None]) -> None:
        self._completions = completions
        self._on_whole = on_whole

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of the client
        return getattr(self._completions, name)

    async def create(self, **asked: Any) -> Any:  # noqa: ANN401 - as the client
        """The stream, as a context. Raises: openai.APIError if the object reports an error."""
        raw = await self._completions.with_raw_response.create(**asked)
        answer = raw.http_response
        if "json" not in answer.headers.get("content-type", ""):
            return raw.parse()
        await answer.aread()
        told = answer.json()
        if error := told.get("error"):
            body = error if isinstance(error, dict) else {"message": str(error)}
            raise openai.APIError(str(body.get("message")), answer.request, body=body)
        self._on_whole()
        return _stream_of(told)


@asynccontextmanager
async def _stream_of(told: Mapping[str, Any]) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    async def chunks() -> AsyncIterator[dict[str, Any]]:
        yield {**told, "choices": [_as_delta(choice) for choice in told["choices"]]}

    yield chunks()


def _as_delta(choice: Mapping[str, Any]) -> dict[str, Any]:
    message = dict(choice.get("message") or choice.get("delta") or {})
    calls = message.get("tool_calls") or ()
    message["tool_calls"] = [{"index": place, **call} for place, call in enumerate(calls)]
    return {**choice, "delta": message}
