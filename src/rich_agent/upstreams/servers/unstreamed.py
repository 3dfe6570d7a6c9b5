"""Reads the answer of a server or proxy that sends one JSON object where a stream was asked for."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import openai
from openai.resources.chat.completions import AsyncCompletions


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
