"""Chat completions of a server, whole or as a stream, even if it streams nothing.

Bodies are posted as they are. The client's own method compares every field of every message with
its types first, which takes longer than the whole request.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final

import openai
from openai.types.chat import ChatCompletion

from rich_agent.upstreams.servers.stream_chunks import join_chunks

_PATH: Final = "/chat/completions"
_OPTIONS: Final[Mapping[str, str]] = {
    "extra_headers": "headers",
    "extra_query": "params",
    "extra_body": "extra_json",
    "timeout": "timeout",
}
"""The options of a request, by the names of the parameters of the client's own method."""


class ChatCompletions:
    """The chat completions of a client.

    `on_whole`: called when the server sent a whole answer where a stream was asked for.
    """

    def __init__(self, client: openai.AsyncOpenAI, on_whole: Callable[[], None]) -> None:
        self._client = client
        self._on_whole = on_whole

    async def whole(self, parameters: Mapping[str, Any]) -> ChatCompletion:
        """A whole answer. Raises: openai.OpenAIError."""
        body, options = _body_and_options(parameters)
        return await self._client.post(_PATH, cast_to=ChatCompletion, body=body, options=options)

    async def create(
        self,
        **parameters: Any,  # noqa: ANN401 - as the client
    ) -> AbstractAsyncContextManager[AsyncIterator[dict[str, Any]]]:
        """A stream of the server's own JSON; a whole answer becomes a stream of one chunk.

        LangChain reads JSON, and would convert the client's objects back into it.

        Raises: openai.APIError, also if the server's object reports an error.
        """
        body, options = _body_and_options(parameters)
        stream = await self._client.post(
            _PATH,
            cast_to=object,
            body=body,
            options=options,
            stream=True,
            stream_cls=openai.AsyncStream[object],
        )
        answer = stream.response
        if "json" not in answer.headers.get("content-type", ""):
            return join_chunks(stream)
        await answer.aread()
        content = answer.json()
        if error := content.get("error"):
            body = error if isinstance(error, dict) else {"message": str(error)}
            raise openai.APIError(str(body.get("message")), answer.request, body=body)
        self._on_whole()
        return _stream_of(content)


def _body_and_options(
    parameters: Mapping[str, Any],
) -> tuple[dict[str, Any], Any]:
    """The body and the options of a request with these parameters."""
    body = {name: value for name, value in parameters.items() if name not in _OPTIONS}
    options = {_OPTIONS[name]: parameters[name] for name in parameters.keys() & _OPTIONS.keys()}
    return body, options


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
