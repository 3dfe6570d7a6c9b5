"""A LangChain chat model that adapts to the server's API.

It leaves out parameters that the server refuses, uses the Responses API where only that API serves
a model, separates thinking from text, names endings alike, and charges each call to its turn.
"""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from itertools import takewhile
from typing import Any, Final, cast

import httpx2
import openai
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import agenerate_from_stream
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, BaseMessageChunk
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion
from pydantic import PrivateAttr, SecretStr
from typing_extensions import override

from rich_agent.domain.model_speed import TimedCall
from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.usage_limits import Call
from rich_agent.errors import BrokenAnswerError
from rich_agent.runtime.concurrency import closing_after
from rich_agent.runtime.metering import Receipt, charge, paying_user
from rich_agent.upstreams.servers.bodies import completion_body
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities, ModelAccess
from rich_agent.upstreams.servers.completions import ChatCompletions
from rich_agent.upstreams.servers.piecewise import PiecewiseClient
from rich_agent.upstreams.servers.prompt_caches import (
    BREAKPOINTS,
    CACHE_KEY,
    takes_breakpoints,
    takes_key,
    with_breakpoints,
)
from rich_agent.upstreams.servers.reasoning import ThinkingFilter
from rich_agent.upstreams.servers.refusals import OUTPUT_LIMITS, RequestForm, is_about_roles
from rich_agent.upstreams.servers.replies import (
    ReplyPiece,
    StreamSoFar,
    dropped_fields,
    ending_of,
    of_two_roles,
    read_whole,
    take_calls,
    thinking_in,
    write_arguments,
)
from rich_agent.upstreams.servers.stopwatch import Stopwatch
from rich_agent.upstreams.servers.usage_reports import reports_writes, usage_in, writing_s

IMAGE_TOKENS = 1_000
"""Estimated tokens of an image; OpenAI counts 85 to about 1,500, by size and model."""


@asynccontextmanager
async def charged_chat(
    model: str, messages: Sequence[BaseMessage], options: dict[str, Any]
) -> AsyncIterator[Receipt]:
    """Charge a call, unless the server refused it or it failed before the first output.

    Only images after the model's last message are counted: when output is repaired, the image is
    not counted again, only its tokens.
    """
    last_messages = takewhile(
        lambda message: not isinstance(message, AIMessage), reversed(messages)
    )
    form = [options.get("tools", ""), options.get("response_format", "")]
    form_tokens = estimate_tokens(json.dumps(form, ensure_ascii=False, default=str))
    call = Call(
        "vision" if any(map(_images_in, messages)) else "text",
        model,
        tokens=prompt_tokens(messages) + form_tokens,
        form_tokens=form_tokens,
        images=sum(map(_images_in, last_messages)),
    )
    async with charge(call) as receipt:
        try:
            yield receipt
        except openai.APITimeoutError:
            receipt.note_silence()
            raise
        except openai.APIError:
            if not receipt.usage.output_tokens:
                receipt.refuse()
            raise


def prompt_tokens(messages: Sequence[BaseMessage]) -> int:
    """The estimated tokens of messages, without the schema of the answer."""
    text_tokens = sum(estimate_tokens(str(message.text)) for message in messages)
    return text_tokens + sum(map(_images_in, messages)) * IMAGE_TOKENS


def count_message(message: BaseMessage, receipt: Receipt) -> None:
    """Count the model's thoughts, text and tool arguments, or the usage that the server reports."""
    text = thinking_in(message) + str(message.text)
    if isinstance(message, AIMessageChunk):
        text += "".join(call["args"] or "" for call in message.tool_call_chunks)
    elif isinstance(message, AIMessage):
        calls = [*message.tool_calls, *message.invalid_tool_calls]
        text += "".join(json.dumps(call["args"]) for call in calls)
    receipt.wrote(text)
    if isinstance(message, AIMessage) and (usage := message.usage_metadata):
        receipt.report(
            read=usage["input_tokens"],
            output=usage["output_tokens"],
            from_cache=_tokens_of(usage, "cache_read"),
            to_cache=_tokens_of(usage, "cache_creation"),
        )


def _tokens_of(usage: UsageMetadata, kind: str) -> int:
    """The tokens of a prompt that are of one kind; OpenAI's service tiers have their own names."""
    details = usage.get("input_token_details", {})
    return sum(
        tokens
        for name, tokens in details.items()
        if name.endswith(kind) and isinstance(tokens, int)
    )


def _images_in(message: BaseMessage) -> int:
    parts = message.content if isinstance(message.content, list) else ()
    return sum(isinstance(part, dict) and part.get("type") == "image_url" for part in parts)


def _is_spent(message: BaseMessage) -> bool:
    """Whether the token limit was reached before any text or call."""
    has_calls = isinstance(message, AIMessage) and bool(
        message.tool_calls or message.invalid_tool_calls
    )
    return ending_of(message) == "length" and not has_calls and not message.text.strip()


_NOT_SERVED: Final = frozenset({400, 404, 405, 422, 501})
_CONNECT_S = 10.0
_WRITING_S: Final = "writing_s"
THOUGHT_TOKENS = 16_000
"""Additional tokens for a model that thinks, because thoughts count as output."""
_LEAST_OUTPUT = 400
"""The token limit of an output if, by an estimate, the prompt fills the window."""


class ChatClient(ChatOpenAI):
    """A LangChain chat model that adapts to its server; the content of a reply is a string."""

    _access: ModelAccess = PrivateAttr()

    @property
    def capabilities(self) -> LearnedCapabilities:
        """The capabilities known of the model."""
        return self._access.capabilities

    @override
    async def _agenerate(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> ChatResult:
        thinks = (await self.capabilities.known()).thinks
        result = await self._generate_once(messages, kwargs)
        message = result.generations[0].message
        if _is_spent(message) and not thinks and await self._gives_room():
            return await self._generate_once(messages, kwargs)
        return result

    async def _generate_once(
        self, messages: list[BaseMessage], options: dict[str, Any]
    ) -> ChatResult:
        form = await self._prepare(is_whole=True)
        if not form.wants_stream():
            async with charged_chat(self.model_name, messages, options) as receipt:
                while not form.wants_stream():
                    stopwatch = Stopwatch()
                    try:
                        result = await self._whole_reply(messages, form, options)
                    except openai.APIStatusError as error:
                        self._adapt(error, form)
                        continue
                    except ValueError as error:
                        raise self._error_in_body(error) from error
                    for generation in result.generations:
                        self.capabilities.begins_inside |= read_whole(generation).begins_inside
                        count_message(generation.message, receipt)
                        await self._notice_thinking(generation.message)
                    measured_s = (result.llm_output or {}).get(_WRITING_S)
                    self._note_speed(receipt, stopwatch.seconds, measured_s)
                    await self.capabilities.learn(form.merged_into, self._access.role)
                    return result
                receipt.refuse()
        chunks = self._stream_once(messages, self._new_stream(), options)
        result = await agenerate_from_stream(chunks)
        await self.capabilities.learn(form.merged_into, self._access.role)
        return result

    async def _whole_reply(
        self, messages: list[BaseMessage], form: RequestForm, options: dict[str, Any]
    ) -> ChatResult:
        """The whole reply over the API in use; LangChain reads completions in a thread."""
        if self._use_responses_api({**options, **self.model_kwargs}):
            return await super()._agenerate(messages, form=form, **options)
        payload = self._get_request_payload(messages, form=form, **options)
        payload.pop("stream", None)
        return self._create_chat_result(await self.async_client.whole(payload))

    async def reply(self, messages: Sequence[BaseMessage], **options: object) -> AIMessage:
        """The whole reply, without LangChain's callbacks."""
        result = await self._agenerate([*messages], **options)
        return cast("AIMessage", result.generations[0].message)

    @override
    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        thinks, last_chunk = (await self.capabilities.known()).thinks, None
        state = self._new_stream()
        async with closing_after(self._stream_once(messages, state, kwargs)) as chunks:
            async for last_chunk in chunks:
                if not state.is_spent:
                    yield last_chunk
        if state.is_spent and last_chunk:
            if thinks or not await self._gives_room():
                yield last_chunk
            else:
                second_stream = self._stream_once(messages, self._new_stream(), kwargs)
                async with closing_after(second_stream) as chunks:
                    async for chunk in chunks:
                        yield chunk

    async def pieces(
        self, messages: list[BaseMessage], *, most_tokens: int, **options: Sequence[dict[str, Any]]
    ) -> AsyncIterator[ReplyPiece]:
        """Stream the reply. LangChain's `astream` would store all pieces and join them again."""
        reply = self._astream(messages, most_tokens=most_tokens, **options)
        async with closing_after(reply) as chunks:
            async for chunk in chunks:
                yield cast("ReplyPiece", chunk.message)

    async def _stream_once(
        self, messages: list[BaseMessage], state: StreamSoFar, options: dict[str, Any]
    ) -> AsyncIterator[ChatGenerationChunk]:
        async with charged_chat(self.model_name, messages, options) as receipt:
            form, is_accepted = await self._prepare(), False
            while True:
                stopwatch = Stopwatch()
                try:
                    reply = self._reply(messages, form, options)
                    async with closing_after(reply) as chunks:
                        async for chunk in chunks:
                            if not is_accepted:
                                is_accepted = True
                                await self.capabilities.learn(form.merged_into, self._access.role)
                            piece = await self._read(chunk, state, receipt)
                            if state.is_begun:
                                stopwatch.lap()
                            yield piece
                            if state.thinking.is_taken_back:
                                # The next attempt expects this, and hides the thinking.
                                raise BrokenAnswerError("model", "it sent its reasoning unmarked")
                except openai.APIStatusError as error:  # it comes before the first chunk
                    self._adapt(error, form)
                except ValueError as error:
                    raise self._error_in_body(error) from error
                else:
                    break
            self._note_speed(receipt, stopwatch.seconds, stopwatch.writing_s)
            if last_chunk := await self._end(messages, state):
                yield last_chunk

    def _reply(
        self, messages: list[BaseMessage], form: RequestForm, options: dict[str, Any]
    ) -> AsyncIterator[ChatGenerationChunk]:
        """Stream the reply over the API in use; the stream of `ChatOpenAI` cannot be closed."""
        if self._use_responses_api({**options, **self.model_kwargs}):
            return self._astream_responses(messages, form=form, **options)
        return super(ChatOpenAI, self)._astream(messages, form=form, **options)

    async def _read(
        self, chunk: ChatGenerationChunk, state: StreamSoFar, receipt: Receipt
    ) -> ChatGenerationChunk:
        read_chunk = state.read(chunk)
        self.capabilities.begins_inside = state.thinking.begins_inside
        count_message(read_chunk.message, receipt)
        await self._notice_thinking(read_chunk.message)
        return read_chunk

    async def _end(
        self, messages: list[BaseMessage], state: StreamSoFar
    ) -> ChatGenerationChunk | None:
        """Return the rest of a stream that ended without a mark; None if it was marked or empty.

        Raises: BrokenAnswerError if the stream may have been cut.
        """
        if state.ending:
            is_whole = self.capabilities.sends_whole
            await self.capabilities.learn(
                lambda capabilities: replace(capabilities, marks_ends=True, answers_whole=is_whole)
            )
        if state.ending or not state.is_begun:
            return None
        call_text = json.dumps(
            [[message.type, message.content] for message in messages], default=str
        )
        if not await self.capabilities.accept_end(sha256(call_text.encode()).hexdigest()):
            raise BrokenAnswerError("model", "its stream was closed without the mark of an end")
        return state.rest()

    def _note_speed(self, receipt: Receipt, seconds: float, writing_s: float | None) -> None:
        """Note the time of a call that only read and wrote text."""
        usage = receipt.usage
        if receipt.call.kind == "text":
            call = TimedCall(usage.input_tokens, usage.output_tokens, seconds, writing_s)
            self.capabilities.speed.add(call)

    def _new_stream(self) -> StreamSoFar:
        return StreamSoFar(ThinkingFilter(begins_inside=self.capabilities.begins_inside))

    async def _notice_thinking(self, message: BaseMessage) -> None:
        usage = message.usage_metadata if isinstance(message, AIMessage) else None
        details = usage.get("output_token_details") if usage else None
        if (details and details.get("reasoning")) or thinking_in(message):
            await self.capabilities.learn(lambda capabilities: replace(capabilities, thinks=True))

    async def _gives_room(self) -> bool:
        """Record that the model thinks; return whether a second attempt may use more tokens."""
        await self.capabilities.learn(lambda capabilities: replace(capabilities, thinks=True))
        return not OUTPUT_LIMITS & self._access.role.parameters.keys()

    async def _prepare(self, *, is_whole: bool = False) -> RequestForm:
        """Choose the form of request that the server is known to accept."""
        self._take_known_api()
        return RequestForm(self._access.role, await self.capabilities.known(), is_whole)

    def _take_known_api(self) -> None:
        if self.capabilities.uses_responses is not None:
            self.use_responses_api = self.capabilities.uses_responses

    def _adapt(self, refusal: openai.APIStatusError, form: RequestForm) -> None:
        """Choose other roles, the other API, or other parameters for the next request.

        Raises: the first refusal, if there is no other form to try.
        """
        if is_about_roles(refusal) and not self.capabilities.has_two_roles:
            self.capabilities.has_two_roles = True
        elif not self._switches_api(refusal):
            form.adapt(refusal)

    def _switches_api(self, refusal: openai.APIStatusError) -> bool:
        """Switch to the other API if the server asks for it, or if the API in use was only guessed.

        Return whether the next request goes to the other API. LangChain guesses the API by the
        model's name.
        """
        if refusal.status_code not in _NOT_SERVED:
            return False
        asked_responses = refusal.request.url.path.endswith("/responses")
        if self.capabilities.uses_responses is None:
            words = str(refusal).lower()
            names_responses = "/responses" in words or "responses api" in words
            if refusal.status_code != 400 if asked_responses else names_responses:
                self.capabilities.uses_responses = not asked_responses
        self._take_known_api()
        # Another call may have learned this during the current one.
        return self.capabilities.uses_responses is (not asked_responses)

    @override
    def _get_request_payload(
        self,
        input_: LanguageModelInput,
        *,
        stop: list[str] | None = None,
        form: RequestForm | None = None,
        most_tokens: int | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        messages = self._convert_input(input_).to_messages()
        if self.capabilities.has_two_roles:
            messages = of_two_roles(messages)
        parameters = {**self._cache_key(), **self._access.role.parameters, **kwargs}
        if most_tokens and form and not OUTPUT_LIMITS & parameters.keys():
            parameters["max_tokens"] = form.limit(self._room_for(most_tokens, messages))
        payload = super()._get_request_payload(messages, stop=stop, **parameters)
        demands, omissions = (form.demanded, form.omitted) if form else ({}, frozenset[str]())
        if self._takes_breakpoints() and BREAKPOINTS not in omissions and "messages" in payload:
            payload["messages"] = with_breakpoints(payload["messages"])
        return completion_body(payload | demands, parameters, omissions)

    def _cache_key(self) -> dict[str, str]:
        """The key of the paying user's prompts, {} if the server is not known to take keys."""
        tags, user_id = self._access.cache_tags, paying_user()
        if tags is None or not user_id or not takes_key(self._access.role):
            return {}
        return {CACHE_KEY: tags.of(user_id)}

    def _takes_breakpoints(self) -> bool:
        return self.capabilities.reports_cache_writes or takes_breakpoints(self._access.role)

    def _room_for(self, most_tokens: int, messages: list[BaseMessage]) -> int:
        """The token limit of an output, with room for thoughts, and within the model's window."""
        if self.capabilities.last_known.thinks:
            most_tokens += THOUGHT_TOKENS
        if (window := self.capabilities.window) is None:
            return most_tokens
        return min(most_tokens, max(_LEAST_OUTPUT, window - prompt_tokens(messages)))

    @override
    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type[BaseMessageChunk],
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        """Also keep the fields that LangChain drops, and leave the arguments of calls unparsed."""
        calls = take_calls(chunk)
        self.capabilities.reports_cache_writes |= reports_writes(chunk)
        chunk = {**chunk, "usage": usage_in(chunk)}
        generation_chunk = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        if generation_chunk and isinstance(generation_chunk.message, AIMessageChunk):
            generation_chunk.message.additional_kwargs |= dropped_fields(chunk)
            generation_chunk.message.tool_call_chunks = calls
        return generation_chunk

    @override
    def _create_chat_result(
        self,
        response: dict[str, Any] | openai.BaseModel,
        generation_info: dict[str, Any] | None = None,
    ) -> ChatResult:
        if isinstance(response, ChatCompletion):
            write_arguments(response)
            report = response.model_dump(include={"usage", "timings"}, warnings=False)
            self.capabilities.reports_cache_writes |= reports_writes(report)
            if usage := usage_in(report):
                response.usage = CompletionUsage.model_construct(**usage)
            result = super()._create_chat_result(response, generation_info)
            result.llm_output = {**(result.llm_output or {}), _WRITING_S: writing_s(report)}
            return result
        return super()._create_chat_result(response, generation_info)

    def _error_in_body(self, error: ValueError) -> Exception:
        """The error that a server reported in a response with status 200."""
        report = error.args[0] if error.args else None
        if isinstance(report, dict) or (self.use_responses_api and isinstance(report, str)):
            body = report if isinstance(report, dict) else {"message": report}
            request = httpx2.Request("POST", str(self.openai_api_base))
            return openai.APIError(str(body.get("message") or "an error"), request, body=body)
        return error


def open_chat_client(access: ModelAccess) -> ChatClient:
    """Open a client for the model of a role. It does not retry, and charges the tokens it uses."""
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
    client.async_client = ChatCompletions(client.root_async_client, access.capabilities.saw_whole)
    client.root_async_client = PiecewiseClient(client.root_async_client)
    return client
