"""`/v1/models` and `/v1/chat/completions`: a completion is a run, followed to its end.

A client of this API can stop an answer only by closing the connection, so a closed connection ends
the run.
"""

import asyncio
import re
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from rich_agent.feature.concurrency import alongside, unless
from rich_agent.feature.runs import (
    ImageLimits,
    Run,
    RunAsked,
    RunFailure,
    RunService,
    RunText,
    SentFile,
    Uploads,
    Usage,
    begin_run,
    on_one_line,
    take_event,
    words_or_decision,
)
from rich_agent.feature.text import is_web
from rich_agent.feature.web import (
    KEEP_ALIVE,
    Caller,
    EventStreamResponse,
    GuardedRoute,
    RequestRefusedError,
    StreamPlaces,
    bad_request,
    caller_of,
    handled_by,
    stop_at_refusal,
)
from rich_agent.features.openai_api.requests import CompletionRequest, read_request

MODEL = "rich-agent"
ERRAND_MODEL = "rich-agent-tasks"
"""The model for texts of a client's own tasks, such as Open WebUI's. These are no turns."""
DONE = "data: [DONE]\n\n"
_PIECE_CHARS = 200
Wire = dict[str, Any]


def pieces(text: str) -> Iterator[str]:
    """Cut a complete text into larger pieces, because each event has an overhead of 300 bytes."""
    yield from (text[start : start + _PIECE_CHARS] for start in range(0, len(text), _PIECE_CHARS))


@dataclass(frozen=True, slots=True)
class CompletionWriter:
    """Writes the completion of one run; `created` is its time in seconds since 1970."""

    run: Run
    created: int

    def chunk(self, delta: Wire, finish: str | None = None) -> str:
        """An event of the stream."""
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return _line({**self._head("chat.completion.chunk"), "choices": [choice]})

    def usage(self, used: Usage) -> str:
        """The event with the usage, which follows the last chunk."""
        final_fields = {"choices": [], "usage": usage_of(used)}
        return _line({**self._head("chat.completion.chunk"), **final_fields})

    def whole(self, text: RunText) -> Wire:
        """The completion as one object."""
        refusal = text.refusal or None
        content = None if refusal else text.whole
        message: Wire = {"role": "assistant", "content": content, "refusal": refusal}
        if annotations := annotations_of(text):
            message["annotations"] = annotations
        choice = {
            "index": 0,
            "message": message,
            "logprobs": None,
            "finish_reason": finish_of(text),
        }
        return {
            **self._head("chat.completion"),
            "choices": [choice],
            "usage": usage_of(text.used),
        }

    def _head(self, kind: str) -> Wire:
        return {
            "id": f"chatcmpl-{self.run.run_id}",
            "object": kind,
            "created": self.created,
            "model": ERRAND_MODEL if self.run.asked.is_errand else MODEL,
        }


def failure_line(failure: RunFailure) -> str:
    """The event for a failure after the stream has begun."""
    return _line({"error": error_of(failure)})


def error_of(failure: RunFailure) -> Wire:
    """A failure in the form of OpenAI's errors."""
    return {
        "message": failure.message,
        "type": "server_error",
        "param": None,
        "code": failure.code,
    }


def finish_of(text: RunText) -> str:
    """The finish reason: "length" if the text was cut, else "stop"."""
    return "length" if text.is_cut else "stop"


def annotations_of(text: RunText) -> Sequence[Wire]:
    """The citations with a web address, each with the position of its first marker in the text."""
    annotations = []
    for citation in text.citations:
        if is_web(citation.link):
            marker = f"[{citation.number}]"
            start = max(0, text.whole.find(marker))
            url_citation = {
                "start_index": start,
                "end_index": start + len(marker),
                "url": citation.link,
                "title": citation.label,
            }
            annotations.append({"type": "url_citation", "url_citation": url_citation})
    return annotations


def usage_of(used: Usage) -> Wire:
    """The tokens that all calls of a turn read and wrote."""
    return {
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "total_tokens": used.tokens,
        "prompt_tokens_details": {"cached_tokens": used.cached_tokens},
    }


def _line(value: Mapping[str, Any]) -> str:
    return f"data: {on_one_line(value)}\n\n"


T = TypeVar("T")


async def until_client_leaves(receive: Receive, work: Awaitable[T]) -> T:
    """Return the result of the work; cancel the work if the client disconnects.

    Raises: ClientDisconnect.
    """
    is_gone = asyncio.Event()

    async def listen() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        is_gone.set()

    async def run_work() -> tuple[T]:
        return (await work,)

    async with alongside(listen()):
        result = await unless(is_gone, run_work())
    if result is None:
        raise ClientDisconnect
    return result[0]


KEEP_ALIVE_S = 10.0
_MODELS = (MODEL, ERRAND_MODEL)
_MOST_BODY_BYTES = 12_000_000
"""Most bytes of a body with images and a conversation, of which only the end is read."""
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
_THREAD_HEADERS = ("x-openwebui-chat-id", "x-conversation-id")
_STATUS: Mapping[str, int] = MappingProxyType(
    {"daily_limit": 429, "not_allowed": 403, "question_closed": 409, "model_away": 503}
)


@dataclass(frozen=True, slots=True)
class OpenAIEndpoints:
    """The bot as a model of the OpenAI API."""

    service: RunService
    uploads: Uploads
    images: ImageLimits = field(default_factory=ImageLimits)
    places: StreamPlaces = field(default_factory=StreamPlaces)

    def routes(self) -> Sequence[GuardedRoute]:
        """The routes; all need the scope `chat`."""
        path = "/v1/chat/completions"
        return (
            GuardedRoute("/v1/models", "chat", handled_by(_list_models)),
            GuardedRoute("/v1/models/{model}", "chat", handled_by(_describe_model)),
            GuardedRoute(path, "chat", self.complete, ("POST",), _MOST_BODY_BYTES),
        )

    async def complete(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin a run for the user's last message, and answer with the text of the run."""
        request = Request(scope, receive)
        caller = caller_of(request)
        completion = read_request(await request.body())
        if completion.model not in _MODELS:
            raise _unknown_model(completion.model)
        with self.places.place(caller.token_id or -caller.user_id):
            run = await self._begin(request, caller, completion)
            stop_at_refusal(request, partial(self.service.stop_own, run))
            try:
                await until_client_leaves(receive, self._answer(run, completion, scope, send))
            except ClientDisconnect:
                await self.service.stop(run)
                raise

    async def _begin(self, request: Request, caller: Caller, completion: CompletionRequest) -> Run:
        run_id = request.headers.get("idempotency-key") or uuid.uuid4().hex
        if not _NAME.fullmatch(run_id):
            raise bad_request("An idempotency key has 1 to 200 characters.")
        if earlier_run := await self.service.runs.find(caller.user_id, run_id):
            return earlier_run
        message = completion.last_message()
        images = [await self._keep(caller, *image) for image in message.images()]
        files = [
            SentFile(await self._keep(caller, mime, data), name, mime, len(data))
            for name, mime, data in message.files()
        ]
        is_errand = completion.model == ERRAND_MODEL
        run_request = RunAsked(
            message.text(),
            tuple(images),
            tuple(files),
            is_errand=is_errand,
            shape=completion.shape(),
        )
        if not run_request.text.strip() and not images and not files:
            raise bad_request("The message is empty.", param="messages")
        thread = ERRAND_MODEL if is_errand else _thread(request, completion)
        if not is_errand:
            run_request = await words_or_decision(
                self.service.runs, caller.user_id, thread, run_request
            )
        return await begin_run(self.service, caller, run_id, thread, run_request)

    async def _keep(self, caller: Caller, mime: str, data: bytes) -> str:
        if not data or len(data) > self.images.max_bytes:
            raise bad_request(f"A file has 1 to {self.images.max_bytes:,} bytes.", 413)
        return await self.uploads.keep(caller.user_id, mime, data)

    async def _answer(
        self, run: Run, completion: CompletionRequest, scope: Scope, send: Send
    ) -> None:
        completion_writer = CompletionWriter(run, int(time.time()))
        response: Response
        if completion.stream:
            options = completion.stream_options
            with_usage = options is not None and options.include_usage
            response = EventStreamResponse(self._lines(completion_writer, with_usage=with_usage))
        else:
            response = await self._whole(completion_writer)
        await response(scope, _hear_nothing, send)

    async def _whole(self, completion_writer: CompletionWriter) -> Response:
        run_text = RunText.of(completion_writer.run)
        async with self.service.runs.following(completion_writer.run) as batches:
            async for batch in batches:
                for event in batch:
                    await take_event(event, run_text.take)
        if failure := run_text.failure:
            # The run is over. The same request, sent again, would be another turn.
            headers = {"x-should-retry": "false"}
            return JSONResponse({"error": error_of(failure)}, _status_of(failure), headers)
        return JSONResponse(completion_writer.whole(run_text))

    async def _lines(
        self, completion_writer: CompletionWriter, *, with_usage: bool
    ) -> AsyncIterator[str]:
        text = RunText.of(completion_writer.run)
        yield completion_writer.chunk({"role": "assistant", "content": ""})
        async with self.service.runs.following(
            completion_writer.run, beat_s=KEEP_ALIVE_S
        ) as batches:
            async for batch in batches:
                if not batch:
                    yield KEEP_ALIVE
                for event in batch:
                    for piece in pieces(await take_event(event, text.take)):
                        yield completion_writer.chunk({"content": piece})
        if text.failure:
            yield failure_line(text.failure)
            yield DONE
            return
        if text.refusal:
            yield completion_writer.chunk({"refusal": text.refusal})
        if annotations := annotations_of(text):
            yield completion_writer.chunk({"annotations": annotations})
        yield completion_writer.chunk({}, finish_of(text))
        if with_usage:
            yield completion_writer.usage(text.used)
        yield DONE


async def _hear_nothing() -> Message:
    """Never return, because `until_client_leaves` listens to the connection instead."""
    await asyncio.Event().wait()
    raise ClientDisconnect


async def _list_models(_request: Request, _caller: Caller) -> Response:
    return JSONResponse({"object": "list", "data": [_model(model_name) for model_name in _MODELS]})


async def _describe_model(request: Request, _caller: Caller) -> Response:
    model_name = request.path_params["model"]
    if model_name not in _MODELS:
        raise _unknown_model(model_name)
    return JSONResponse(_model(model_name))


def _model(model_name: str) -> dict[str, object]:
    return {"id": model_name, "object": "model", "created": 0, "owned_by": "rich-agent"}


def _unknown_model(model_name: str) -> RequestRefusedError:
    return RequestRefusedError(
        404,
        "model_not_found",
        f"The model {model_name[:80]!r} does not exist.",
        hint=f"Ask for the model {MODEL}.",
    )


def _status_of(failure: RunFailure) -> int:
    return _STATUS.get(failure.code, 500)


def _thread(request: Request, completion: CompletionRequest) -> str:
    """The client's name for the conversation, or a default."""
    thread_names = [request.headers.get(header_name, "") for header_name in _THREAD_HEADERS]
    thread = next(filter(None, [*thread_names, completion.user]), "openai")
    return thread if _NAME.fullmatch(thread) else "openai"
