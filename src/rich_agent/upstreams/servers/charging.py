"""Charges a chat model's call to its turn, by estimate until the server reports the use."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import takewhile
from typing import Any

import openai
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.usage.usage import Call
from rich_agent.runtime.metering import Receipt, charged
from rich_agent.upstreams.servers.messages import thought_in

IMAGE_TOKENS = 1_000
"""Estimated tokens of an image; OpenAI counts 85 to about 1,500, by size and model."""


@asynccontextmanager
async def charged_chat(
    model: str, messages: Sequence[BaseMessage], options: dict[str, Any]
) -> AsyncIterator[Receipt]:
    """Charge a call, unless the server refused it or it failed before its first word.

    When output is repaired, the image is not counted again, only its tokens.
    """
    images = sum(map(_images_in, messages))
    unanswered = takewhile(lambda message: not isinstance(message, AIMessage), reversed(messages))
    form = [options.get("tools", ""), options.get("response_format", "")]
    form_tokens = estimate_tokens(json.dumps(form, ensure_ascii=False, default=str))
    call = Call(
        "vision" if images else "text",
        model,
        tokens=prompt_tokens(messages) + form_tokens,
        form_tokens=form_tokens,
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


def prompt_tokens(messages: Sequence[BaseMessage]) -> int:
    """The estimated tokens of messages, without the form that an answer is to have."""
    texts = sum(estimate_tokens(str(message.text)) for message in messages)
    return texts + sum(map(_images_in, messages)) * IMAGE_TOKENS


def count_message(message: BaseMessage, receipt: Receipt) -> None:
    """Count the model's thoughts, text and tool arguments, or the usage that it reports."""
    written = thought_in(message) + str(message.text)
    if isinstance(message, AIMessageChunk):
        written += "".join(call["args"] or "" for call in message.tool_call_chunks)
    elif isinstance(message, AIMessage):
        calls = [*message.tool_calls, *message.invalid_tool_calls]
        written += "".join(json.dumps(call["args"]) for call in calls)
    receipt.wrote(written)
    if isinstance(message, AIMessage) and (told := message.usage_metadata):
        receipt.report(
            read=told["input_tokens"],
            written=told["output_tokens"],
            cached=told.get("input_token_details", {}).get("cache_read", 0),
        )


def _images_in(message: BaseMessage) -> int:
    parts = message.content if isinstance(message.content, list) else ()
    return sum(isinstance(part, dict) and part.get("type") == "image_url" for part in parts)
