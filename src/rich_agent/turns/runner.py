"""The only entrance to the graph: starts turns, continues interrupted turns, and stops them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import structlog
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command, StateSnapshot
from opentelemetry.trace import Span, SpanKind

from rich_agent.domain.message import AskedBefore, Audience, TurnRequest
from rich_agent.domain.usage_limits import Payer
from rich_agent.errors import QuestionClosedError, TurnDrainedError
from rich_agent.graph.build import TurnGraph
from rich_agent.graph.decisions import is_withheld
from rich_agent.graph.embedding import for_one_turn
from rich_agent.graph.files.gathering import to_keep
from rich_agent.graph.guiding import leave_offers
from rich_agent.graph.memory.forgetting import awaits_deletion
from rich_agent.graph.planning import (
    cards_of,
    clarification_of,
    pending_question,
    waiting_calls,
)
from rich_agent.graph.services import NodeContext, Services, TurnScope
from rich_agent.graph.state import TurnInput, TurnState, reply_of, request_to_state
from rich_agent.graph.subject import is_no_answer
from rich_agent.graph.views import locale_of
from rich_agent.ports.turns import AskedBack
from rich_agent.runtime.concurrency import TurnEnd
from rich_agent.runtime.memberships import Prepare, prepare_nothing
from rich_agent.runtime.metering import Billing
from rich_agent.runtime.tracing import AGENT, CONVERSATION, INVOKE_AGENT, REQUEST, span_of
from rich_agent.turns.events import (
    Answered,
    AnswerWritten,
    CallSoFar,
    Finished,
    NodeEnded,
    QuestionAsked,
    QuestionClosed,
    RoutePlanned,
    Stage,
    StageChanged,
    TextSoFar,
    ToolsCalled,
    ToolsReturned,
    TurnEvent,
    Withheld,
    event_of,
    ignore_node,
    node_ends,
    plan_update_in,
    visible_answer,
)
from rich_agent.turns.snapshots import (
    belongs_to,
    broken_off,
    has_reset,
    is_reply_of,
    outcome_of,
    question_before,
    question_closed_by,
    state_of,
    with_other_reply,
    words_before,
)

__all__ = [
    "AnswerWritten",
    "Answered",
    "CallSoFar",
    "Finished",
    "GraphTurns",
    "QuestionAsked",
    "QuestionClosed",
    "RoutePlanned",
    "Stage",
    "StageChanged",
    "TextSoFar",
    "ToolsCalled",
    "ToolsReturned",
    "TurnEvent",
    "TurnRunner",
    "Withheld",
]


class TurnRunner(Protocol):
    """Runs turns for surfaces."""

    def run(
        self, request: TurnRequest, stop: asyncio.Event | None = None
    ) -> AsyncIterator[TurnEvent]:
        """Run the turn of a request, and yield its events; the last one is `Finished`.

        - A turn that a crash interrupted goes on from its checkpoint.
        - A finished turn yields its answer again, and nothing is run.
        - If the thread waits for an answer to a question, and the request may be one, the turn that
          asked goes on with it. Otherwise the question is given up.
        - Once `stop` is set, no model is waited for any more. The text so far becomes the answer,
          is marked as stopped, and is stored like any other.

        Raises: UpstreamError, ImageRefusedError, DailyLimitError before any model was called,
        DatabaseUnavailableError, LaneLostError; QuestionClosedError if the request `answers` a
        question that is no longer open; TurnDrainedError after `drain`.
        """
        ...

    async def last_asked(self, thread_id: str) -> QuestionAsked | None:
        """The question that the thread's last turn asked, even if it is answered; None without one.

        Raises: DatabaseUnavailableError.
        """
        ...

    async def accepts(self, request: TurnRequest) -> bool:
        """Whether the request may answer the thread's open question; only the first request may.

        Raises: DatabaseUnavailableError, LaneLostError.
        """
        ...

    def drain(self) -> None:
        """Stop running and later turns before their next node, because this process ends."""
        ...

    async def last_question(self, thread_id: str) -> AskedBefore | None:
        """The message of the thread's last turn, even of a failed one; None without any.

        Raises: DatabaseUnavailableError.
        """
        ...


Tune = Callable[[Services, Audience], Services]
"""Returns the services for those who read the answer, with the settings in effect."""


def as_they_are(services: Services, _audience: Audience) -> Services:
    """Return the services, whose settings do not change."""
    return services


@dataclass(frozen=True, slots=True)
class GraphTurns:
    """Implements `TurnRunner`; the caller ensures that a thread runs one turn at a time.

    - `observe` is called at the end of each node.
    - `group_services` are for turns that were asked for in a group; without them, such turns fail
      with ValueError.
    - `prepare` is called with the user's id before a turn, to find out what the user may read.
    - `tune` gives the services the settings that are in effect when a turn begins.
    """

    graph: TurnGraph
    services: Services
    checkpointer: BaseCheckpointSaver[str]
    control: RunControl = field(default_factory=RunControl)
    billing: Billing = field(default_factory=Billing)
    observe: Callable[[NodeEnded], None] = ignore_node
    group_services: Services | None = None
    prepare: Prepare = prepare_nothing
    tune: Tune = as_they_are

    def drain(self) -> None:
        """See `TurnRunner.drain`."""
        self.control.request_drain()

    async def run(
        self, request: TurnRequest, stop: asyncio.Event | None = None
    ) -> AsyncIterator[TurnEvent]:
        """See `TurnRunner.run`."""
        attributes = {AGENT: "rich-agent", REQUEST: request.request_id}
        if user := structlog.contextvars.get_contextvars().get("user"):
            attributes[CONVERSATION] = user  # as in the log: a tag, not the id
        await self.prepare(request.message.user.telegram_user_id)
        with span_of(INVOKE_AGENT, "rich-agent", attributes, SpanKind.INTERNAL) as span:
            async for event in self._run(request, stop or asyncio.Event(), span):
                yield event

    async def _run(
        self, request: TurnRequest, stop: asyncio.Event, span: Span
    ) -> AsyncIterator[TurnEvent]:
        """Run the turn inside a span, and yield its events."""
        config = _config_of(request.thread_id)
        config["metadata"] = {"request_id": request.request_id}
        snapshot = await self.graph.aget_state(config)
        start = await self._start(request, snapshot)
        state = state_of(snapshot)
        goes_on, is_answer = start is None, not isinstance(start, dict)
        question_end = _question_end(request, snapshot, self.services, is_answer=is_answer)
        if question_end and not (question_end.card and isinstance(start, Command)):
            yield question_end
        withheld = goes_on and is_withheld(state, self._approval_intents)
        if goes_on and not withheld and state.get("answer") and has_reset(snapshot):
            yield visible_answer(state)
        usage: list[dict[str, Any]] = []
        if not (goes_on and snapshot.interrupts):
            payer = Payer(request.message.user.telegram_user_id, request.request_id)
            async with self.billing.of_turn(payer, words_before(state, request)) as meter:
                services = await self._services_of(request)
                scope = TurnScope(
                    stop=TurnEnd(stop, services.limits.turn_s),
                    meter=meter,
                    resumed_at=broken_off(snapshot) if goes_on else frozenset(),
                    span=span,
                )
                context = NodeContext(services, scope)
                try:
                    with scope.stop.counting():
                        async for event in self._stream(start, config, context, withheld=withheld):
                            yield _with_card(event, question_end)
                finally:
                    await scope.speculation.drop()
                usage = meter.used_in()
            snapshot = await self.graph.aget_state(config)
        if snapshot.interrupts:
            yield _question_in(state_of(snapshot), self.services)
        await self.checkpointer.aprune([request.thread_id])
        yield Finished(outcome_of(snapshot), tuple(usage))

    async def accepts(self, request: TurnRequest) -> bool:
        """See `TurnRunner.accepts`."""
        snapshot = await self.graph.aget_state(_config_of(request.thread_id))
        return is_reply_of(state_of(snapshot), request) or await self._may_answer(request, snapshot)

    async def last_question(self, thread_id: str) -> AskedBefore | None:
        """See `TurnRunner.last_question`."""
        return question_before(state_of(await self.graph.aget_state(_config_of(thread_id))))

    async def last_asked(self, thread_id: str) -> QuestionAsked | None:
        """See `TurnRunner.last_asked`."""
        state = state_of(await self.graph.aget_state(_config_of(thread_id)))
        return (
            _question_in(state, self.services) if "request_id" in clarification_of(state) else None
        )

    @property
    def _approval_intents(self) -> frozenset[str]:
        """The intents whose answers wait for a person now."""
        return self.tune(self.services, "user").approval_intents

    async def _services_of(self, request: TurnRequest) -> Services:
        """The services for this turn, at one moment and with its own embeddings."""
        services = self.services if request.audience == "user" else self.group_services
        if services is None:
            raise ValueError("a turn for a group, without services for it")
        services = self.tune(services, request.audience)
        # One moment for the whole turn, because its prompts are compared with each other.
        moment = services.now()
        return replace(
            services,
            now=lambda: moment,
            embeddings=for_one_turn(self.services.embeddings),
            reranking=services.reranking.for_one_turn() if services.reranking else None,
            limits=services.limits.within(await self.services.window()),
        )

    async def _start(
        self, request: TurnRequest, snapshot: StateSnapshot
    ) -> TurnInput | Command[Any] | None:
        """The input of the graph: a new turn, the answer to a question, or None to go on."""
        state = state_of(snapshot)
        if belongs_to(state, request) or is_reply_of(state, request):
            return None
        if await self._may_answer(request, snapshot):
            return Command(resume={snapshot.interrupts[0].id: request_to_state(request)})
        if request.answers:
            raise QuestionClosedError
        if snapshot.interrupts:
            await self.services.clarifications.cancel(request.thread_id)
        return {"request": with_other_reply(state, request)}

    async def _may_answer(self, request: TurnRequest, snapshot: StateSnapshot) -> bool:
        """Whether the request may answer the thread's open question; if so, no later one may.

        The edited message that led to the question is no answer, and neither is a decision on calls
        other than those that wait. The planner decides about text that may be another request.
        """
        if not snapshot.interrupts:
            return False
        state = state_of(snapshot)
        question = state["clarification"]
        is_edited = request.request_id == question["request_id"]
        if is_edited or (request.answers and request.answers != question["request_id"]):
            return False
        is_about_other_calls = bool(request.decision) and request.approves != question.get(
            "approves"
        )
        if is_about_other_calls or (not request.answers and is_no_answer(request.message, state)):
            return False
        asked_back = AskedBack(
            request.thread_id,
            question["request_id"],
            question["revision"],
            question.get("round", 0),
        )
        return await self.services.clarifications.take(asked_back, request.request_id)

    async def _stream(
        self,
        start: TurnInput | Command[Any] | None,
        config: RunnableConfig,
        context: NodeContext,
        *,
        withheld: bool,
    ) -> AsyncIterator[TurnEvent]:
        """The events of the graph's run, without texts of a withheld answer."""
        stream_parts = self.graph.astream(
            start,
            config,
            context=context,
            stream_mode=["custom", "updates"],
            durability="sync",
            version="v2",
            control=self.control,
        )
        try:
            async for stream_part in stream_parts:
                for node_end in node_ends(stream_part, config["metadata"]["request_id"]):
                    self.observe(node_end)
                if (plan_update := plan_update_in(stream_part)) is not None:
                    withheld = is_withheld(plan_update, context.services.approval_intents)
                event = event_of(stream_part)
                # No text of an answer that a person has yet to approve is shown.
                if event and not (
                    withheld and isinstance(event, TextSoFar | AnswerWritten | Answered)
                ):
                    yield event
        except GraphDrained as drain:
            raise TurnDrainedError from drain


def _config_of(thread_id: str) -> RunnableConfig:
    """The graph's configuration for a thread."""
    return {"configurable": {"thread_id": thread_id}}


def _question_end(
    request: TurnRequest, snapshot: StateSnapshot, services: Services, *, is_answer: bool
) -> QuestionClosed | None:
    """The end of the earlier question that this request answers or gives up; None without one.

    If the user answers a card in words, their decision is added once it was read: see
    `_with_card`. A pressed button is shown in the question's message already.
    """
    state, shown_by = state_of(snapshot), question_closed_by(request, snapshot)
    if shown_by is None:
        return None
    if awaits_deletion(state) and not is_answer:
        return QuestionClosed(shown_by, _question_in(state, services))
    if request.decision or not clarification_of(state).get("approves"):
        return QuestionClosed(shown_by)
    reply = reply_of(state) if is_reply_of(state, request) else None
    return QuestionClosed(shown_by, _question_in(state, services), reply.decision if reply else "")


def _with_card(event: TurnEvent, closed_question: QuestionClosed | None) -> TurnEvent:
    """The event; if it tells the decision in the user's words, with the card that it is about."""
    if not (isinstance(event, QuestionClosed) and closed_question):
        return event
    return replace(
        closed_question,
        card=closed_question.card if event.decision is not None else None,
        decision=event.decision,
    )


def _question_in(state: TurnState, services: Services) -> QuestionAsked:
    """The question in the state, as surfaces get it."""
    question = state["clarification"]
    return QuestionAsked(
        *(question["request_id"], pending_question(state).question, tuple(question["choices"])),
        question.get("approves", ""),
        waiting_calls(state),
        tuple(to_keep(state)),
        locale_of(state),
        cards_of(state),
        leave_offers(state, services),
        question.get("shown_by", question["request_id"]),
        awaits_deletion(state),
    )
