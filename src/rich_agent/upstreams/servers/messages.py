"""Messages of servers in one form: reasoning, refusals and endings."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from langchain_core.messages import BaseMessage, HumanMessage, merge_message_runs

Message = TypeVar("Message", bound=BaseMessage)
Ending = Literal["whole", "length", "filtered", "refused", "broken"]
"""How a reply ended; only what is `whole` is all that the model had to say."""

# Sources: the references of OpenAI (`finish_reason`, `incomplete_details.reason`), Mistral,
# DeepSeek, Gemini and OpenRouter. Any other word is that of a whole answer.
_ENDINGS: Mapping[str, Ending] = MappingProxyType(
    {
        "length": "length",
        "max_tokens": "length",
        "model_length": "length",
        "max_output_tokens": "length",
        "content_filter": "filtered",
        "safety": "filtered",
        "recitation": "filtered",
        "prohibited_content": "filtered",
        "error": "broken",
        "abort": "broken",
        "insufficient_system_resource": "broken",
    }
)
THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking")


def ending_of(message: BaseMessage) -> Ending | None:
    """How a reply of `ChatClient` ended, None while it goes on, or if nothing said so."""
    return message.response_metadata.get("ending")


def refusal_in(message: BaseMessage) -> str:
    """The words with which the model refused, "" if it did not."""
    return str(message.additional_kwargs.get("refusal") or "")


def thought_in(message: BaseMessage) -> str:
    """What the model thought aloud; it is a sign of life and nothing to be shown."""
    return str(message.additional_kwargs.get("thought") or "")


def of_two_roles(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The messages of user and assistant in turns; the system's stand before the user's first."""
    asked = [HumanMessage(one.content) if one.type == "system" else one for one in messages]
    merged = merge_message_runs(asked, chunk_separator="\n\n")
    return [one.model_copy(update={"content": _content_of(one)}) for one in merged]


def _content_of(message: BaseMessage) -> str | list[Any]:
    """The content, whose texts are parts wherever it has parts at all."""
    if isinstance(message.content, str):
        return message.content
    parts = message.content
    return [{"type": "text", "text": one} if isinstance(one, str) else one for one in parts]


def read_message(message: Message, text: str, thought: str, ending: Ending | None) -> Message:
    """The message with its text alone as content, and what else is told of it by its name."""
    blocks = message.content if isinstance(message.content, list) else []
    told = dict(message.additional_kwargs)
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "refusal":
            told["refusal"] = block.get("refusal")
        elif isinstance(block, dict) and block.get("type") in {"reasoning", "thinking"}:
            thought += thought_text(block) or "…"
    if thought := str(told.get("thought") or "") + thought:
        told["thought"] = thought
    metadata = message.response_metadata | ({"ending": ending} if ending else {})
    return message.model_copy(
        update={"content": text, "additional_kwargs": told, "response_metadata": metadata}
    )


def told_ending(message: BaseMessage, info: Mapping[str, Any] | None) -> Ending | None:
    """How the server says that the message ended, None while it goes on."""
    told = (info or {}).get("finish_reason") or message.response_metadata.get("finish_reason")
    if message.response_metadata.get("status") == "incomplete":
        told = (message.response_metadata.get("incomplete_details") or {}).get("reason") or "length"
    elif not told and message.response_metadata.get("status") in {"failed", "cancelled"}:
        told = "error"
    elif not told and "status" in message.response_metadata:
        told = "stop"
    blocks = message.content if isinstance(message.content, list) else []
    refused = any(isinstance(one, dict) and one.get("type") == "refusal" for one in blocks)
    if told and (refused or message.additional_kwargs.get("refusal")):
        return "refused"
    return _ENDINGS.get(str(told).lower(), "whole") if told else None


def thought_text(thought: Any) -> str:  # noqa: ANN401 - a text, or blocks of any server's shape
    """The text in a thought, however deep it lies."""
    if isinstance(thought, str):
        return thought
    if isinstance(thought, Mapping):
        return "".join(thought_text(thought.get(key)) for key in ("text", "thinking", "summary"))
    return "".join(map(thought_text, thought)) if isinstance(thought, list) else ""
