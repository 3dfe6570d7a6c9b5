"""N4: decides how the turn is answered and what to look for."""

from dataclasses import replace

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from rich_agent.domain.answer import Decision
from rich_agent.domain.budget import fit_history
from rich_agent.domain.past import past_question
from rich_agent.domain.plan import (
    GENERAL,
    SMALLTALK,
    Routing,
    complete_routing,
    with_query,
    with_seen,
)
from rich_agent.domain.routing_rules import route_by_rule, route_without_model
from rich_agent.errors import UpstreamError, UpstreamRefusedError
from rich_agent.graph.clarifying import (
    about_subject,
    clarification_of,
    is_dropped_by,
    lacks_subject,
    wanted_by,
)
from rich_agent.graph.looking import look_closer
from rich_agent.graph.past_turns import recall_past
from rich_agent.graph.room import fit_slots
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState, TurnUpdate
from rich_agent.graph.views import (
    conversation_slots,
    earlier_images_of,
    history_of,
    images_of,
    question_of,
    unseen_of,
    was_asked,
    words_of,
)
from rich_agent.prompts import render_prompt

HISTORY_TOKENS = 1_500
ENTRY_CHARS = 1_200


async def build_effective_query(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Choose intent, plan and queries: by rule where no model is needed, else by the planner.

    What the description of the images leaves open is looked at again, before it is searched for.
    A planner that fails or answers out of shape is replaced by rules; the decision is recorded.
    What is missing is asked for; what came instead of an answer to that begins its own turn.
    """
    by_rule = _route_by_rule(state, runtime.context)
    routing = by_rule or await _plan(state, runtime.context)
    if is_dropped_by(routing, state):
        return _drop(state)
    past = await recall_past(routing.past, state, runtime.context) if routing.past else {}
    if by_rule and past and not past["past_turns"]:
        past = await _recall_in_other_words(by_rule, state, runtime.context) or past
    clarification, looked = wanted_by(routing, state), TurnUpdate()
    if routing.image_question and clarification.get("status") != "wanted":
        vision = await look_closer(state, routing.image_question, runtime)
        routing = with_seen(routing, [found["answer"] for found in vision.get("answers", ())])
        looked = {"vision": vision}
    decision_id = await runtime.context.decisions.record(_decision(state, routing))
    return {
        "routing": {
            "intent": routing.intent,
            "plan": routing.plan,
            "reason": routing.reason,
            "decision_log_id": decision_id,
        },
        "rag": {"query": routing.query, "queries": list(routing.queries)}
        if routing.plan != "direct"
        else {},
        "clarification": clarification,
        **({"memory": {**state["memory"], **past}} if past else {}),
        **looked,
    }


def _route_by_rule(state: TurnState, services: Services) -> Routing | None:
    if "forgotten" in state["memory"]:
        return Routing(SMALLTALK, "direct", "a wish to forget")
    if lacks_subject(state):
        return about_subject(state)
    if clarification_of(state):
        # A single word is no small talk when it was asked for.
        return None
    has_image = bool(images_of(state)) and not unseen_of(state)
    return route_by_rule(
        words_of(state), has_image=has_image, was_asked=was_asked(state)
    ) or _route_to_the_past(state, services)


async def _recall_in_other_words(
    by_rule: Routing, state: TurnState, services: Services
) -> TurnUpdate:
    """Earlier turns that a model knows other words for: of "my pet" those on a cat; {} for none."""
    worded = (await _plan(state, services)).past
    if not (worded and worded.query and by_rule.past and by_rule.past.query):
        return {}
    return await recall_past(replace(by_rule.past, query=worded.query), state, services)


def _drop(state: TurnState) -> TurnUpdate:
    """Leave the question unanswered in the conversation, and begin with what came instead."""
    asked = clarification_of(state)
    return {
        "clarification": {**asked, "status": "dropped"},
        "request": asked["reply"],
        "messages": [
            HumanMessage(asked["said"], id=f"{asked['request_id']}:user"),
            AIMessage(asked["question"], id=f"{asked['request_id']}:assistant"),
        ],
    }


def _route_to_the_past(state: TurnState, services: Services) -> Routing | None:
    """A short question about earlier turns needs no model to be planned."""
    if images_of(state) or "forwarded" in state["input"]:
        return None
    wanted = past_question(question_of(state), services.now().date())
    if wanted is None:
        return None
    return Routing(GENERAL, "direct", "about what was said before", past=wanted)


def _decision(state: TurnState, routing: Routing) -> Decision:
    return Decision(
        thread_id=state["request"]["thread_id"],
        request_id=state["request"]["request_id"],
        intent=routing.intent,
        plan=routing.plan,
        reason=routing.reason,
        query=routing.query,
        queries=routing.queries,
        latency_ms=state["latency_ms"],
        nodes=state["node_log"],
    )


async def _plan(state: TurnState, services: Services) -> Routing:
    slots, room = fit_slots(
        "N4_build_effective_query",
        {
            "today": services.now().date(),
            "domain": services.domain,
            "source_titles": await services.passages.source_titles(),
            "question": question_of(state),
            **conversation_slots(state),
        },
        services,
    )
    history = fit_history(
        history_of(state, ENTRY_CHARS), min(HISTORY_TOKENS, room.left), services.count_tokens
    )
    prompt = render_prompt("N4_build_effective_query", history=history, **slots)
    try:
        proposed = await services.planner.plan(prompt)
    except UpstreamRefusedError:
        raise
    except UpstreamError as error:
        services.notes.survive("planner_failed", error)
        return _without_model(state, services)
    routing = complete_routing(proposed, words_of(state), services.domain)
    has_images = bool(images_of(state) or earlier_images_of(state))
    return routing if has_images else replace(routing, image_question=None)


def _without_model(state: TurnState, services: Services) -> Routing:
    asked = [text for role, text in history_of(state, ENTRY_CHARS) if role == "user"]
    routing = route_without_model(words_of(state), services.domain, asked[-1] if asked else "")
    entities = state["vision"].get("summary", {}).get("entities", ())
    return with_query(replace(routing, query=" ".join([routing.query, *entities])))
