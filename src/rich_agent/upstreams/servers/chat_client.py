"""A LangChain chat model that adapts to what its server accepts and sends.

It leaves out parameters and roles that the server refuses, and uses the Responses API for models
that only this API serves. It separates thinking from text, gives endings the same name for all
APIs, keeps refusals, and charges each call to its turn.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from inspect import signature
from typing import Any, Final

import httpx2
import openai
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import BaseMessage, BaseMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from openai.resources.chat.completions import AsyncCompletions
from openai.resources.responses import AsyncResponses
from openai.types.chat import ChatCompletion, ChatCompletionMessageFunctionToolCall
from pydantic import PrivateAttr, SecretStr
from typing_extensions import override

from rich_agent.errors import BrokenAnswerError
from rich_agent.upstreams.servers.access import ModelAccess
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities
from rich_agent.upstreams.servers.charging import charged_chat, count_message
from rich_agent.upstreams.servers.messages import (
    THOUGHT_FIELDS,
    of_two_roles,
    read_message,
    thought_text,
    told_ending,
)
from rich_agent.upstreams.servers.reasoning import ThinkingFilter
from rich_agent.upstreams.servers.refusals import OmittedParameters, is_about_roles

_COMPLETION_FIELDS: Final = frozenset(signature(AsyncCompletions.create).parameters)
_RESPONSE_FIELDS: Final = frozenset(signature(AsyncResponses.create).parameters)
_NOT_SERVED: Final = frozenset({400, 404, 405, 422, 501})
_CONNECT_S = 10.0


class ChatClient(ChatOpenAI):
    """The client that the module describes. The content of its replies is always a string."""

    _access: ModelAccess = PrivateAttr()

    @property
    def capabilities(self) -> LearnedCapabilities:
        """What is known about the model."""
        return self._access.capabilities

    @override
    async def _agenerate(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> ChatResult:
        async with charged_chat(self.model_name, messages, kwargs) as receipt:
            omitted = await self._prepare()
            while True:
                try:
                    result = await super()._agenerate(
                        messages, *args, omitted=omitted.names, **kwargs
                    )
                    break
                except openai.APIStatusError as error:
                    self._adapt(error, omitted)
                except ValueError as error:
                    raise self._reported(error) from error
            for generation in result.generations:
                self._read_whole(generation)
                count_message(generation.message, receipt)
            await self.capabilities.lack(omitted.names, self._access.role)
            return result

    @override
    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        async with charged_chat(self.model_name, messages, kwargs) as receipt:
            omitted = await self._prepare()
            reading = ThinkingFilter(begins_inside=self.capabilities.begins_inside)
            while True:
                try:
                    async for chunk in super()._astream(
                        messages, *args, omitted=omitted.names, **kwargs
                    ):
                        await self.capabilities.lack(omitted.names, self._access.role)
                        read = self._read(chunk, reading)
                        count_message(read.message, receipt)
                        yield read
                        if reading.is_taken_back:
                            # The next try knows this, and does not show the thinking.
                            raise BrokenAnswerError("model", "it sent its reasoning unmarked")
                except openai.APIStatusError as error:  # it comes before the first chunk
                    self._adapt(error, omitted)
                except ValueError as error:
                    raise self._reported(error) from error
                else:
                    return

    async def _prepare(self) -> OmittedParameters:
        """Choose the form of request that the server is known to accept."""
        self._take_known_api()
        return OmittedParameters(self._access.role, (await self.capabilities.known()).refused)

    def _take_known_api(self) -> None:
        if self.capabilities.uses_responses is not None:
            self.use_responses_api = self.capabilities.uses_responses

    def _adapt(self, refusal: openai.APIStatusError, omitted: OmittedParameters) -> None:
        """Choose other roles, the other API, or fewer parameters for the next request.

        Raises: the first refusal, if there is no other form to try.
        """
        if is_about_roles(refusal) and not self.capabilities.has_two_roles:
            self.capabilities.has_two_roles = True
        elif not self._switches_api(refusal):
            omitted.add(refusal)

    def _switches_api(self, refusal: openai.APIStatusError) -> bool:
        """Whether to use the other API: the server said so, or LangChain only guessed by name."""
        if refusal.status_code not in _NOT_SERVED:
            return False
        asked_responses = refusal.request.url.path.endswith("/responses")
        if self.capabilities.uses_responses is None:
            told = str(refusal).lower()
            names_responses = "/responses" in told or "responses api" in told
            if refusal.status_code != 400 if asked_responses else names_responses:
                self.capabilities.uses_responses = not asked_responses
        self._take_known_api()
        # Another call may have learned this while the current one was under way.
        return self.capabilities.uses_responses is (not asked_responses)

    @override
    def _get_request_payload(
        self,
        input_: LanguageModelInput,
        *,
        stop: list[str] | None = None,
        omitted: frozenset[str] = frozenset(),
        **kwargs: Any,
    ) -> dict[str, Any]:
        if self.capabilities.has_two_roles:
            input_ = of_two_roles(self._convert_input(input_).to_messages())
        wanted = {**self._access.role.parameters, **kwargs}
        payload = super()._get_request_payload(input_, stop=stop, **wanted)
        if "input" in payload:
            # The Responses API stores conversations unless told not to; chat completions do not.
            return _sendable({"store": False, **payload}, omitted, _RESPONSE_FIELDS)
        most = payload.pop("max_completion_tokens", None)
        names = ("max_tokens", "max_completion_tokens")
        written = sorted(names, key=lambda name: name not in wanted)
        if most and (name := next((one for one in written if one not in omitted), None)):
            payload[name] = most
        return _sendable(payload, omitted, _COMPLETION_FIELDS)

    @override
    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type[BaseMessageChunk],
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        """Also keep the reasoning and the refusal of a delta, which LangChain drops."""
        for function in _calls_in(chunk):
            function["arguments"] = _as_text(function.get("arguments") or "")
        read = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        choices = chunk.get("choices")
        delta = choices[0].get("delta") if choices else None
        if read and delta:
            thought = next(filter(None, map(delta.get, THOUGHT_FIELDS)), "")
            more = {"thought": thought_text(thought), "refusal": delta.get("refusal")}
            read.message.additional_kwargs |= {key: one for key, one in more.items() if one}
        return read

    @override
    def _create_chat_result(
        self,
        response: dict[str, Any] | openai.BaseModel,
        generation_info: dict[str, Any] | None = None,
    ) -> ChatResult:
        if isinstance(response, ChatCompletion):
            for choice in response.choices or ():  # none in an answer that reports an error
                for call in choice.message.tool_calls or ():
                    if isinstance(call, ChatCompletionMessageFunctionToolCall):
                        call.function.arguments = _as_text(call.function.arguments)
        return super()._create_chat_result(response, generation_info)

    def _reported(self, error: ValueError) -> Exception:
        """The error that a server reported in a response with status 200."""
        told = error.args[0] if error.args else None
        if isinstance(told, dict) or (self.use_responses_api and isinstance(told, str)):
            body = told if isinstance(told, dict) else {"message": told}
            request = httpx2.Request("POST", str(self.openai_api_base))
            return openai.APIError(str(body.get("message") or "an error"), request, body=body)
        return error

    def _read(self, chunk: ChatGenerationChunk, reading: ThinkingFilter) -> ChatGenerationChunk:
        message = chunk.message
        ending = told_ending(message, chunk.generation_info)
        text = reading.feed(str(message.text))
        if ending:
            text += reading.finish(was_cut=ending == "length")
        self.capabilities.begins_inside = reading.begins_inside
        return ChatGenerationChunk(
            message=read_message(message, text, reading.new_thought(), ending),
            generation_info=chunk.generation_info,
        )

    def _read_whole(self, generation: ChatGeneration) -> None:
        message = generation.message
        ending = told_ending(message, generation.generation_info)
        reading = ThinkingFilter()
        text = reading.feed(str(message.text)) + reading.finish(was_cut=ending == "length")
        self.capabilities.begins_inside = self.capabilities.begins_inside or reading.begins_inside
        generation.message = read_message(message, text, reading.thought, ending)


def open_chat_client(access: ModelAccess) -> ChatClient:
    """A client for the model of a role. It does not retry, and charges what it uses."""
    client = ChatClient(
        model=access.role.model,
        base_url=access.role.base_url,
        api_key=SecretStr(access.role.api_key),
        timeout=httpx2.Timeout(access.role.timeout_s, connect=_CONNECT_S),
        max_retries=0,
        stream_usage=True,
        # The caller decides how long a model may think.
        stream_chunk_timeout=None,
        http_async_client=access.http,
    )
    client._access = access  # noqa: SLF001 - pydantic takes no private attribute
    return client


def _sendable(
    payload: Mapping[str, Any], omitted: frozenset[str], fields: frozenset[str]
) -> dict[str, Any]:
    """The payload for a client that knows `fields`; other fields are sent as extra body.

    So is `response_format`: otherwise the client would parse the answer, and fail if it cannot.
    """
    kept = {name: value for name, value in payload.items() if name not in omitted}
    others = (kept.keys() - fields) | (kept.keys() & {"response_format"})
    extra = {name: kept.pop(name) for name in others}
    return {**kept, "extra_body": extra} if extra else kept


def _calls_in(chunk: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The functions of the calls in a streamed piece."""
    for choice in chunk.get("choices") or ():
        for call in (choice.get("delta") or {}).get("tool_calls") or ():
            if isinstance(call.get("function"), dict):
                yield call["function"]


def _as_text(arguments: Any) -> str:  # noqa: ANN401 - JSON
    """Older versions of Ollama send the arguments of a tool as an object, not as a string."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
