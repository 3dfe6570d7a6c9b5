"""A chat model of LangChain whose every call is charged to its turn."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import takewhile
from typing import Any

import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import PrivateAttr, SecretStr
from typing_extensions import override

from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.usage import Call
from rich_agent.metering import Receipt, charged
from rich_agent.upstreams.access import ModelAccess

IMAGE_TOKENS = 1_000
"""Estimated for an image: OpenAI counts 85 to about 1,500, by its size and the model."""


class MeteredChatOpenAI(ChatOpenAI):
    """Asks servers to tell the use of a stream too, and does without where they refuse."""

    _asks_for_usage: bool = PrivateAttr(default=True)

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        async with _charged(self.model_name, messages, kwargs) as receipt:
            result = await super()._agenerate(messages, stop, run_manager, **kwargs)
            for generation in result.generations:
                receipt.wrote(_written(generation.message))
                _report(generation.message, receipt)
            return result

    @override
    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        async with _charged(self.model_name, messages, kwargs) as receipt:
            async for chunk in self._stream_with_usage((messages, *args), kwargs):
                receipt.wrote(_written(chunk.message))
                _report(chunk.message, receipt)
                yield chunk

    async def _stream_with_usage(
        self, arguments: tuple[Any, ...], options: Mapping[str, Any]
    ) -> AsyncIterator[ChatGenerationChunk]:
        if self._asks_for_usage:
            try:
                async for chunk in super()._astream(*arguments, stream_usage=True, **options):
                    yield chunk
            except openai.BadRequestError:
                # It comes before the first chunk. Whether the option was to blame, the second try
                # tells.
                pass
            else:
                return
        async for chunk in super()._astream(*arguments, stream_usage=False, **options):
            self._asks_for_usage = False
            yield chunk


def open_metered(access: ModelAccess) -> MeteredChatOpenAI:
    """A client for the model of a role; it does not retry by itself, and charges what it uses."""
    return MeteredChatOpenAI(
        model=access.role.model,
        base_url=access.role.base_url,
        api_key=SecretStr(access.role.api_key),
        timeout=access.role.timeout_s,
        max_retries=0,
        extra_body=access.role.parameters or None,
        http_async_client=access.http,
    )


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
    tools = json.dumps(options.get("tools", ""), ensure_ascii=False, default=str)
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
    """What the model wrote, the arguments of tools too."""
    calls = (
        [*message.tool_calls, *message.invalid_tool_calls] if isinstance(message, AIMessage) else []
    )
    return str(message.text) + "".join(json.dumps(call["args"]) for call in calls)


def _images_in(message: BaseMessage) -> int:
    parts = message.content if isinstance(message.content, list) else ()
    return sum(isinstance(part, dict) and part.get("type") == "image_url" for part in parts)
