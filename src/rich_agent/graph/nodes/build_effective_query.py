"""N4: decides how the turn is answered and what to look for."""

from dataclasses import replace

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from rich_agent.domain.answer import Decision
from rich_agent.domain.past import past_question
from rich_agent.domain.plan import GENERAL, Routing, with_seen
from rich_agent.domain.routing_rules import route_by_rule, route_known_word
from rich_agent.domain.small_talk import lone_word
from rich_agent.graph.clarifying import (
    about_subject,
    clarification_of,
    is_dropped_by,
    lacks_subject,
    wanted_by,
)
from rich_agent.graph.forgetting import ROUTING, awaits_deletion, conclude, heed
from rich_agent.graph.looking import look_closer
from rich_agent.graph.past_turns import recall_past
from rich_agent.graph.planning import plan_turn, reason_of
from rich_agent.graph.reading_ahead import is_searched_as_asked, reading_ahead
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState, TurnUpdate
from rich_agent.graph.views import (
    history_of,
    images_of,
    question_of,
    unseen_of,
    was_asked,
    words_of,
)
from rich_agent.graph.writing import told_of_silence


async def build_effective_query(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Choose intent, plan and queries: by rule where no model is needed, else by the planner.

    What the description of the images leaves open is looked at again, before it is searched for.
    Without a plan the documents are searched, and nothing else; the decision is recorded.
    What is missing is asked for; what came instead of an answer to that begins its own turn.
    """
    by_rule = await _route_by_rule(state, runtime.context)
    with told_of_silence(lambda: runtime.stream_writer({"stage": "thinking"})):
        routing = by_rule or await _plan(state, runtime.context)
    if is_dropped_by(routing, state):
        return _drop(state)
    if routing.forget or awaits_deletion(state):
        return await _forget(routing, state, runtime.context)
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
            "reason": reason_of(routing, state),
            "rule": routing.rule,
            "may_widen": routing.may_widen,
            "teaches": routing.teaches,
            "decision_log_id": decision_id,
        },
        "rag": {"query": routing.query, "queries": list(routing.queries)}
        if routing.plan != "direct"
        else {},
        "clarification": clarification,
        **({"memory": {**state["memory"], **past}} if past else {}),
        **looked,
    }


async def _plan(state: TurnState, services: Services) -> Routing:
    """The planner's routing; meanwhile the user's words are embedded, if it is they that count."""
    async with reading_ahead(state, services) as reading:
        routing = await plan_turn(state, services)
        if not is_searched_as_asked(routing, state):
            reading.cancel()
    return routing


async def _route_by_rule(state: TurnState, services: Services) -> Routing | None:
    if awaits_deletion(state):
        return ROUTING
    if lacks_subject(state):
        return about_subject(state)
    if clarification_of(state):
        # A single word is no small talk when it was asked for.
        return None
    has_image = bool(images_of(state)) and not unseen_of(state)
    if not has_image and await _is_known_word(state, services):
        # What it means in a conversation is for the planner to say.
        return None if history_of(state) else route_known_word(words_of(state))
    return route_by_rule(
        words_of(state), has_image=has_image, was_asked=was_asked(state)
    ) or _route_to_the_past(state, services)


async def _is_known_word(state: TurnState, services: Services) -> bool:
    word = lone_word(words_of(state))
    return bool(word) and await services.passages.hold_word(word)


async def _forget(routing: Routing, state: TurnState, services: Services) -> TurnUpdate:
    """Heed a wish to forget, or the answer to what was asked about it."""
    if routing.forget:
        update = await heed(routing.forget, state, services)
    else:
        update = await conclude(state, services)
    decision_id = await services.decisions.record(_decision(state, ROUTING))
    return {
        "routing": {
            "intent": ROUTING.intent,
            "plan": ROUTING.plan,
            "reason": reason_of(ROUTING, state),
            "decision_log_id": decision_id,
        },
        "rag": {},
        **update,
    }


async def _recall_in_other_words(
    by_rule: Routing, state: TurnState, services: Services
) -> TurnUpdate:
    """Earlier turns that a model knows other words for: of "my pet" those on a cat; {} for none."""
    worded = (await plan_turn(state, services)).past
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
    return Routing(GENERAL, "direct", past=wanted, rule="about_past", teaches=False)


def _decision(state: TurnState, routing: Routing) -> Decision:
    return Decision(
        thread_id=state["request"]["thread_id"],
        request_id=state["request"]["request_id"],
        intent=routing.intent,
        plan=routing.plan,
        reason=reason_of(routing, state),
        query=routing.query,
        queries=routing.queries,
        latency_ms=state["latency_ms"],
        nodes=state["node_log"],
    )
