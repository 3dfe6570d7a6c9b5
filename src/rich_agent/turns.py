"""The one door to the graph: start a turn, go on with one that was interrupted, stop one."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, Protocol

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.constants import START
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import StateSnapshot

from rich_agent.domain.answer import Answer
from rich_agent.domain.citation import Citation
from rich_agent.domain.message import (
    AskedBefore,
    Forwarded,
    IncomingMessage,
    Photo,
    ReplyContext,
    TurnRequest,
    User,
)
from rich_agent.domain.plan import Routing
from rich_agent.domain.text import clean_text
from rich_agent.domain.usage import Payer
from rich_agent.errors import TurnDrainedError
from rich_agent.graph.build import TurnGraph
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnInput, TurnState
from rich_agent.metering import Billing
from rich_agent.ports import TurnOutcome

Stage = Literal["looking", "searching", "searching_web", "drafting"]


@dataclass(frozen=True, slots=True)
class Status:
    """What the bot does now: looking at a photo, searching, drafting."""

    stage: Stage


@dataclass(frozen=True, slots=True)
class TextSoFar:
    """The answer as far as it is written, from its first character."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The complete answer; what follows is only keeping it."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn is stored; the last event of every turn."""

    outcome: TurnOutcome


TurnEvent = Status | TextSoFar | Answered | Finished


class TurnRunner(Protocol):
    """What a surface needs of this module."""

    def run(
        self, request: TurnRequest, stop: asyncio.Event | None = None
    ) -> AsyncIterator[TurnEvent]:
        """The events of a turn, ending with Finished.

        A turn that was interrupted by a crash goes on from its checkpoint; one that had finished
        yields its answer again without running anything. Once `stop` is set, no model is waited
        for any more: what is said so far is the answer, marked as stopped, and is kept as always.

        Raises: UpstreamError, ImageRefusedError, DailyLimitError before any model was called,
        DatabaseUnavailableError, LaneLostError; TurnDrainedError after `drain`.
        """
        ...

    def drain(self) -> None:
        """Stop every turn, now and from now on, before its next node: this process ends."""
        ...


class QuestionHistory(Protocol):
    """What was asked before."""

    async def last_question(self, thread_id: str) -> AskedBefore | None:
        """The message of the thread's last turn, also of one that failed; None without any.

        Raises: DatabaseUnavailableError.
        """
        ...


@dataclass(frozen=True, slots=True)
class GraphTurns:
    """Runs turns on the graph; the caller sees to it that a thread runs one turn at a time."""

    graph: TurnGraph
    services: Services
    checkpointer: BaseCheckpointSaver[str]
    control: RunControl = field(default_factory=RunControl)
    billing: Billing = field(default_factory=Billing)

    def drain(self) -> None:
        """See `TurnRunner.drain`."""
        self.control.request_drain()

    async def run(
        self, request: TurnRequest, stop: asyncio.Event | None = None
    ) -> AsyncIterator[TurnEvent]:
        """See `TurnRunner.run`."""
        config: RunnableConfig = {
            "configurable": {"thread_id": request.thread_id},
            "metadata": {"request_id": request.request_id},
        }
        start: TurnInput | None = {"request": _to_state(request)}
        snapshot = await self.graph.aget_state(config)
        if _belongs_to(snapshot.values, request):
            start = None
            if snapshot.values.get("answer") and _has_reset(snapshot):
                yield Answered(_answer_of(snapshot.values))
        payer = Payer(request.message.user.telegram_user_id, request.request_id)
        async with self.billing.of_turn(
            payer, _said(request, snapshot), resumed=start is None
        ) as meter:
            services = replace(self.services, stop=stop or asyncio.Event(), meter=meter)
            async for event in self._stream(start, config, services):
                yield event
        snapshot = await self.graph.aget_state(config)
        await self.checkpointer.aprune([request.thread_id])
        yield Finished(_outcome_of(snapshot.values))

    async def last_question(self, thread_id: str) -> AskedBefore | None:
        """See `QuestionHistory.last_question`."""
        config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        request = (await self.graph.aget_state(config)).values.get("request")
        return _from_state(request) if request else None

    async def _stream(
        self, start: TurnInput | None, config: RunnableConfig, services: Services
    ) -> AsyncIterator[TurnEvent]:
        parts = self.graph.astream(
            start,
            config,
            context=services,
            stream_mode=["custom", "updates"],
            durability="sync",
            version="v2",
            control=self.control,
        )
        try:
            async for part in parts:
                event = _event_of(part)
                if event is not None:
                    yield event
        except GraphDrained as drained:
            raise TurnDrainedError from drained


def _event_of(part: Mapping[str, Any]) -> TurnEvent | None:
    data = part["data"]
    if part["type"] == "custom":
        return Status(data["stage"]) if "stage" in data else TextSoFar(data["text"])
    if part["type"] == "updates" and "N6_synthesize" in data:
        return Answered(_answer_of(data["N6_synthesize"]))
    return None


def _to_state(request: TurnRequest) -> dict[str, Any]:
    """The request as JSON that can be stored, whatever characters it came with."""
    message = request.message
    return {
        "thread_id": request.thread_id,
        "request_id": request.request_id,
        "revision": request.revision,
        "user": asdict(replace(message.user, first_name=clean_text(message.user.first_name))),
        "text": clean_text(message.text),
        "photos": [asdict(photo) for photo in message.photos],
        "reply": _cleaned(message.reply, "text", "quote"),
        "forwarded": _cleaned(message.forwarded, "text", "author"),
        "unread": list(message.unread),
        "fresh_from": request.fresh_from,
        "replaces": request.replaces,
    }


def _cleaned(part: ReplyContext | Forwarded | None, *texts: str) -> dict[str, Any] | None:
    if part is None:
        return None
    values = asdict(part)
    return {**values, **{name: clean_text(values[name]) for name in texts}}


def _from_state(request: Mapping[str, Any]) -> AskedBefore:
    """The message that `_to_state` wrote."""
    reply, forwarded = request["reply"], request.get("forwarded")
    message = IncomingMessage(
        user=User(**request["user"]),
        text=request["text"],
        photos=_photos_from(request),
        reply=replace(ReplyContext(**reply), photos=_photos_from(reply)) if reply else None,
        forwarded=Forwarded(**forwarded) if forwarded else None,
        unread=tuple(request.get("unread", ())),
    )
    return AskedBefore(message, request["request_id"])


def _photos_from(stored: Mapping[str, Any]) -> tuple[Photo, ...]:
    return tuple(Photo(**photo) for photo in stored["photos"])


def _said(request: TurnRequest, snapshot: StateSnapshot) -> str:
    """The conversation that the turn's prompts are going to hold, with its question."""
    before = (str(message.text) for message in snapshot.values.get("messages", ()))
    return "\n".join([*before, request.message.words()])


def _belongs_to(values: Mapping[str, Any], request: TurnRequest) -> bool:
    known = values.get("request", {})
    wanted = (request.request_id, request.revision)
    return (known.get("request_id"), known.get("revision", 0)) == wanted


def _has_reset(snapshot: StateSnapshot) -> bool:
    """Whether N1 is over; until its step is stored, the state is that of the turn before.

    `snapshot.next` does not tell: it leaves out a node that ended without its step being stored.
    """
    return not {START, "N1_ingest_input"} & {task.name for task in snapshot.tasks}


def _answer_of(values: Mapping[str, Any] | TurnState) -> Answer:
    answer = values["answer"]
    return Answer(answer["text"], tuple(Citation.from_state(c) for c in answer["citations"]))


def _outcome_of(values: Mapping[str, Any]) -> TurnOutcome:
    routing = values["routing"]
    return TurnOutcome(
        answer=_answer_of(values),
        routing=Routing(
            routing["intent"],
            routing["plan"],
            routing["reason"],
            values["rag"].get("query", ""),
        ),
        nodes=tuple(values["latency_ms"]),
        latency_ms=values["latency_ms"],
    )
