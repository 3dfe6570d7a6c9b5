"""Keeps LangChain from reading the arguments of a call again and again while they are streamed.

It reads those of each piece as JSON that is not finished yet, and what is no JSON once for each of
its characters: 10,000 of them hold the interpreter for more than half a second.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Self

import openai
from langchain_core.messages import AIMessageChunk, BaseMessage, ToolCallChunk
from langchain_core.messages.tool import invalid_tool_call, tool_call, tool_call_chunk
from openai.types.chat import ChatCompletion, ChatCompletionMessageFunctionToolCall
from openai.types.responses import (
    ResponseCompletedEvent,
    ResponseFunctionCallArgumentsDeltaEvent,
    ResponseIncompleteEvent,
    ResponseOutputItemAddedEvent,
    ResponseStreamEvent,
)
from pydantic import model_validator
from typing_extensions import override

_PIECE = 100
"""Characters of arguments that LangChain is given at once."""


class ReplyPiece(AIMessageChunk):
    """A piece of a reply, or its pieces joined, whose arguments are read once, as they are."""

    @classmethod
    def of(cls, message: BaseMessage) -> Self:
        """A message's fields as a piece, unread."""
        return cls.model_construct(**vars(message))

    @model_validator(mode="after")
    @override
    def init_tool_calls(self) -> Self:
        self.tool_calls, self.invalid_tool_calls = [], []
        for call in self.tool_call_chunks:
            name, told, call_id = call["name"] or "", call["args"] or "{}", call["id"]
            try:
                read = json.loads(told, strict=False)
            except (ValueError, RecursionError):
                read = None
            if isinstance(read, dict):
                self.tool_calls.append(tool_call(name=name, args=read, id=call_id))
            else:
                self.invalid_tool_calls.append(invalid_tool_call(name=name, args=told, id=call_id))
        return self


def take_calls(chunk: Mapping[str, Any]) -> list[ToolCallChunk]:
    """The pieces of calls in a chunk of chat completions, which has none afterwards."""
    choices = chunk.get("choices")
    delta = (choices[0].get("delta") if choices else None) or {}
    return [
        tool_call_chunk(
            name=function.get("name"),
            args=_as_text(function.get("arguments") or ""),
            id=call.get("id"),
            index=call.get("index"),
        )
        for call in delta.pop("tool_calls", None) or ()
        if isinstance(function := call.get("function"), dict)
    ]


def write_arguments(answer: ChatCompletion) -> None:
    """Make the arguments of its calls strings, in place."""
    for choice in answer.choices or ():  # none in an answer that reports an error
        for call in choice.message.tool_calls or ():
            if isinstance(call, ChatCompletionMessageFunctionToolCall):
                call.function.arguments = _as_text(call.function.arguments)


def _as_text(arguments: Any) -> str:  # noqa: ANN401 - JSON
    # Older versions of Ollama send the arguments of a tool as an object, not as a string.
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


class PiecewiseClient:
    """A client whose Responses API streams arguments in small pieces; else as it is."""

    def __init__(self, client: openai.AsyncOpenAI) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of the client
        return getattr(self._client, name)

    @property
    def responses(self) -> "_PiecewiseResponses":
        """The Responses API."""
        return _PiecewiseResponses(self._client.responses)


class _PiecewiseResponses:
    def __init__(self, responses: Any) -> None:  # noqa: ANN401 - of the client
        self._responses = responses

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of the client
        return getattr(self._responses, name)

    async def create(self, **asked: Any) -> Any:  # noqa: ANN401 - as the client
        answer = await self._responses.create(**asked)
        return _in_pieces(answer) if asked.get("stream") else answer


@asynccontextmanager
async def _in_pieces(
    stream: "openai.AsyncStream[ResponseStreamEvent]",
) -> AsyncIterator[AsyncIterator[ResponseStreamEvent]]:
    async with stream as events:
        yield (piece async for event in events for piece in _pieces_of(event))


def _pieces_of(event: ResponseStreamEvent) -> Iterator[ResponseStreamEvent]:
    if isinstance(event, ResponseCompletedEvent | ResponseIncompleteEvent):
        # Its calls came before, and LangChain fails with those that are nested too deeply.
        event.response.output = []
    if isinstance(event, ResponseOutputItemAddedEvent) and event.item.type == "function_call":
        told, event.item.arguments = event.item.arguments, ""
        yield event
        event = ResponseFunctionCallArgumentsDeltaEvent(
            type="response.function_call_arguments.delta",
            delta=told,
            item_id=event.item.id or "",
            output_index=event.output_index,
            sequence_number=event.sequence_number,
        )
    if not isinstance(event, ResponseFunctionCallArgumentsDeltaEvent):
        yield event
        return
    for at in range(0, len(event.delta), _PIECE):
        yield event.model_copy(update={"delta": event.delta[at : at + _PIECE]})
