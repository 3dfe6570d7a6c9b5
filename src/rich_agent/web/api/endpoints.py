"""`/api/agent/query`, `/api/stream/{name}` and `/api/agent/approve/{name}`: runs, thinly projected.

A closed connection stops nothing: whoever comes back goes on where they were.
"""

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.domain.runs import Run, RunAsked
from rich_agent.domain.text import whole_number
from rich_agent.ports.runs import TooManyRunsError
from rich_agent.runs.service import RunService
from rich_agent.web.access import Caller
from rich_agent.web.api.events import NamedEvents
from rich_agent.web.refusals import RequestRefusedError
from rich_agent.web.routes import GuardedRoute, handled_by
from rich_agent.web.run_text import RunText
from rich_agent.web.streams import PlacedStreamResponse, StreamPlaces, taken

T = TypeVar("T", bound=BaseModel)
_KEEP_ALIVE = ": keep-alive\n\n"
_NAME = r"^[^\x00-\x1f\x7f]*$"
_Name = Annotated[str, Field(max_length=200, pattern=_NAME)]


class AgentQuery(BaseModel):
    """A question in a conversation of the client; under the same `id` it is asked once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    message: Annotated[str, Field(min_length=1, max_length=32_000)] = Field(
        validation_alias=AliasChoices("message", "query")
    )
    conversation: _Name = Field("", validation_alias=AliasChoices("conversationId", "thread"))
    id: _Name = ""


class AgentDecision(BaseModel):
    """A reply to what a run waits for: a decision on calls, or words for a question.

    `arguments` are other ones for some of the calls, by the call's id.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    approved: bool | None = None
    text: str = Field("", max_length=32_000)
    arguments: dict[str, dict[str, Any]] = {}
    id: _Name = ""


@dataclass(frozen=True, slots=True)
class ApiEndpoints:
    """Runs for programs of one's own. Somebody else's run is not found."""

    service: RunService
    places: StreamPlaces = field(default_factory=StreamPlaces)

    def routes(self) -> Sequence[GuardedRoute]:
        """Every address, with the scope `chat`."""
        return (
            GuardedRoute("/api/agent/query", "chat", handled_by(self.query), ("POST",)),
            GuardedRoute("/api/stream/{name:path}", "chat", handled_by(self.stream)),
            GuardedRoute(
                "/api/agent/approve/{name:path}", "chat", handled_by(self.approve), ("POST",)
            ),
        )

    async def query(self, request: Request, caller: Caller) -> Response:
        """Begin a run for a question."""
        asked = _read(AgentQuery, await request.body())
        if not asked.message.strip():
            raise _refused("The message is empty.")
        run_id = asked.id or uuid.uuid4().hex
        said = RunAsked(asked.message)
        return await self._begun(caller, run_id, asked.conversation or run_id, said)

    async def approve(self, request: Request, caller: Caller) -> Response:
        """Begin the run that goes on with what another one waits for."""
        run = await self._known(request, caller)
        given = _read(AgentDecision, await request.body())
        waiting = await self.service.runs.waiting_in(caller.user_id, run.thread)
        if waiting is None or waiting.update_id != run.update_id:
            raise _refused("Nothing waits for an answer: it was given already, or has expired.")
        events = await self.service.runs.events(run)
        asked = [event.data for event in events if event.kind == "question"]
        answered = _answered(given, asked[-1])
        return await self._begun(caller, given.id or uuid.uuid4().hex, run.thread, answered)

    async def stream(self, request: Request, caller: Caller) -> Response:
        """The events of a run behind the one that the client names, to its end."""
        run = await self._known(request, caller)
        # A conversation has many runs, so its events are known by run and number.
        is_run = run.run_id == request.path_params["name"]
        named = NamedEvents(run, RunText.of(run), "" if is_run else f"{-run.update_id}.")
        told = request.headers.get("last-event-id", "")
        seen = told.removeprefix(named.prefix) if told.startswith(named.prefix) else ""
        after = whole_number(seen or "0")
        if after is None:
            raise _refused("Last-Event-ID is the id of an event of this stream.")
        lines = self._lines(named, after)
        return PlacedStreamResponse(lines, self.places, caller.token_id or -caller.user_id)

    async def _lines(self, named: NamedEvents, after: int) -> AsyncIterator[str]:
        yield named.connected()
        async with self.service.runs.following(named.run) as batches:
            async for batch in batches:
                if not batch:
                    yield _KEEP_ALIVE
                for event in batch:
                    line = await taken(event, named.take)
                    if line and event.seq > after:
                        yield line

    async def _begun(self, caller: Caller, run_id: str, thread: str, asked: RunAsked) -> Response:
        try:
            run = await self.service.begin(caller.user_id, run_id, thread, asked)
        except TooManyRunsError as error:
            raise RequestRefusedError(
                429, "too_many_runs", "Too many answers wait already.", hint=error.hint
            ) from error
        told = {"id": run.run_id, "thread": run.thread, "stream": f"/api/stream/{run.run_id}"}
        return JSONResponse({"conversationId": run.thread, **told}, 202)

    async def _known(self, request: Request, caller: Caller) -> Run:
        """The newest run of a conversation, or the run of this id. Raises: RequestRefusedError."""
        name, runs = request.path_params["name"], self.service.runs
        newest = await runs.newest_in(caller.user_id, name)
        run = newest or await runs.find(caller.user_id, name)
        if run is None:
            raise RequestRefusedError(404, "unknown_run", "This conversation is not known.")
        return run


def _answered(given: AgentDecision, question: Mapping[str, Any]) -> RunAsked:
    """The request that a run goes on with. Raises: RequestRefusedError."""
    answers, approves = question["request_id"], question["approves"]
    if not approves or given.approved is None:
        if not given.text.strip():
            raise _refused('Send {"approved": true | false}, or {"text": "your answer"}.')
        return RunAsked(given.text, answers=answers)
    if unknown := given.arguments.keys() - {call["id"] for call in question["calls"]}:
        raise _refused(f"No call {min(unknown)!r} waits. `arguments` are by the id of a call.")
    choice = question["choices"][0 if given.approved else 1]
    return RunAsked(
        given.text or choice,
        answers=answers,
        decision="approved" if given.approved else "cancelled",
        approves=approves,
        edits=given.arguments,
    )


def _read(model: type[T], body: bytes) -> T:
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise _refused(f"{'.'.join(map(str, first['loc'])) or 'body'}: {first['msg']}.") from None


def _refused(message: str, status: int = 400) -> RequestRefusedError:
    return RequestRefusedError(status, "invalid_request", message)
