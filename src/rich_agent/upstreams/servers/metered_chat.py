"""A chat model of LangChain that sends what its server takes, and charges each call to its turn."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from inspect import signature
from itertools import takewhile
from typing import Any, Final

import httpx2
import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from openai.resources.chat.completions import AsyncCompletions
from openai.resources.responses import AsyncResponses
from openai.types.chat import ChatCompletion
from pydantic import PrivateAttr, SecretStr
from typing_extensions import override

from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.usage.usage import Call
from rich_agent.runtime.metering import Receipt, charged
from rich_agent.upstreams.servers.access import ModelAccess
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities
from rich_agent.upstreams.servers.refusals import OmittedParameters
from rich_agent.upstreams.servers.served_chat import ServedChatOpenAI, thought_in

_COMPLETION_FIELDS: Final = frozenset(signature(AsyncCompletions.create).parameters)
_RESPONSE_FIELDS: Final = frozenset(signature(AsyncResponses.create).parameters)

_CONNECT_S = 10.0
IMAGE_TOKENS = 1_000
"""Estimated for an image: OpenAI counts 85 to about 1,500, by its size and the model."""


class MeteredChatOpenAI(ServedChatOpenAI):
    """Sends the parameters of its role, without those that its server refuses."""

    _access: ModelAccess = PrivateAttr()

    @property
    def capabilities(self) -> LearnedCapabilities:
        """What is known of the model."""
        return self._access.capabilities

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        omitted = await self._omissions()
        async with _charged(self.model_name, messages, kwargs) as receipt:
            while True:
                try:
                    result = await super()._agenerate(
                        messages, stop, run_manager, omitted=omitted.names, **kwargs
                    )
                except openai.APIStatusError as error:
                    omitted.add(error)
                else:
                    break
            for generation in result.generations:
                receipt.wrote(_written(generation.message))
                _report(generation.message, receipt)
            await self.capabilities.lack(omitted.names, self._access.role)
            return result

    @override
    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        omitted = await self._omissions()
        async with _charged(self.model_name, messages, kwargs) as receipt:
            while True:
                try:
                    async for chunk in super()._astream(
                        messages, *args, omitted=omitted.names, **kwargs
                    ):
                        await self.capabilities.lack(omitted.names, self._access.role)
                        receipt.wrote(_written(chunk.message))
                        _report(chunk.message, receipt)
                        yield chunk
                except openai.APIStatusError as error:  # it comes before the first chunk
                    omitted.add(error)
                else:
                    return

    async def _omissions(self) -> OmittedParameters:
        return OmittedParameters(self._access.role, (await self.capabilities.known()).refused)

    @override
    def _get_request_payload(
        self,
        input_: LanguageModelInput,
        *,
        stop: list[str] | None = None,
        omitted: frozenset[str] = frozenset(),
        **kwargs: Any,
    ) -> dict[str, Any]:
        wanted = {**self._access.role.parameters, **kwargs}
        payload = super()._get_request_payload(input_, stop=stop, **wanted)
        if "messages" not in payload:  # the Responses API has names of its own
            return _sendable(payload, omitted, _RESPONSE_FIELDS)
        most = payload.pop("max_completion_tokens", None)
        names = ("max_tokens", "max_completion_tokens")
        written = sorted(names, key=lambda name: name not in wanted)
        if most and (name := next((one for one in written if one not in omitted), None)):
            payload[name] = most
        return _sendable(payload, omitted, _COMPLETION_FIELDS)

    @override
    def _create_chat_result(
        self,
        response: dict[str, Any] | openai.BaseModel,
        generation_info: dict[str, Any] | None = None,
    ) -> ChatResult:
        if isinstance(response, ChatCompletion):
            _write_arguments(response)
        return super()._create_chat_result(response, generation_info)


def open_metered(access: ModelAccess) -> MeteredChatOpenAI:
    """A client for the model of a role; it does not retry by itself, and charges what it uses."""
    client = MeteredChatOpenAI(
        model=access.role.model,
        base_url=access.role.base_url,
        api_key=SecretStr(access.role.api_key),
        timeout=httpx2.Timeout(access.role.timeout_s, connect=_CONNECT_S),
        max_retries=0,
        stream_usage=True,
        # How long a model may think is for the caller to say.
        stream_chunk_timeout=None,
        http_async_client=access.http,
    )
    client.has_quirks(access.capabilities.quirks)
    client._access = access  # noqa: SLF001 - pydantic takes no private attribute
    return client


def _sendable(
    payload: Mapping[str, Any], omitted: frozenset[str], fields: frozenset[str]
) -> dict[str, Any]:
    """The payload for a client that knows `fields`; the others go along as they are.

    `response_format` too: the client would read the answer by it, and fail where it does not fit.
    """
    kept = {name: value for name, value in payload.items() if name not in omitted}
    others = (kept.keys() - fields) | (kept.keys() & {"response_format"})
    extra = {name: kept.pop(name) for name in others}
    return {**kept, "extra_body": extra} if extra else kept


def _write_arguments(completion: ChatCompletion) -> None:
    """Older versions of Ollama send the arguments of a tool as an object, not as its text."""
    for choice in completion.choices or ():  # none in an answer that reports an error
        for call in choice.message.tool_calls or ():
            function = getattr(call, "function", None)
            if function and not isinstance(function.arguments, str):
                function.arguments = json.dumps(function.arguments)


@asynccontextmanager
async def _charged(
    model: str, messages: Sequence[BaseMessage], options: dict[str, Any]
) -> AsyncIterator[Receipt]:
    """Charge a call; one that the server refused, or that failed before its first word, is free.

    An image that the model has answered to before, as when its output is repaired, was counted
    then: only its tokens are used again.
    """
    images = sum(_images_in(message) for message in messages)
    unanswered = takewhile(lambda message: not isinstance(message, AIMessage), reversed(messages))
    form = [options.get("tools", ""), options.get("response_format", "")]
    tools = json.dumps(form, ensure_ascii=False, default=str)
    tokens = sum(estimate_tokens(str(message.text)) for message in messages)
    call = Call(
        "vision" if images else "text",
        model,
        tokens=tokens + estimate_tokens(tools) + images * IMAGE_TOKENS,
        images=sum(map(_images_in, unanswered)),
    )
    async with charged(call) as receipt:
        try:
            yield receipt
        except openai.APITimeoutError:
            receipt.go_unanswered()
            raise
        except openai.APIError:
            if not receipt.usage.output_tokens:
                receipt.refuse()
            raise


def _report(message: BaseMessage, receipt: Receipt) -> None:
    told = message.usage_metadata if isinstance(message, AIMessage) else None
    if told:
        receipt.report(
            read=told["input_tokens"],
            written=told["output_tokens"],
            cached=told.get("input_token_details", {}).get("cache_read", 0),
        )


def _written(message: BaseMessage) -> str:
    """What the model thought and wrote, the arguments of tools too."""
    calls = (
        [*message.tool_calls, *message.invalid_tool_calls] if isinstance(message, AIMessage) else []
    )
    said = thought_in(message) + str(message.text)
    return said + "".join(json.dumps(call["args"]) for call in calls)


def _images_in(message: BaseMessage) -> int:
    parts = message.content if isinstance(message.content, list) else ()
    return sum(isinstance(part, dict) and part.get("type") == "image_url" for part in parts)
