"""A chat model of LangChain that reads what servers really send.

Thinking is kept apart from the text, an ending is named the same whichever API told it, a refusal
is not lost, and a model that only the Responses API serves is asked there.
"""

import re
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import httpx2
import openai
from langchain_core.messages import BaseMessage, BaseMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import PrivateAttr
from typing_extensions import override

from rich_agent.errors import BrokenAnswerError
from rich_agent.upstreams.servers.capabilities import ModelQuirks
from rich_agent.upstreams.servers.reasoning import ThinkingFilter

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
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_NOT_SERVED = frozenset({400, 404, 405, 422, 501})


def ending_of(message: BaseMessage) -> Ending | None:
    """How a reply of `ServedChatOpenAI` ended, None while it goes on, or if nothing said so."""
    return message.response_metadata.get("ending")


def refusal_in(message: BaseMessage) -> str:
    """The words with which the model refused, "" if it did not."""
    return str(message.additional_kwargs.get("refusal") or "")


def thought_in(message: BaseMessage) -> str:
    """What the model thought aloud; it is a sign of life and nothing to be shown."""
    return str(message.additional_kwargs.get("thought") or "")


class ServedChatOpenAI(ChatOpenAI):
    """See the module. The content of its replies is always a text."""

    _quirks: ModelQuirks = PrivateAttr(default_factory=ModelQuirks)

    def has_quirks(self, quirks: ModelQuirks) -> None:
        """Share what is known of the model with the other clients of its server."""
        self._quirks = quirks

    @override
    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        payload = super()._get_request_payload(*args, **kwargs)
        if "input" in payload:
            # The Responses API would keep what was said; chat completions do not.
            return {"store": False, **payload}
        if self._quirks.has_two_roles:
            payload["messages"] = _of_two_roles(payload["messages"])
        return payload

    @override
    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type[BaseMessageChunk],
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        """Take the reasoning and the refusal of a delta too, which LangChain leaves out."""
        read = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        choices = chunk.get("choices")
        delta = choices[0].get("delta") if choices else None
        if read and delta:
            thought = next(filter(None, map(delta.get, _THOUGHTS)), "")
            more = {"thought": _text(thought), "refusal": delta.get("refusal")}
            read.message.additional_kwargs |= {key: one for key, one in more.items() if one}
        return read

    @override
    async def _agenerate(self, *args: Any, **kwargs: Any) -> ChatResult:
        self._take_known_api()
        try:
            result = await super()._agenerate(*args, **kwargs)
        except openai.APIStatusError as error:
            if not self._adapts_to(error):
                raise
            result = await super()._agenerate(*args, **kwargs)
        except ValueError as error:
            raise self._reported(error) from error
        for generation in result.generations:
            self._read_whole(generation)
        return result

    @override
    async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        reading = ThinkingFilter(begins_inside=self._quirks.begins_inside)
        async for chunk in self._stream_of_either_api(args, kwargs):
            yield self._read(chunk, reading)
            if reading.is_taken_back:
                # The next try knows it, and shows nothing of the thinking.
                raise BrokenAnswerError("model", "it thought aloud without saying so")

    async def _stream_of_either_api(
        self, args: tuple[Any, ...], options: dict[str, Any]
    ) -> AsyncIterator[ChatGenerationChunk]:
        self._take_known_api()
        has_begun = False
        try:
            async for chunk in super()._astream(*args, **options):
                has_begun = True
                yield chunk
        except openai.APIStatusError as error:
            if has_begun or not self._adapts_to(error):
                raise
        except ValueError as error:
            raise self._reported(error) from error
        else:
            return
        async for chunk in super()._astream(*args, **options):
            yield chunk

    def _take_known_api(self) -> None:
        if self._quirks.uses_responses is not None:
            self.use_responses_api = self._quirks.uses_responses

    def _adapts_to(self, refusal: openai.APIStatusError) -> bool:
        """Whether to ask again, by the other API or with other roles."""
        if _is_about_roles(refusal) and not self._quirks.has_two_roles:
            self._quirks.has_two_roles = True
            return True
        return self._switches_api(refusal)

    def _switches_api(self, refusal: openai.APIStatusError) -> bool:
        """Whether the other API is to be asked: one said so, or LangChain only guessed by name."""
        if refusal.status_code not in _NOT_SERVED:
            return False
        asked_responses = refusal.request.url.path.endswith("/responses")
        if self._quirks.uses_responses is None:
            told = str(refusal).lower()
            names_responses = "/responses" in told or "responses api" in told
            if refusal.status_code != 400 if asked_responses else names_responses:
                self._quirks.uses_responses = not asked_responses
                self._take_known_api()
        # Another call may have learned it while this one was under way.
        return self._quirks.uses_responses is (not asked_responses)

    def _reported(self, error: ValueError) -> Exception:
        """The error that a server reported in an answer with status 200."""
        told = error.args[0] if error.args else None
        if isinstance(told, dict) or (self.use_responses_api and isinstance(told, str)):
            body = told if isinstance(told, dict) else {"message": told}
            request = httpx2.Request("POST", str(self.openai_api_base))
            return openai.APIError(str(body.get("message") or "an error"), request, body=body)
        return error

    def _read(self, chunk: ChatGenerationChunk, reading: ThinkingFilter) -> ChatGenerationChunk:
        message = chunk.message
        ending = _told_ending(message, chunk.generation_info)
        text = reading.feed(str(message.text))
        if ending:
            text += reading.finish(was_cut=ending == "length")
        self._quirks.begins_inside = reading.begins_inside
        return ChatGenerationChunk(
            message=_with(message, text, reading.new_thought(), ending),
            generation_info=chunk.generation_info,
        )

    def _read_whole(self, generation: ChatGeneration) -> None:
        message = generation.message
        ending = _told_ending(message, generation.generation_info)
        reading = ThinkingFilter()
        text = reading.feed(str(message.text)) + reading.finish(was_cut=ending == "length")
        self._quirks.begins_inside = self._quirks.begins_inside or reading.begins_inside
        generation.message = _with(message, text, reading.thought, ending)


def _is_about_roles(refusal: openai.APIStatusError) -> bool:
    """Whether the chat template has no place for a system message, or wants roles to alternate.

    Sources: the chat templates of Gemma and Mistral, whose exceptions vLLM and llama.cpp pass on;
    OpenAI's o1-mini, by `param`.
    """
    told = str(refusal).lower()
    by_template = "system role" in told or "roles must alternate" in told
    return by_template or bool(re.fullmatch(r"messages\[\d{1,4}\]\.role", refusal.param or ""))


def _of_two_roles(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages of user and assistant in turns; the system's stand before the user's first."""
    joined: list[dict[str, Any]] = []
    for message in messages:
        role = "user" if message["role"] in {"system", "developer"} else message["role"]
        if joined and joined[-1]["role"] == role:
            joined[-1] = {"role": role, "content": _both(joined[-1]["content"], message["content"])}
        else:
            joined.append({**message, "role": role})
    return joined


def _both(one: str | list[Any] | None, other: str | list[Any] | None) -> str | list[Any]:
    if isinstance(one, str) and isinstance(other, str):
        return f"{one}\n\n{other}"
    return [*_parts_of(one), *_parts_of(other)]


def _parts_of(content: str | list[Any] | None) -> list[Any]:
    return content if isinstance(content, list) else [{"type": "text", "text": content or ""}]


def _with(message: Message, text: str, thought: str, ending: Ending | None) -> Message:
    """The message with its text alone as content, and what else is told of it by its name."""
    blocks = message.content if isinstance(message.content, list) else []
    told = dict(message.additional_kwargs)
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "refusal":
            told["refusal"] = block.get("refusal")
        elif isinstance(block, dict) and block.get("type") in {"reasoning", "thinking"}:
            thought += _text(block) or "…"
    if thought := str(told.get("thought") or "") + thought:
        told["thought"] = thought
    metadata = message.response_metadata | ({"ending": ending} if ending else {})
    return message.model_copy(
        update={"content": text, "additional_kwargs": told, "response_metadata": metadata}
    )


def _told_ending(message: BaseMessage, info: Mapping[str, Any] | None) -> Ending | None:
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


def _text(thought: Any) -> str:  # noqa: ANN401 - a text, or blocks of any server's shape
    """The text in a thought, however deep it lies."""
    if isinstance(thought, str):
        return thought
    if isinstance(thought, Mapping):
        return "".join(_text(thought.get(key)) for key in ("text", "thinking", "summary"))
    return "".join(map(_text, thought)) if isinstance(thought, list) else ""
