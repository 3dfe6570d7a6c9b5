"""Plans the calls of a turn from the user's own words, so that what they asked for need not ask.

The model that plans reads the user's message and what trusted servers say of their tools, and
nothing else: no stranger has a say in it, whatever was read before. It does not learn what is
wanted to be called.
"""

import asyncio
import json
from collections.abc import Collection, Sequence
from dataclasses import replace

from rich_agent.domain.planned_calls import PlannedCall, remaining_calls
from rich_agent.domain.rules import Why
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
"""Longer than this nobody waits for a plan: then the user is asked."""


async def foresee(
    calls: Sequence[ToolCall], asker: Asker, state: TurnState, context: NodeContext
) -> ActingState:
    """Return the calls made so far, with the plan of the turn once it matters to these calls.

    It is made once in a turn, and only where a plan could free one of the calls.
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
    effects = {tool.name: tool.effect for tool in tools}
    plan = [
        # Of a change of the user's own things it counts that it was asked for, and how often.
        PlannedCall(one.tool, is_repeated=one.is_repeated)
        if effects[one.tool] == "change"
        else one.restrict_to(asker.said)
        for one in proposal
        if one.tool in effects
    ]
    binding_calls = [one for one in plan if one.fixed or effects[one.tool] == "change"]
    return {**acting, "plan": [one.to_state() for one in binding_calls]}


def with_calls(acting: ActingState, asker: Asker) -> Asker:
    """The asker with the calls of the turn so far, and the planned ones that were not made yet."""
    plan = map(PlannedCall.from_state, acting.get("plan") or ())
    past_calls = tuple(
        (call["name"], call["arguments"])
        for one in acting.get("rounds", ())
        for call, result in zip(one["calls"], one["results"], strict=True)
        if result["status"] != "denied"
    )
    return replace(asker, planned=remaining_calls(plan, past_calls), made=past_calls)


async def deviates(calls: Sequence[ToolCall], asker: Asker, services: Services) -> bool:
    """Whether one of the calls, all of which ask, would not if the user's words alone led to it."""
    return "planned" in await _reasons_under_widest_plan(calls, asker, services)


async def _reasons_under_widest_plan(
    calls: Sequence[ToolCall], asker: Asker, services: Services
) -> Collection[Why]:
    """The reasons of the rulings on calls if each was planned as widely as can be."""
    widest = [PlannedCall.widest(call.name, call.arguments, asker.said) for call in calls]
    freed = replace(asker, planned=tuple(widest))
    # In a thread: what is in sight may be long.
    rulings = await asyncio.to_thread(services.tools.decide, calls, freed)
    return {one.why for one in rulings}


async def _propose_plan(
    request_text: str, tools: Sequence[ToolSpec], context: NodeContext
) -> Sequence[PlannedCall] | None:
    """The model's plan; None if it fails, or if the day's tokens are used up."""
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
            {"name": one.name, "description": one.description, "parameters": dict(one.parameters)},
            ensure_ascii=False,
        )
        for one in tools
    ]
    slots, _ = fit_slots(
        "N6_plan_calls", {"question": request_text, "callable": tool_texts}, services
    )
    return render_prompt("N6_plan_calls", **slots)
