"""A client whose Responses API streams the arguments of calls in small pieces."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import openai
from openai.types.responses import (
    ResponseCompletedEvent,
    ResponseFunctionCallArgumentsDeltaEvent,
    ResponseIncompleteEvent,
    ResponseOutputItemAddedEvent,
    ResponseStreamEvent,
)

_PIECE = 100
"""Characters of arguments that LangChain receives in one piece."""


class PiecewiseClient:
    """Wraps a client, so that its Responses API streams arguments in small pieces."""

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

    async def create(self, **options: Any) -> Any:  # noqa: ANN401 - as the client
        answer = await self._responses.create(**options)
        return _in_pieces(answer) if options.get("stream") else answer


@asynccontextmanager
async def _in_pieces(
    stream: "openai.AsyncStream[ResponseStreamEvent]",
) -> AsyncIterator[AsyncIterator[ResponseStreamEvent]]:
    async with stream as events:
        yield (piece async for event in events for piece in _pieces_of(event))


def _pieces_of(event: ResponseStreamEvent) -> Iterator[ResponseStreamEvent]:
    if isinstance(event, ResponseCompletedEvent | ResponseIncompleteEvent):
        # Its calls were streamed before, and LangChain fails on calls that are nested too deeply.
        event.response.output = []
    if isinstance(event, ResponseOutputItemAddedEvent) and event.item.type == "function_call":
        arguments, event.item.arguments = event.item.arguments, ""
        yield event
        event = ResponseFunctionCallArgumentsDeltaEvent(
            type="response.function_call_arguments.delta",
            delta=arguments,
            item_id=event.item.id or "",
            output_index=event.output_index,
            sequence_number=event.sequence_number,
        )
    if not isinstance(event, ResponseFunctionCallArgumentsDeltaEvent):
        yield event
        return
    for start in range(0, len(event.delta), _PIECE):
        yield event.model_copy(update={"delta": event.delta[start : start + _PIECE]})
