"""Brings the messages of servers into one form: reasoning, refusals and endings."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar

from langchain_core.messages import BaseMessage, HumanMessage, merge_message_runs

Message = TypeVar("Message", bound=BaseMessage)
Ending = Literal["whole", "length", "filtered", "refused", "broken"]
"""How a reply ended; only a `whole` one is complete."""

# Sources: the references of OpenAI (`finish_reason`, `incomplete_details.reason`), Mistral,
# DeepSeek, Gemini and OpenRouter. Any other word means a complete answer.
_ENDINGS: Mapping[str, Ending] = {
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
_THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking")


def ending_of(message: BaseMessage) -> Ending | None:
    """The ending of a reply of `ChatClient`, None while it continues or if it is not known."""
    return message.response_metadata.get("ending")


def refusal_in(message: BaseMessage) -> str:
    """The model's words of refusal, "" if it did not refuse."""
    return str(message.additional_kwargs.get("refusal") or "")


def thought_in(message: BaseMessage) -> str:
    """The model's visible reasoning; a sign of progress that is never shown to users."""
    return str(message.additional_kwargs.get("thought") or "")


def told_beside(chunk: Mapping[str, Any]) -> dict[str, str]:
    """The reasoning and the refusal of a streamed piece, which LangChain drops."""
    choices = chunk.get("choices")
    delta = (choices[0].get("delta") if choices else None) or {}
    thought = next(filter(None, map(delta.get, _THOUGHT_FIELDS)), "")
    told = {"thought": thought_text(thought), "refusal": delta.get("refusal")}
    return {name: one for name, one in told.items() if one}


def of_two_roles(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The messages with two alternating roles; system messages become part of the user's."""
    asked = [HumanMessage(one.content) if one.type == "system" else one for one in messages]
    merged = merge_message_runs(asked, chunk_separator="\n\n")
    return [one.model_copy(update={"content": _content_of(one)}) for one in merged]


def _content_of(message: BaseMessage) -> str | list[Any]:
    """The content; if it is a list, its strings become text parts."""
    if isinstance(message.content, str):
        return message.content
    parts = message.content
    return [{"type": "text", "text": one} if isinstance(one, str) else one for one in parts]


def read_message(message: Message, text: str, thought: str, ending: Ending | None) -> Message:
    """The message with only its text as content; thought and ending become named fields."""
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
    """The ending that the server reports, None while the message continues."""
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
    """All text in a thought, at any depth."""
    if isinstance(thought, str):
        return thought
    if isinstance(thought, Mapping):
        return "".join(thought_text(thought.get(key)) for key in ("text", "thinking", "summary"))
    return "".join(map(thought_text, thought)) if isinstance(thought, list) else ""
