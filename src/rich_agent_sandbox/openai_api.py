"""The OpenAI-compatible stand-in: chat completions, embeddings and models over real HTTP.

Faults (`Fault.kind`), asked for by method `chat.completions`, `embeddings` or `models`:

- `429` (with Retry-After), `500`, `503`, `401`: refused in OpenAI's form.
- `timeout`: waits `delay_s`, then answers.
- `slow`: spreads `delay_s` over the pieces of a stream; otherwise as `timeout`.
- `truncated`: half of the answer without finish_reason and [DONE], then the connection drops.
- `malformed`: half of a JSON object as content or tool arguments; elsewhere as the body.
- `empty`: an empty completion, no embeddings, no models.
- `uncounted`: chat and embeddings; the answer tells no usage, as of a server that counts nothing.
- `strict`: chat only; a request with `stream_options` is refused with 400, others are answered.
- `invented`: chat only; the text cites a passage number that was not given, next to the real ones.
- `uncited`: chat only; the text cites nothing.
- `fabricated`: chat only; the text gives, and cites, a number that no passage holds.
- `lengthy`: chat only; the text says the same again and again, for 12,000 characters.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from rich_agent_sandbox import openai_wire as wire
from rich_agent_sandbox.exchange import (
    Endpoint,
    Exchange,
    PieceStream,
    RefusalError,
    UpstreamRules,
    broken_json,
    has_bearer_key,
)
from rich_agent_sandbox.ledger import Fault, Ledger
from rich_agent_sandbox.model.completion import Completion, complete
from rich_agent_sandbox.model.config import SandboxModelConfig
from rich_agent_sandbox.model.embedding import DEFAULT_DIMENSIONS, embed
from rich_agent_sandbox.model.prompt import (
    ImageUnreadableError,
    Prompt,
    image_bytes,
    image_parts,
    read_prompt,
    text_of,
)
from rich_agent_sandbox.model.request import ChatRequest, EmbeddingRequest
from rich_agent_sandbox.model.text import count_tokens

CHAT_MODELS = ("sandbox-chat", "sandbox-vision")
EMBEDDING_MODELS = ("sandbox-embedding",)
_TOKENS_OF_IMAGE = 85  # of an image in low detail, by OpenAI's Images guide


def openai_routes(ledger: Ledger, config: SandboxModelConfig | None = None) -> list[BaseRoute]:
    """The routes below `/v1`; every call goes to `ledger`.

    Without `config` the environment is read, once.
    """
    model = _Model(config or SandboxModelConfig.from_environment())
    chat = Endpoint(ledger, _RULES, "chat.completions", model.chat)
    embeddings = Endpoint(ledger, _RULES, "embeddings", _embeddings)
    models = Endpoint(ledger, _RULES, "models", _models)
    one_model = Endpoint(ledger, _RULES, "models", _one_model)
    return [
        Route("/chat/completions", chat.answer, methods=["POST"]),
        Route("/embeddings", embeddings.answer, methods=["POST"]),
        Route("/models", models.answer, methods=["GET"]),
        Route("/models/{model:path}", one_model.answer, methods=["GET"]),
    ]


@dataclass(frozen=True, slots=True)
class _Model:
    config: SandboxModelConfig

    async def chat(self, call: Exchange) -> Response:
        request, prompt = _read_chat(call)
        if call.shows("strict") and request.stream_options:
            raise wire.refusal(400, "Unknown parameter: 'stream_options'.", param="stream_options")
        try:
            answer = await asyncio.to_thread(complete, request, prompt)
        except ImageUnreadableError as error:
            raise _bad_image(error) from error
        kind = call.fault.kind if call.fault else None
        choice = answer.spoiled(kind, prompt).within(request.token_limit)
        reply = _Reply(
            request,
            wire.Envelope.new(call.started_at, request.model),
            [choice] * request.n,
            None
            if call.shows("uncounted")
            else wire.Usage(_prompt_tokens(request), count_tokens(choice.text) * request.n),
        )
        if not request.stream:
            return JSONResponse(reply.envelope.completion(reply.choices, reply.usage))
        pieces = max(1, len(choice.pieces()) * request.n)
        delay_s = call.delay_s / pieces if call.shows("slow") else self.config.stream_delay_s
        cut = call.shows("truncated")
        return PieceStream(reply.events(delay_s, cut=cut), cut=cut)


@dataclass(frozen=True, slots=True)
class _Reply:
    request: ChatRequest
    envelope: wire.Envelope
    choices: list[Completion]
    usage: wire.Usage | None

    async def events(self, delay_s: float, *, cut: bool) -> AsyncIterator[bytes]:
        """The server-sent events of the reply; the first half of them when it is cut."""
        tells_usage = self.request.wants_usage and self.usage is not None
        parts = [part for i, choice in enumerate(self.choices) for part in wire.deltas(i, choice)]
        for part in parts[: max(1, len(parts) // 2)] if cut else parts:
            yield self.envelope.chunk([part], None, tells_usage=tells_usage)
            await asyncio.sleep(delay_s)
        if not cut:
            if tells_usage:
                yield self.envelope.chunk([], self.usage, tells_usage=True)
            yield wire.DONE


async def _embeddings(call: Exchange) -> Response:
    try:
        request = EmbeddingRequest.model_validate(call.body)
    except ValidationError as error:
        raise wire.invalid(error) from error
    _check_model(request.model, EMBEDDING_MODELS)
    dimensions = request.dimensions or DEFAULT_DIMENSIONS
    texts = [] if call.shows("empty") else request.texts
    vectors = await asyncio.to_thread(lambda: [embed(text, dimensions) for text in texts])
    tokens = sum(count_tokens(text) for text in request.texts)
    answer = wire.embeddings(vectors, request.model, tokens, request.encoding_format)
    if call.shows("uncounted"):
        del answer["usage"]
    return _body(call, answer)


async def _models(call: Exchange) -> Response:
    names = () if call.shows("empty") else CHAT_MODELS + EMBEDDING_MODELS
    data = [wire.model_object(name) for name in names]
    return _body(call, {"object": "list", "data": data})


async def _one_model(call: Exchange) -> Response:
    name = call.request.path_params["model"]
    call.body = {"model": name}
    _check_model(name, CHAT_MODELS + EMBEDDING_MODELS)
    return _body(call, wire.model_object(name))


def _body(call: Exchange, payload: Mapping[str, Any]) -> Response:
    response = JSONResponse(payload)
    return broken_json(response) if call.shows("malformed") else response


def _read_chat(call: Exchange) -> tuple[ChatRequest, Prompt]:
    try:
        request = ChatRequest.model_validate(call.body)
    except ValidationError as error:
        raise wire.invalid(error) from error
    _check_model(request.model, CHAT_MODELS)
    try:
        return request, read_prompt([message.model_dump() for message in request.messages])
    except ImageUnreadableError as error:
        raise _bad_image(error) from error


def _bad_image(error: ImageUnreadableError) -> RefusalError:
    return wire.refusal(400, f"Invalid image: {error}.", param="messages", code="invalid_image")


def _check_model(name: str, served: tuple[str, ...]) -> None:
    if name not in served:
        message = f"The model `{name}` does not exist or you do not have access to it."
        raise wire.refusal(404, message, code="model_not_found")


def _check_key(request: Request) -> None:
    if not has_bearer_key(request):
        raise wire.refusal(
            401,
            "You didn't provide an API key. You need to provide your API key in an Authorization "
            "header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
        )


def _refuse_by_fault(fault: Fault) -> None:
    if fault.kind == "401":
        raise wire.refusal(401, "Incorrect API key provided.", code="invalid_api_key")
    if fault.kind == "429":
        raise wire.refusal(
            429, "Rate limit reached.", kind="requests", code="rate_limit_exceeded"
        ).retried_after(fault)
    if fault.kind in ("500", "503"):
        message = "The server had an error while processing your request."
        raise wire.refusal(int(fault.kind), message, kind="server_error")


def _prompt_tokens(request: ChatRequest) -> int:
    messages = [message.model_dump() for message in request.messages]
    images = sum(len(image_parts(m)) for m in messages)
    tools = "".join(tool.model_dump_json(exclude_unset=True) for tool in request.tools or ())
    texts = sum(count_tokens(text_of(m)) for m in messages) + count_tokens(tools)
    return texts + images * _TOKENS_OF_IMAGE


def _describe(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The body with size and hash in place of each image; all text is kept."""
    messages = body.get("messages")
    if not isinstance(messages, list):
        return body
    return {**body, "messages": [_without_images(message) for message in messages]}


def _without_images(message: object) -> object:
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        return message
    return {**message, "content": [_without_image(part) for part in message["content"]]}


def _without_image(part: object) -> object:
    if not isinstance(part, dict) or part.get("type") != "image_url":
        return part
    try:
        data = image_bytes(part)
    except ImageUnreadableError:
        return part
    described = {"image_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    return {**part, "image_url": described}


_RULES = UpstreamRules(
    upstream="openai",
    check_key=_check_key,
    refuse_by_fault=_refuse_by_fault,
    bad_body=lambda message: wire.refusal(
        400, f"We could not parse the JSON body of your request. {message}"
    ),
    describe=_describe,
)
