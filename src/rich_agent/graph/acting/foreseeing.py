"""Plans calls from the user's own words, so that what they ask for runs without approval.

The planning model reads the user's message and the descriptions of trusted tools, nothing else.
Other texts cannot influence the plan. The model does not see which calls were requested.
"""

import asyncio
import json
from collections.abc import Collection, Sequence
from dataclasses import replace

from rich_agent.domain.planned_calls import PlannedCall, remaining_calls
from rich_agent.domain.rules import Why
from rich_agent.domain.text import list_tokens
from rich_agent.domain.tools import ActingState, ToolCall, ToolSpec
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.answer.material import fit_slots
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import acting_of
from rich_agent.ports.models import Prompt
from rich_agent.ports.tools import Asker
from rich_agent.prompts import render_prompt

_PLAN_TIMEOUT_S = 20.0
"""The longest wait for a plan; after that, the user is asked for approval."""


async def foresee(
    calls: Sequence[ToolCall], asker: Asker, state: TurnState, context: NodeContext
) -> ActingState:
    """The calls so far, with the turn's plan if a plan may free one of these calls.

    A turn is planned at most once.
    """
    acting = acting_of(state)
    services = context.services
    if "plan" in acting or not asker.said:
        return acting
    if "planned" not in await _reasons_under_widest_plan(calls, asker, services):
        return acting
    tools = await services.tools.plannable(asker)
    proposal = await _propose_plan(asker.said, tools, context) if tools else ()
    if proposal is None:
        return {**acting, "plan": None}
    effect_by_tool = {tool_spec.name: tool_spec.effect for tool_spec in tools}
    plan = [
        # For a change of the user's own things, only the tool and its repetition are planned.
        PlannedCall(planned_call.tool, is_repeated=planned_call.is_repeated)
        if effect_by_tool[planned_call.tool] == "change"
        else planned_call.restrict_to(asker.said)
        for planned_call in proposal
        if planned_call.tool in effect_by_tool
    ]
    binding_calls = [
        planned_call
        for planned_call in plan
        if planned_call.fixed or effect_by_tool[planned_call.tool] == "change"
    ]
    return {**acting, "plan": [planned_call.to_state() for planned_call in binding_calls]}


def with_calls(acting: ActingState, asker: Asker) -> Asker:
    """The asker with the calls that this turn made, and with the planned calls still to come."""
    plan = map(PlannedCall.from_state, acting.get("plan") or ())
    past_calls = tuple(
        (call["name"], call["arguments"])
        for tool_round in acting.get("rounds", ())
        for call, result in zip(tool_round["calls"], tool_round["results"], strict=True)
        if result["status"] != "denied"
    )
    return replace(asker, planned=remaining_calls(plan, past_calls), made=past_calls)


async def deviates(calls: Sequence[ToolCall], asker: Asker, services: Services) -> bool:
    """Whether one of these calls would run unasked if the user's own words alone had planned it."""
    return "planned" in await _reasons_under_widest_plan(calls, asker, services)


async def _reasons_under_widest_plan(
    calls: Sequence[ToolCall], asker: Asker, services: Services
) -> Collection[Why]:
    """The reasons of the rulings if each call was planned as widely as can be."""
    widest_plan = [PlannedCall.widest(call.name, call.arguments, asker.said) for call in calls]
    asker_with_plan = replace(asker, planned=tuple(widest_plan))
    # In a thread, because the prompt's texts may be long.
    rulings = await asyncio.to_thread(services.tools.decide, calls, asker_with_plan)
    return {ruling.why for ruling in rulings}


async def _propose_plan(
    request_text: str, tools: Sequence[ToolSpec], context: NodeContext
) -> Sequence[PlannedCall] | None:
    """The model's plan; None if the model fails, is too slow, or has no tokens left today."""
    if not await context.turn.meter.has_room():
        return None
    prompt = _prompt(request_text, tools, context.services)
    try:
        async with asyncio.timeout(_PLAN_TIMEOUT_S):
            return await context.services.planner.plan_calls(prompt)
    except (UpstreamError, DailyLimitError, TimeoutError) as error:
        context.run.notes.survive("calls_not_planned", error)
        return None


def _prompt(request_text: str, tools: Sequence[ToolSpec], services: Services) -> Prompt:
    tool_texts = [
        json.dumps(
            {
                "name": tool_spec.name,
                "description": tool_spec.description,
                "parameters": dict(tool_spec.parameters),
            },
            ensure_ascii=False,
        )
        for tool_spec in tools
    ]
    slots, _ = fit_slots(
        "N6_plan_calls", {"question": request_text, "callable": tool_texts}, services
    )
    return replace(render_prompt("N6_plan_calls", **slots), most_tokens=list_tokens(request_text))
