"""Which answers wait for approval, and how they enter the conversation afterwards."""

from collections.abc import Collection

from langchain_core.messages import AIMessage, BaseMessage

from rich_agent.domain.answer.citation import strip_markers
from rich_agent.domain.routing.plan import UNJUDGED
from rich_agent.graph.memory.window import request_id_of
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState, request_of
from rich_agent.ports.approvals import Approval

AWAITS_APPROVAL = "awaits_approval"
"""Marks the message that stands in the conversation for an answer that is being reviewed."""


def is_withheld(state: TurnState, intents: Collection[str]) -> bool:
    """Whether the turn's answer may not be shown: it is of a kind that a person approves.

    Of what kind a turn without a plan is, nobody knows: where any kind is approved, it waits too.
    """
    routing = state.get("routing", {})
    may_be_one = routing.get("intent") in intents or routing.get("rule") in UNJUDGED
    return bool(intents) and may_be_one and not state.get("approval")


async def decided_since(state: TurnState, services: Services) -> list[BaseMessage]:
    """The answers that were decided since they were asked for, in the place of their notices."""
    thread_id = request_of(state).thread_id
    waiting = [m for m in state["messages"] if m.additional_kwargs.get(AWAITS_APPROVAL)]
    found = [
        (message, await services.approvals.of_turn(thread_id, request_id_of(message)))
        for message in waiting
    ]
    return [
        AIMessage(said_by(approval), id=str(message.id), additional_kwargs=_without_mark(message))
        for message, approval in found
        if approval and approval.state in {"approved", "corrected"}
    ]


def _without_mark(message: BaseMessage) -> dict[str, object]:
    marks = message.additional_kwargs
    return {name: value for name, value in marks.items() if name != AWAITS_APPROVAL}


def said_by(approval: Approval) -> str:
    """The answer that was given in the end, without markers."""
    is_corrected = approval.state == "corrected"
    return strip_markers(approval.words if is_corrected else approval.draft.answer)
