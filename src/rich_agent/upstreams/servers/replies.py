"""Reads the replies of a chat client: separates thoughts from text, and names the ending."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeVar

from langchain_core.messages import (
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    ToolCallChunk,
    merge_message_runs,
)
from langchain_core.messages.tool import invalid_tool_call, tool_call, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk
from openai.types.chat import ChatCompletion, ChatCompletionMessageFunctionToolCall
from pydantic import model_validator
from typing_extensions import override

from rich_agent.upstreams.servers.reasoning import ThinkingFilter

Message = TypeVar("Message", bound=BaseMessage)
Ending = Literal["whole", "length", "filtered", "refused", "broken"]
"""The ending of a reply; only a `whole` reply is complete."""
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
    """The ending of a reply of `ChatClient`; None while the reply continues or if it is unknown."""
    return message.response_metadata.get("ending")


def refusal_in(message: BaseMessage) -> str:
    """The text of the model's refusal, "" if the model did not refuse."""
    return str(message.additional_kwargs.get("refusal") or "")


def thinking_in(message: BaseMessage) -> str:
    """The model's reasoning, if it is visible. It shows progress, and users never see it."""
    return str(message.additional_kwargs.get("thought") or "")


def dropped_fields(chunk: Mapping[str, Any]) -> dict[str, str]:
    """The reasoning and the refusal in a streamed piece; LangChain drops both."""
    choices = chunk.get("choices")
    delta = (choices[0].get("delta") if choices else None) or {}
    thinking = next(filter(None, map(delta.get, _THOUGHT_FIELDS)), "")
    fields = {"thought": thinking_text(thinking), "refusal": delta.get("refusal")}
    return {name: field_value for name, field_value in fields.items() if field_value}


def of_two_roles(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The messages with two alternating roles; system messages become part of user messages."""
    without_system = [
        HumanMessage(message.content) if message.type == "system" else message
        for message in messages
    ]
    runs = merge_message_runs(without_system, chunk_separator="\n\n")
    return [message.model_copy(update={"content": _content_of(message)}) for message in runs]


def _content_of(message: BaseMessage) -> str | list[Any]:
    """The content; if it is a list, its strings become text parts."""
    if isinstance(message.content, str):
        return message.content
    parts = message.content
    return [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]


def read_message(message: Message, text: str, thinking: str, ending: Ending | None) -> Message:
    """The message with only `text` as content; its thought and its ending become named fields."""
    blocks = message.content if isinstance(message.content, list) else []
    fields = dict(message.additional_kwargs)
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "refusal":
            fields["refusal"] = block.get("refusal")
        elif isinstance(block, dict) and block.get("type") in {"reasoning", "thinking"}:
            thinking += thinking_text(block) or "…"
    if thinking := str(fields.get("thought") or "") + thinking:
        fields["thought"] = thinking
    metadata = message.response_metadata | ({"ending": ending} if ending else {})
    return message.model_copy(
        update={"content": text, "additional_kwargs": fields, "response_metadata": metadata}
    )


def reported_ending(
    message: BaseMessage, generation_info: Mapping[str, Any] | None
) -> Ending | None:
    """The ending that the server reports, None while the message continues."""
    reason = (generation_info or {}).get("finish_reason") or message.response_metadata.get(
        "finish_reason"
    )
    if message.response_metadata.get("status") == "incomplete":
        reason = (message.response_metadata.get("incomplete_details") or {}).get(
            "reason"
        ) or "length"
    elif not reason and message.response_metadata.get("status") in {"failed", "cancelled"}:
        reason = "error"
    elif not reason and "status" in message.response_metadata:
        reason = "stop"
    blocks = message.content if isinstance(message.content, list) else []
    is_refusal = any(isinstance(block, dict) and block.get("type") == "refusal" for block in blocks)
    if reason and (is_refusal or message.additional_kwargs.get("refusal")):
        return "refused"
    return _ENDINGS.get(str(reason).lower(), "whole") if reason else None


def thinking_text(value: Any) -> str:  # noqa: ANN401 - a text, or blocks of any server's shape
    """The text of a thought at any depth, joined."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "".join(thinking_text(value.get(key)) for key in ("text", "thinking", "summary"))
    return "".join(map(thinking_text, value)) if isinstance(value, list) else ""


class ReplyPiece(AIMessageChunk):
    """A piece of a reply, or several joined pieces; tool arguments are parsed once, unrepaired."""

    @classmethod
    def of(cls, message: BaseMessage) -> Self:
        """Copy a message's fields into a piece, without parsing tool arguments."""
        return cls.model_construct(**vars(message))

    @model_validator(mode="after")
    @override
    def init_tool_calls(self) -> Self:
        self.tool_calls, self.invalid_tool_calls = [], []
        for call in self.tool_call_chunks:
            name, arguments_text, call_id = call["name"] or "", call["args"] or "{}", call["id"]
            try:
                arguments = json.loads(arguments_text, strict=False)
            except (ValueError, RecursionError):
                arguments = None
            if isinstance(arguments, dict):
                self.tool_calls.append(tool_call(name=name, args=arguments, id=call_id))
            else:
                self.invalid_tool_calls.append(
                    invalid_tool_call(name=name, args=arguments_text, id=call_id)
                )
        return self


def take_calls(chunk: Mapping[str, Any]) -> list[ToolCallChunk]:
    """Remove the pieces of tool calls from a chunk of chat completions, and return them."""
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
    """Turn the arguments of an answer's tool calls into strings, in place."""
    for choice in answer.choices or ():  # an answer that reports an error has none
        for call in choice.message.tool_calls or ():
            if isinstance(call, ChatCompletionMessageFunctionToolCall):
                call.function.arguments = _as_text(call.function.arguments)


def _as_text(arguments: Any) -> str:  # noqa: ANN401 - JSON
    # Older versions of Ollama send the arguments of a tool as an object, not as a string.
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


@dataclass(slots=True)
class StreamSoFar:
    """The part of a stream that has arrived.

    `thinking`: separates its thoughts from its text.
    `is_begun`: a thought, text or a call has arrived.
    `is_said`: text or a call has arrived.
    `ending`: the reported ending, None before it.
    """

    thinking: ThinkingFilter = field(default_factory=ThinkingFilter)
    is_begun: bool = False
    is_said: bool = False
    ending: Ending | None = None

    @property
    def is_spent(self) -> bool:
        """Whether the token limit was reached before any text or call."""
        return self.ending == "length" and not self.is_said

    def _grow(self, message: BaseMessage) -> None:
        has_calls = isinstance(message, AIMessageChunk) and bool(message.tool_call_chunks)
        self.is_said = self.is_said or has_calls or bool(message.text.strip())
        self.is_begun = self.is_begun or self.is_said or bool(thinking_in(message))
        self.ending = self.ending or ending_of(message)

    def read(self, chunk: ChatGenerationChunk) -> ChatGenerationChunk:
        """Read the next piece; its content is only its text."""
        ending = reported_ending(chunk.message, chunk.generation_info)
        text = self.thinking.feed(str(chunk.message.text))
        if ending:
            text += self.thinking.finish(was_cut=ending == "length")
        new_thinking = self.thinking.new_thinking()
        message = ReplyPiece.of(read_message(chunk.message, text, new_thinking, ending))
        self._grow(message)
        return ChatGenerationChunk(message=message, generation_info=chunk.generation_info)

    def rest(self) -> ChatGenerationChunk:
        """The text that was held back, as the last piece of a stream without an end mark."""
        metadata = {"ending": "whole"}
        return ChatGenerationChunk(
            message=ReplyPiece(content=self.thinking.finish(), response_metadata=metadata)
        )


def read_whole(generation: ChatGeneration) -> ThinkingFilter:
    """Read a reply that was not streamed, in place; return the filter that read its thoughts."""
    message = generation.message
    ending = reported_ending(message, generation.generation_info)
    thinking_filter = ThinkingFilter()
    text = thinking_filter.feed(str(message.text)) + thinking_filter.finish(
        was_cut=ending == "length"
    )
    generation.message = read_message(message, text, thinking_filter.thinking, ending)
    return thinking_filter
