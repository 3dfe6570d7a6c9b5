"""Chat completions as a stream, even if the server answers with a whole object."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import openai
from openai.resources.chat.completions import AsyncCompletions

from rich_agent.upstreams.servers.stream_chunks import join_chunks


class StreamedCompletions:
    """Wraps a client's chat completions; a whole answer becomes a stream of one chunk.

    Chunks are the server's own JSON. LangChain reads JSON, and would convert the client's objects
    back into it.
    `on_whole`: called when the server sent a whole answer.
    """

    def __init__(self, completions: AsyncCompletions, on_whole: Callable[[], None]) -> None:
        self._completions = completions
        self._on_whole = on_whole

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of the client
        return getattr(self._completions, name)

    async def create(self, **options: Any) -> Any:  # noqa: ANN401 - as the client
        """Return the stream as a context manager.

        Raises: openai.APIError if the server's object reports an error.
        """
        raw = await self._completions.with_raw_response.create(**options)
        answer = raw.http_response
        if "json" not in answer.headers.get("content-type", ""):
            return join_chunks(raw.parse(to=openai.AsyncStream[object]))
        await answer.aread()
        content = answer.json()
        if error := content.get("error"):
            body = error if isinstance(error, dict) else {"message": str(error)}
            raise openai.APIError(str(body.get("message")), answer.request, body=body)
        self._on_whole()
        return _stream_of(content)


@asynccontextmanager
async def _stream_of(completion: Mapping[str, Any]) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    async def chunks() -> AsyncIterator[dict[str, Any]]:
        yield {**completion, "choices": [_as_delta(choice) for choice in completion["choices"]]}

    yield chunks()


def _as_delta(choice: Mapping[str, Any]) -> dict[str, Any]:
    message = dict(choice.get("message") or choice.get("delta") or {})
    calls = message.get("tool_calls") or ()
    message["tool_calls"] = [{"index": index, **call} for index, call in enumerate(calls)]
    return {**choice, "delta": message}
