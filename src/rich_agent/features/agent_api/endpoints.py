"""`/api/agent/query`, `/api/stream/{name}` and `/api/agent/approve/{name}`: runs for programs.

A closed connection does not stop a run. A client that comes back continues where it stopped.
"""

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Final

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StrictBool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature.runs import (
    DECISIONS,
    Decided,
    Run,
    RunAsked,
    RunEvent,
    RunService,
    RunText,
    begin_run,
    cards_of_question,
    on_one_line,
    question_markdown,
    take_event,
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
    handled_by,
    read_body,
    stop_at_refusal,
)

EventParts = tuple[str, Mapping[str, Any], Mapping[str, Any]]
"""An event's name, its data, and the fields outside `data`, which older programs read."""
_CALLS: Final = {
    "called": ("tool_call", ("id", "name", "arguments")),
    "returned": ("tool_response", ("id", "status", "content")),
}


@dataclass(slots=True)
class NamedEvents:
    """Writes the events of one run for the client, at most one for each event of the run.

    Each has the number of the run's event.
    """

    run: Run
    text: RunText
    prefix: str = ""

    def connection_event(self) -> str:
        """The first event, which has no number."""
        data = {"status": "ready", "conversationId": self.run.thread}
        run = {"id": self.run.run_id, "thread": self.run.thread, "state": self.run.state}
        return _event("connected", data, run)

    def take(self, event: RunEvent) -> str:
        """The named event for an event of the run, "" if there is none."""
        text = self.text.take(event)
        parts = self._parts_of(event, text)
        return _event(*parts, moment=event.at, number=f"{self.prefix}{event.seq}") if parts else ""

    def _parts_of(self, event: RunEvent, text: str) -> EventParts | None:
        data = event.data
        match event.kind:
            case "started":
                message = self.run.asked
                return "user_input", {"content": message.text, "messageId": message.message_id}, {}
            case "called" | "returned":
                name, keys = _CALLS[event.kind]
                return _same(name, {key: data[key] for key in keys})
            case "question":
                return _same("awaiting_approval", _question_of(data))
            case "ended":
                return self._end()
        if not text:
            return None
        message_id = f"{self.run.run_id}:{data.get('message', 0)}"
        return "text_chunk", {"content": text, "messageId": message_id}, {"text": text}

    def _end(self) -> EventParts:
        text = self.text
        if failure := text.failure:
            error_code, error_message = failure.code, failure.message
            return (
                "error",
                {"error": error_message, "code": error_code},
                {"code": error_code, "message": error_message},
            )
        run_result = {
            "outcome": text.outcome,
            "text": text.whole,
            "citations": [citation.to_state() for citation in text.citations],
            "usage": text.used.to_json(),
        }
        return _same("complete", run_result)


def _same(name: str, data: Mapping[str, Any]) -> EventParts:
    return name, data, data


def _question_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The question that a run waits for. If it has no `calls`, the reply has to be words."""
    calls = [{key: call[key] for key in ("id", "name", "arguments")} for call in data["calls"]]
    cards = cards_of_question(data)
    return {
        "question": question_markdown(data, cards),
        "choices": data["choices"],
        "calls": calls,
        "cards": [card.to_state() for card in cards],
        "expires_at": data.get("expires_at"),
    }


def _event(
    name: str,
    data: Mapping[str, Any],
    flat_fields: Mapping[str, Any],
    *,
    moment: datetime | None = None,
    number: str = "",
) -> str:
    timestamp = (moment or datetime.now(UTC)).isoformat()
    payload = on_one_line({"type": name, "timestamp": timestamp, "data": data, **flat_fields})
    id_line = f"id: {number}\n" if number else ""
    return f"{id_line}event: {name}\ndata: {payload}\n\n"


class AgentQuery(BaseModel):
    """A question in a conversation of the client. Under the same `id`, it is asked only once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    message: Annotated[str, Field(min_length=1, max_length=32_000)] = Field(
        validation_alias=AliasChoices("message", "query")
    )
    conversation: ClientId = Field("", validation_alias=AliasChoices("conversationId", "thread"))
    id: ClientId = ""


class AgentDecision(BaseModel):
    """A reply to the question of a run: a decision on calls, or words.

    `arguments`: changed arguments for some of the calls, by the id of the call.
    `always`: permits the call for good, if this is the third choice of the question.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    approved: StrictBool | None = None
    always: StrictBool = False
    text: str = Field("", max_length=32_000)
    arguments: dict[str, dict[str, Any]] = {}
    id: ClientId = ""


@dataclass(frozen=True, slots=True)
class ApiEndpoints:
    """Runs for the user's own programs. Runs of other users are not found."""

    service: RunService
    places: StreamPlaces = field(default_factory=StreamPlaces)

    def routes(self) -> Sequence[GuardedRoute]:
        """The routes; all need the scope `chat`."""
        return (
            GuardedRoute("/api/agent/query", "chat", handled_by(self.query), ("POST",)),
            GuardedRoute("/api/stream/{name:path}", "chat", handled_by(self.stream)),
            GuardedRoute(
                "/api/agent/approve/{name:path}", "chat", handled_by(self.approve), ("POST",)
            ),
        )

    async def query(self, request: Request, caller: Caller) -> Response:
        """Begin a run for a question."""
        query = read_body(AgentQuery, await request.body())
        if not query.message.strip():
            raise bad_request("The message is empty.")
        run_id = query.id or uuid.uuid4().hex
        message = RunAsked(query.message)
        return await self._begin(caller, run_id, query.conversation or run_id, message)

    async def approve(self, request: Request, caller: Caller) -> Response:
        """Begin the run that continues another run with a reply to its question."""
        run = await self._run_of(request, caller)
        decision = read_body(AgentDecision, await request.body())
        waiting_run = await self.service.runs.waiting_in(caller.user_id, run.thread)
        if waiting_run is None or waiting_run.update_id != run.update_id:
            raise bad_request("Nothing waits for an answer: it was given already, or has expired.")
        events = await self.service.runs.events(run)
        questions = [event.data for event in events if event.kind == "question"]
        reply = _reply_to(questions[-1], decision)
        return await self._begin(caller, decision.id or uuid.uuid4().hex, run.thread, reply)

    async def stream(self, request: Request, caller: Caller) -> Response:
        """Stream the events of a run to its end, after the event that the client names."""
        run = await self._run_of(request, caller)
        stop_at_refusal(request, partial(self.service.stop_own, run))
        # A conversation has many runs, so its event ids contain the run and the number.
        is_named_by_run = run.run_id == request.path_params["name"]
        events = NamedEvents(run, RunText.of(run), "" if is_named_by_run else f"{-run.update_id}.")
        last_id = request.headers.get("last-event-id", "")
        last_number = (
            last_id.removeprefix(events.prefix) if last_id.startswith(events.prefix) else ""
        )
        last_seq = whole_number(last_number or "0")
        if last_seq is None:
            raise bad_request("Last-Event-ID is the id of an event of this stream.")
        lines = self._lines(events, last_seq)
        return PlacedStreamResponse(lines, self.places, caller.token_id or -caller.user_id)

    async def _lines(self, events: NamedEvents, last_seq: int) -> AsyncIterator[str]:
        yield events.connection_event()
        async with self.service.runs.following(events.run) as batches:
            async for batch in batches:
                if not batch:
                    yield KEEP_ALIVE
                for event in batch:
                    line = await take_event(event, events.take)
                    if line and event.seq > last_seq:
                        yield line

    async def _begin(self, caller: Caller, run_id: str, thread: str, message: RunAsked) -> Response:
        run = await begin_run(self.service, caller, run_id, thread, message)
        addresses = {"id": run.run_id, "thread": run.thread, "stream": f"/api/stream/{run.run_id}"}
        return JSONResponse({"conversationId": run.thread, **addresses}, 202)

    async def _run_of(self, request: Request, caller: Caller) -> Run:
        """The newest run of this conversation, or the run with this id.

        Raises: RequestRefusedError.
        """
        name, runs = request.path_params["name"], self.service.runs
        newest_run = await runs.newest_in(caller.user_id, name)
        run = newest_run or await runs.find(caller.user_id, name)
        if run is None:
            raise RequestRefusedError(404, "unknown_run", "This conversation is not known.")
        return run


def _reply_to(question: Mapping[str, Any], decision: AgentDecision) -> RunAsked:
    """The request for the run that continues with the reply. Raises: RequestRefusedError."""
    answers, approves = question["request_id"], question["approves"]
    if not approves or decision.approved is None:
        if not decision.text.strip():
            raise bad_request('Send {"approved": true | false}, or {"text": "your answer"}.')
        return RunAsked(decision.text, answers=answers)
    if unknown := decision.arguments.keys() - {call["id"] for call in question["calls"]}:
        raise bad_request(f"No call {min(unknown)!r} waits. `arguments` are by the id of a call.")
    is_lasting = decision.always and decision.approved
    verdict: Decided = "always" if is_lasting else "approved" if decision.approved else "cancelled"
    position = DECISIONS.index(verdict)
    if position >= len(question["choices"]) or (is_lasting and decision.arguments):
        raise bad_request("This call cannot be permitted for good. Approve it without `always`.")
    return RunAsked(
        decision.text or question["choices"][position],
        answers=answers,
        decision=verdict,
        approves=approves,
        edits=decision.arguments,
    )
