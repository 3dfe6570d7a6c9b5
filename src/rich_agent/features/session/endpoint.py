"""`/api/sessions/{id}/chat`: lets a program continue a guided session.

A message is a run in the user's main conversation. A worker finishes the run even if the connection
breaks.
"""

import json
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature.runs import (
    Run,
    RunAsked,
    RunEvent,
    RunService,
    RunText,
    begin_run,
    newest_question,
    on_one_line,
    take_event,
    words_or_decision,
)
from rich_agent.feature.text import whole_number
from rich_agent.feature.web import (
    KEEP_ALIVE,
    Caller,
    ClientId,
    GuardedRoute,
    PlacedStreamResponse,
    RequestRefusedError,
    StreamPlaces,
    bad_request,
    caller_of,
    handled_by,
    read_body,
    stop_at_refusal,
)
from rich_agent.features.session.records import SessionMessage, SessionRecord, SessionRecords
from rich_agent.features.session.sessions import MOST_MESSAGES

OPEN_SESSION: Final = "current"
"""The id that stands for the open session."""
MOST_CONTEXT_CHARS: Final = 8_000
_THREAD: Final = "chat"
_USER_MESSAGE: Final = ":user"
Wire = dict[str, Any]


class SessionQuestion(BaseModel):
    """A message of the user, with context from the program; under an `id`, it is sent only once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    message: Annotated[str, Field(min_length=1, max_length=32_000)]
    context: str | dict[str, Any] | None = None
    id: ClientId = ""

    def context_text(self) -> str:
        """The context as text. Raises: RequestRefusedError if it is too long."""
        context = self.context or ""
        text = context if isinstance(context, str) else json.dumps(context, ensure_ascii=False)
        if len(text) > MOST_CONTEXT_CHARS:
            raise bad_request(f"`context` has at most {MOST_CONTEXT_CHARS:,} characters.", 413)
        return text


class ChatRetry(BaseModel):
    """The answer to write again: its id in the history, or the id in its `message_start`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    message_id: Annotated[str, Field(min_length=1, max_length=200)]


@dataclass(slots=True)
class ChatEvents:
    """Writes one run as the events of a message: start, text, tools and end."""

    run: Run
    text: RunText
    tools: dict[str, str] = field(default_factory=dict)

    def start(self) -> str:
        """The first event."""
        return _event("message_start", {"id": self.run.asked.answers or self.run.request_id})

    def take(self, event: RunEvent) -> str:
        """The text of the events for an event of the run, "" if there are none."""
        delta, data = self.text.take(event), event.data
        match event.kind:
            case "called":
                self.tools[data["id"]] = data["name"]
                return _event("tool_use", {"tool": data["name"], "input": data["arguments"]})
            case "returned":
                tool_name = self.tools.get(data["id"], "")
                return _event("tool_result", {"tool": tool_name, "result": data["content"]})
            case "ended":
                return _event(*self._end())
        return _event("content_delta", {"delta": delta}) if delta else ""

    def _end(self) -> tuple[str, Wire]:
        if failure := self.text.failure:
            return "error", {"error": failure.message, "code": failure.code}
        used = self.text.used
        return "message_end", {
            "tokens_input": used.input_tokens,
            "tokens_output": used.output_tokens,
            "outcome": self.text.outcome,
        }


def _event(name: str, data: Mapping[str, Any]) -> str:
    return f"event: {name}\ndata: {on_one_line({'type': name, **data})}\n\n"


@dataclass(frozen=True, slots=True)
class SessionChatEndpoints:
    """Guided sessions for the user's own programs. Sessions of other users are not found."""

    service: RunService
    records: SessionRecords
    places: StreamPlaces = field(default_factory=StreamPlaces)

    def routes(self) -> Sequence[GuardedRoute]:
        """The routes; all need the scope `chat`."""
        chat, post = "/api/sessions/{id}/chat", ("POST",)
        return (
            GuardedRoute(chat, "chat", handled_by(self.chat), post),
            GuardedRoute(f"{chat}/history", "chat", handled_by(self.history)),
            GuardedRoute(f"{chat}/regenerate", "chat", handled_by(self.regenerate), post),
        )

    async def chat(self, request: Request, caller: Caller) -> Response:
        """Send a message to the session, and stream the answer."""
        await self._open_session(request, caller)
        body = read_body(SessionQuestion, await request.body())
        if not body.message.strip():
            raise bad_request("The message is empty.")
        context, runs = body.context_text(), self.service.runs
        # Context may be by other people, so a message with context never answers a question.
        if context and await runs.waiting_in(caller.user_id, _THREAD):
            await self._refuse_unless_sent_again(caller, body.id)
        message = RunAsked(body.message, context=context)
        message = await words_or_decision(runs, caller.user_id, _THREAD, message)
        return await self._stream(request, body.id, message)

    async def regenerate(self, request: Request, caller: Caller) -> Response:
        """Write the last answer again, and stream its replacement."""
        session_record = await self._open_session(request, caller)
        body = read_body(ChatRetry, await request.body())
        last_message = next(
            reversed(await self.records.messages(caller.user_id, session_record)), None
        )
        turn_id = (
            last_message.request_id
            if last_message and body.message_id in _ids_of(last_message)
            else ""
        )
        question = turn_id and await newest_question(
            self.service.runs, caller.user_id, _THREAD, turn_id
        )
        if not question:
            raise RequestRefusedError(
                409,
                "not_latest",
                "Only the last answer of the session can be written again.",
                hint="GET the history: `message_id` is the `id` of its last answer.",
            )
        return await self._stream(request, "", RunAsked(question, replaces=turn_id))

    async def history(self, request: Request, caller: Caller) -> Response:
        """The messages of the session, oldest first, and its state."""
        session_record = await self._session(request, caller)
        messages = await self.records.messages(caller.user_id, session_record)
        return JSONResponse(
            {
                "messages": [_message(message) for message in messages],
                "context": {
                    "id": session_record.session.id,
                    "template": session_record.session.template,
                    "status": session_record.status,
                    "messages": session_record.session.messages,
                    "most_messages": MOST_MESSAGES,
                    "outputs": list(session_record.outputs),
                },
            }
        )

    async def _refuse_unless_sent_again(self, caller: Caller, run_id: str) -> None:
        """Refuse a message unless a run with its id exists. Raises: RequestRefusedError."""
        if run_id and await self.service.runs.find(caller.user_id, run_id):
            return
        raise RequestRefusedError(
            409,
            "question_waits",
            "The bot waits for an answer, which takes no context.",
            hint="Send the answer without `context`.",
        )

    async def _session(self, request: Request, caller: Caller) -> SessionRecord:
        """The session in the address. Raises: RequestRefusedError."""
        id_text = request.path_params["id"]
        session_id = None if id_text == OPEN_SESSION else whole_number(id_text)
        is_valid_id = session_id is not None or id_text == OPEN_SESSION
        session_record = (
            await self.records.find(caller.user_id, session_id) if is_valid_id else None
        )
        if session_record is None:
            raise RequestRefusedError(
                404,
                "unknown_session",
                "This session is not known.",
                hint="Begin one with the message /plan, /review or /brainstorm; the open one is "
                f"/api/sessions/{OPEN_SESSION}/chat.",
            )
        return session_record

    async def _open_session(self, request: Request, caller: Caller) -> SessionRecord:
        session_record = await self._session(request, caller)
        if session_record.status != "active":
            raise RequestRefusedError(
                409,
                "session_over",
                "This session is over.",
                hint="Begin another one with the message /plan, /review or /brainstorm.",
            )
        return session_record

    async def _stream(self, request: Request, run_id: str, message: RunAsked) -> Response:
        caller = caller_of(request)
        reader_id = caller.token_id or -caller.user_id
        # No run is begun without a place. The stream takes the place before another task can.
        with self.places.place(reader_id):
            run = await begin_run(
                self.service, caller, run_id or uuid.uuid4().hex, _THREAD, message
            )
        stop_at_refusal(request, partial(self.service.stop_own, run))
        lines = self._lines(ChatEvents(run, RunText.of(run)))
        return PlacedStreamResponse(lines, self.places, reader_id)

    async def _lines(self, events: ChatEvents) -> AsyncIterator[str]:
        yield events.start()
        async with self.service.runs.following(events.run) as batches:
            async for batch in batches:
                if not batch:
                    yield KEEP_ALIVE
                for event in batch:
                    if line := await take_event(event, events.take):
                        yield line


def _ids_of(message: SessionMessage) -> tuple[str, ...]:
    """The ids of an answer: its turn, and the run that finished it, if that was another turn."""
    return (message.request_id, message.answered_by) if message.role == "assistant" else ()


def _message(message: SessionMessage) -> Wire:
    suffix = _USER_MESSAGE if message.role == "user" else ""
    return {
        "id": message.request_id + suffix,
        "role": message.role,
        "content": message.content,
        "created_at": message.said_at.isoformat(timespec="seconds"),
    }
