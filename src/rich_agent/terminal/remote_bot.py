"""A bot that runs elsewhere, reached over AG-UI: its turns come as the events of turns here.

Source: https://docs.ag-ui.com, AG-UI 1.0.
"""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast, get_args

import httpx

from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.message import APPROVING, TurnRequest
from rich_agent.errors import RichAgentError
from rich_agent.phrases import say
from rich_agent.runtime.concurrency import alongside
from rich_agent.turns.events import Stage
from rich_agent.turns.runner import (
    Answered,
    QuestionAsked,
    StageChanged,
    TextSoFar,
    TurnEvent,
)

Lines = AsyncIterator[str]


@dataclass(frozen=True, slots=True)
class Framed:
    """An event, and the id behind which a stream can be resumed."""

    event: Mapping[str, Any]
    id: str = ""


async def of_sse(lines: Lines) -> AsyncIterator[Framed]:
    """Server-sent events whose data is JSON; comments keep the connection alive.

    Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
    """
    data: list[str] = []
    last_id = ""
    async for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line and data:
            yield Framed(json.loads("\n".join(data)), last_id)
            data = []
        elif field == "data":
            data.append(value)
        elif field == "id":
            last_id = value


async def of_ndjson(lines: Lines) -> AsyncIterator[Framed]:
    """A JSON object on each line, as `{"id": …, "event": …}`; empty lines keep the connection."""
    async for line in lines:
        if line.strip():
            framed = json.loads(line)
            yield Framed(framed["event"], framed["id"])


FRAMINGS: Mapping[str, Callable[[Lines], AsyncIterator[Framed]]] = MappingProxyType(
    {"text/event-stream": of_sse, "application/x-ndjson": of_ndjson}
)
"""How to read a stream, by its media type."""


MAIN_THREAD = "main"
_TRIES = 10
_LONGEST_PAUSE_S = 5.0
_SILENCE_S = 60.0
"""A stream that is alive says something every 15 s."""


class RemoteBotError(RichAgentError):
    """The bot refused a request, its run failed, or it cannot be reached."""


@dataclass(frozen=True, slots=True)
class RemoteBot:
    """Asks a bot at the base address of `http`, which sends the token of a user.

    A connection that drops is made again after `pause_s`, the next time after twice that, and goes
    on behind the last event that came.
    """

    http: httpx.AsyncClient
    framing: str = "text/event-stream"
    pause_s: float = 0.2

    async def ask(self, request: TurnRequest, stop: asyncio.Event) -> AsyncIterator[TurnEvent]:
        """The events of a turn; once `stop` is set, what is said so far is the answer.

        Raises: RemoteBotError.
        """
        run_id, reader = uuid.uuid4().hex, _RunReader()
        body = _run_input(run_id, request)
        async with (
            alongside(self._stop_on(stop, run_id)),
            aclosing(self._events(body)) as events,  # type: ignore[type-var]
        ):
            async for event in events:
                for made in reader.read(event):
                    yield made

    async def _stop_on(self, stop: asyncio.Event, run_id: str) -> None:
        await stop.wait()
        # What it did not hear can be said again: by a second Ctrl-C, which ends all.
        try:
            await self.http.post(f"agui/runs/{run_id}/stop")
        except httpx.TransportError as error:
            raise _away(error) from error

    async def _events(self, body: Mapping[str, Any]) -> AsyncIterator[Mapping[str, Any]]:
        last_id, failures = "", 0
        while True:
            try:
                async for framed in self._stream(body, last_id):
                    last_id, failures = framed.id, 0
                    yield framed.event
                    if framed.event["type"] in {"RUN_FINISHED", "RUN_ERROR"}:
                        return
            except ValueError as error:
                raise RemoteBotError("what is there does not speak AG-UI") from error
            except httpx.TransportError as error:
                failures += 1
                if failures >= _TRIES:
                    raise _away(error) from error
            await asyncio.sleep(min(self.pause_s * 2**failures, _LONGEST_PAUSE_S))

    async def _stream(self, body: Mapping[str, Any], last_id: str) -> AsyncIterator[Framed]:
        headers = {"Accept": self.framing, **({"Last-Event-ID": last_id} if last_id else {})}
        async with self.http.stream("POST", "agui", json=body, headers=headers) as answer:
            if answer.status_code != httpx.codes.OK:
                raise _refused(answer.status_code, await answer.aread())
            read = FRAMINGS[self.framing]
            async for framed in read(answer.aiter_lines()):
                yield framed


def open_http(
    address: str, token: str, *, transport: httpx.AsyncBaseTransport | None = None
) -> httpx.AsyncClient:
    """Open a client of the bot at an address, in the name of a token's user."""
    return httpx.AsyncClient(
        base_url=address.rstrip("/") + "/",
        headers={"Authorization": f"Bearer {token}"},
        timeout=httpx.Timeout(10.0, read=_SILENCE_S),
        transport=transport,
    )


def _run_input(run_id: str, request: TurnRequest) -> dict[str, Any]:
    """The request as AG-UI's RunAgentInput; a decision answers the interrupts of a question."""
    wish: dict[str, Any] = {
        "threadId": MAIN_THREAD,
        "runId": run_id,
        "messages": [{"id": f"{run_id}:said", "role": "user", "content": request.message.text}],
        "tools": [],
        "context": [],
        "state": {},
        "forwardedProps": {},
    }
    if request.decision:
        always = {"always": True} if request.decision == "always" else {}
        is_approved = request.decision in APPROVING
        approved = {"payload": {"approved": True, **always}} if is_approved else {}
        status = "resolved" if approved else "cancelled"
        wish["resume"] = [
            {"interruptId": name, "status": status, **approved}
            for name in request.approves.splitlines()
        ]
    return wish


@dataclass(slots=True)
class _RunReader:
    """Reads the events of one run."""

    _texts: dict[str, str] = field(default_factory=dict)
    _message: str = ""

    def read(self, event: Mapping[str, Any]) -> Iterator[TurnEvent]:
        """Read what an event means here. Raises: RemoteBotError if the run failed."""
        match event["type"]:
            case "STEP_STARTED" if event["stepName"] in get_args(Stage):
                yield StageChanged(cast("Stage", event["stepName"]))
            case "TOOL_CALL_START":
                yield StageChanged("acting", event["toolCallName"])
            case "TEXT_MESSAGE_CONTENT":
                self._message = event["messageId"]
                self._texts[self._message] = self._texts.get(self._message, "") + event["delta"]
                yield TextSoFar(self._texts[self._message])
            case "RUN_FINISHED":
                yield from self._end(event)
            case "RUN_ERROR":
                raise RemoteBotError(event["message"])
            case _:
                pass

    def _end(self, event: Mapping[str, Any]) -> Iterator[TurnEvent]:
        outcome, result = event["outcome"], event.get("result") or {}
        if outcome["type"] == "interrupt":
            yield _question_in(outcome["interrupts"])
            return
        text = result.get("text", self._texts.get(self._message, ""))
        sources = [_citation(source) for source in result.get("sources", ())]
        yield Answered(Answer(text, tuple(sources)))


def _question_in(interrupts: list[Mapping[str, Any]]) -> QuestionAsked:
    """The question of interrupts: what they ask stands in the first; approvals come together."""
    first, names = interrupts[0], "\n".join(one["id"] for one in interrupts)
    if first["reason"] != "tool_call":
        choices = tuple(first.get("responseSchema", {}).get("enum", ()))
        return QuestionAsked(names, first["message"], choices)
    may_last = "always" in first.get("responseSchema", {}).get("properties", {})
    phrases = ("approve-yes", "approve-no", *(["approve-always"] if may_last else []))
    choices = tuple(say("en", phrase) for phrase in phrases)
    told = [one.get("metadata", {}).get("card") for one in interrupts]
    if not all(told):  # a bot from before there were cards
        return QuestionAsked(names, first["message"], choices, approves=names)
    cards = tuple(ApprovalCard.from_state(card) for card in told)
    return QuestionAsked(names, told[0]["question"], choices, approves=names, cards=cards)


def _citation(source: Mapping[str, Any]) -> Citation:
    return Citation(
        number=source["n"],
        id=source["chunkId"],
        kind=source["kind"],
        source_url=source["url"],
        link=source["url"],
        title=source["title"],
        section=source["section"],
    )


def _refused(status: int, body: bytes) -> RemoteBotError:
    try:
        told = httpx.Response(status, content=body).json()["error"]["message"]
    except (ValueError, KeyError, TypeError):
        told = f"the bot answered with status {status}"
    hint = "Check the address." if status == httpx.codes.NOT_FOUND else ""
    return RemoteBotError(str(told), hint=hint)


def _away(error: Exception) -> RemoteBotError:
    return RemoteBotError(
        f"the bot cannot be reached: {error}", hint="Check the address, and that the bot runs."
    )
