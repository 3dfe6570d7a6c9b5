"""The endpoints of one model server: chat completions, embeddings, models, its own addresses."""

import asyncio
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent_sandbox.exchange import (
    Exchange,
    PieceStream,
    RefusalError,
    UpstreamRules,
    broken_json,
    has_bearer_key,
)
from rich_agent_sandbox.ledger import Fault
from rich_agent_sandbox.model.completion import Completion, FunctionCall, complete, scripted
from rich_agent_sandbox.model.config import SandboxModelConfig
from rich_agent_sandbox.model.embedding import DEFAULT_DIMENSIONS, embed
from rich_agent_sandbox.model.language.text import count_tokens
from rich_agent_sandbox.model.message_parts import ImageUnreadableError, image_bytes
from rich_agent_sandbox.model.nonsense import senseless
from rich_agent_sandbox.model.prompt import Prompt, read_prompt
from rich_agent_sandbox.model.request import ChatRequest, EmbeddingRequest
from rich_agent_sandbox.openai import wire
from rich_agent_sandbox.openai.servers.faults import refuse_by_fault
from rich_agent_sandbox.openai.servers.personality import NativeAnswer, Personality
from rich_agent_sandbox.openai.servers.refusing import Refused, Rule, refusal
from rich_agent_sandbox.openai.servers.streaming import BROKEN, Reply
from rich_agent_sandbox.openai.servers.styles import styled
from rich_agent_sandbox.openai.servers.windows import fit, prompt_tokens

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """The model's answer to a request; `usage` counts the used part of the prompt."""

    request: ChatRequest
    choice: Completion
    usage: wire.Usage


@dataclass(frozen=True, slots=True)
class ModelServer:
    """One personality with the stand-in model behind it."""

    personality: Personality
    config: SandboxModelConfig

    @property
    def rules(self) -> UpstreamRules:
        """The rules that all its endpoints share."""
        personality = self.personality
        unreadable = "We could not parse the JSON body of your request."
        return UpstreamRules(
            upstream="openai",
            check_key=self._check_key,
            refuse_by_fault=partial(refuse_by_fault, personality),
            bad_body=lambda message: refusal(
                personality.form, Refused(400, f"{unreadable} {message}")
            ),
            describe=_describe,
            server=personality.name,
            headers=personality.headers,
        )

    async def chat(self, call: Exchange) -> Response:
        """`POST /chat/completions`."""
        if self.personality.api == "responses":
            message = "This model is only supported in v1/responses and not in v1/chat/completions."
            raise self._refusal(Refused(404, message, param="model"))
        self.check(call.body, self.personality.rules)
        answered = await self.answered(call, call.body)
        await self.think()
        request, choice = answered.request, answered.choice
        is_counted = not call.shows("uncounted") and self.personality.streams.usage != "never"
        reply = Reply(
            self.personality,
            request,
            wire.Envelope.new(call.started_at, request.model),
            [choice] * request.n,
            answered.usage if is_counted else None,
        )
        if not request.stream or self.personality.streams.ignored:
            if call.shows("error_chunk"):
                return JSONResponse(self.personality.form(BROKEN))
            return JSONResponse(reply.whole())
        pieces = max(1, choice.length * request.n)
        is_cut, is_closed = call.shows("truncated"), call.shows("closed")
        is_broken = call.shows("error_chunk")
        return PieceStream(
            reply.events(self.delay_s(call, pieces), cut=is_cut or is_closed, breaks=is_broken),
            cut=is_cut,
        )

    async def answered(self, call: Exchange, body: Mapping[str, Any]) -> Answered:
        """The model's answer to the body of a chat completion, changed by the fault.

        Raises: RefusalError in the server's form.
        """
        request, messages, prompt = self._read(body)
        if call.fault and call.shows("refuses") and body.get(call.fault.text) is not None:
            name = call.fault.text
            message = f"Unknown parameter: '{name}'."
            raise self._refusal(Refused(call.fault.status, message, param=name))
        choice = await self._said(request, prompt, call.fault)
        choice = choice.within(request.token_limit or self.personality.most_output)
        thought_tokens = count_tokens(choice.thought)
        output_tokens = (choice.tokens + thought_tokens) * request.n
        usage = wire.Usage(
            prompt_tokens(messages, request), output_tokens, thought_tokens * request.n
        )
        return Answered(request, choice, usage)

    async def _said(self, request: ChatRequest, prompt: Prompt, fault: Fault | None) -> Completion:
        """The completion in the server's style; a scripted one is sent unchanged."""
        if fault and fault.kind == "scripted":
            return self._handed_on(scripted(fault.text, fault.calls))
        if fault and fault.kind == "senseless":
            return self._handed_on(senseless(self._as_taken(request)))
        try:
            completion = await asyncio.to_thread(complete, self._as_taken(request), prompt)
        except ImageUnreadableError as error:
            raise self._bad_image(error) from error
        spoiled = completion.spoiled(fault.kind if fault else None, prompt)
        switch = self.personality.thinking.switch if self.personality.thinking else ""
        is_off = bool(switch) and (request.model_extra or {}).get(switch) is False
        personality = replace(self.personality, thinking=None) if is_off else self.personality
        return self._handed_on(styled(spoiled, prompt, personality))

    def _handed_on(self, completion: Completion) -> Completion:
        """The completion with its calls in the server's form."""
        tools = self.personality.tools
        calls = tuple(
            replace(
                call,
                as_object=call.as_object or tools.arguments_as_object,
                id=None if tools.without_id else self._id_of(call),
            )
            for call in completion.calls
        )
        return replace(completion, calls=calls)

    def _id_of(self, call: FunctionCall) -> str | None:
        length = self.personality.tools.id_length
        new_id = secrets.token_hex(length)[:length] if length else f"call_{secrets.token_hex(8)}"
        return call.id if call.id != "" else new_id

    async def think(self) -> None:
        """Wait as long as the server's model would be silent, scaled."""
        thinking = self.personality.thinking
        if thinking and thinking.silence_s:
            await asyncio.sleep(thinking.silence_s * self.config.time_scale)

    def delay_s(self, call: Exchange, pieces: int) -> float:
        """The seconds to wait after each of `pieces` pieces of a stream."""
        is_slow = call.shows("slow") or (call.shows("scripted") and call.delay_s > 0)
        return call.delay_s / pieces if is_slow else self.config.stream_delay_s

    async def embed(self, call: Exchange) -> Response:
        """`POST /embeddings`."""
        embeddings = self.personality.embeddings
        if embeddings is None:
            status = 501 if "--embeddings" in self.personality.missing else 404
            raise self._refusal(Refused(status, self.personality.missing, "not_supported_error"))
        self.check(call.body, embeddings.rules)
        try:
            request = EmbeddingRequest.model_validate(call.body)
        except ValidationError as error:
            raise self._invalid(error) from error
        self._check_model(request.model, self.personality.vector_models)
        dimensions = request.dimensions or DEFAULT_DIMENSIONS
        texts = [] if call.shows("empty") else request.texts
        vectors = await asyncio.to_thread(lambda: [embed(text, dimensions) for text in texts])
        tokens = sum(count_tokens(text) for text in request.texts)
        encoding = "float" if embeddings.always_floats else request.encoding_format
        answer = wire.embeddings(vectors, request.model, tokens, encoding)
        if call.shows("uncounted"):
            del answer["usage"]
        return _body(call, answer)

    async def models(self, call: Exchange) -> Response:
        """`GET /models`."""
        personality = self.personality
        names = () if call.shows("empty") else personality.chat_models + personality.vector_models
        data = [wire.model_object(name) | dict(personality.told) for name in names]
        if personality.lists_bare:
            return JSONResponse(data)
        return _body(call, {"object": "list", "data": data})

    async def model(self, call: Exchange) -> Response:
        """`GET /models/{model}`."""
        name = call.request.path_params["model"]
        call.body = {"model": name}
        self._check_model(name, self.personality.chat_models + self.personality.vector_models)
        return _body(call, wire.model_object(name) | dict(self.personality.told))

    async def native(self, answer: NativeAnswer, call: Exchange) -> Response:
        """Answer at an address of the server outside of `/v1`."""
        return _body(call, answer if isinstance(answer, Mapping) else answer(call.body))

    def check(self, body: Mapping[str, Any], rules: tuple[Rule, ...]) -> None:
        """Apply the rules. Raises: RefusalError."""
        for rule in rules:
            if refusal_error := rule(body, self.personality.form):
                raise refusal_error

    def _read(self, body: Mapping[str, Any]) -> tuple[ChatRequest, list[Json], Prompt]:
        try:
            request = ChatRequest.model_validate(body)
        except ValidationError as error:
            raise self._invalid(error) from error
        self._check_model(request.model, self.personality.chat_models)
        messages = [message.model_dump() for message in request.messages]
        messages = fit(messages, request, self.personality)
        try:
            return request, messages, read_prompt(messages)
        except ImageUnreadableError as error:
            raise self._bad_image(error) from error

    def _as_taken(self, request: ChatRequest) -> ChatRequest:
        """The request without the fields that the server ignores."""
        ignored_fields: Json = {}
        if self.personality.tools.obeyed != "always":
            ignored_fields["tool_choice"] = None
        if self.personality.tools.obeyed == "never":
            ignored_fields["tools"] = None
        response_format = request.response_format
        if response_format and response_format.type not in self.personality.formats:
            ignored_fields["response_format"] = None
        return request.model_copy(update=ignored_fields) if ignored_fields else request

    def _refusal(self, refused: Refused) -> RefusalError:
        return refusal(self.personality.form, refused)

    def _invalid(self, error: ValidationError) -> RefusalError:
        """A 400 that names the first invalid field."""
        first_error = error.errors(include_url=False, include_context=False)[0]
        param = ".".join(str(step) for step in first_error["loc"]) or None
        message = first_error["msg"].removeprefix("Value error, ")
        message_with_field = f"Invalid value for '{param}': {message}" if param else message
        return self._refusal(Refused(400, message_with_field, param=param))

    def _bad_image(self, error: ImageUnreadableError) -> RefusalError:
        message = f"Invalid image: {error}."
        return self._refusal(Refused(400, message, param="messages", code="invalid_image"))

    def _check_model(self, name: str, served: tuple[str, ...]) -> None:
        if name not in served:
            message = f"The model `{name}` does not exist or you do not have access to it."
            raise self._refusal(Refused(404, message, code="model_not_found"))

    def _check_key(self, request: Request) -> None:
        key = self.personality.key
        if key == "any" or has_bearer_key(request):
            return
        if key == "api-key" and request.headers.get("api-key"):
            return
        message = (
            "You didn't provide an API key. You need to provide your API key in an Authorization "
            "header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
        )
        raise self._refusal(Refused(401, message))


def _body(call: Exchange, payload: Mapping[str, Any]) -> Response:
    response = JSONResponse(payload)
    return broken_json(response) if call.shows("malformed") else response


def _describe(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The body with size and hash instead of each image; all text is kept."""
    lists = {name: body[name] for name in ("messages", "input") if isinstance(body.get(name), list)}
    return {**body, **{name: [_without_images(item) for item in lists[name]] for name in lists}}


def _without_images(message: object) -> object:
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        return message
    return {**message, "content": [_without_image(part) for part in message["content"]]}


def _without_image(part: object) -> object:
    if not isinstance(part, dict) or part.get("type") not in ("image_url", "input_image"):
        return part
    try:
        data = image_bytes(part)
    except ImageUnreadableError:
        return part
    description = {"image_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    return {**part, "image_url": description}
