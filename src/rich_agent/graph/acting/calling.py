"""Calls of a model: their approval, and how they ended."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich_agent.domain.approving.cards import MOST_SHOWN_CHARS, ApprovalCard
from rich_agent.domain.json_values import why_inexact
from rich_agent.domain.message import APPROVING, TurnRequest
from rich_agent.domain.routing.clarification import in_bounds
from rich_agent.domain.routing.plan import Clarification
from rich_agent.domain.tools import (
    ASK_TOOL,
    MOST_CALLS,
    MOST_ERRORS,
    MOST_QUESTIONS,
    ActingState,
    CallState,
    ResultState,
    ToolCall,
    ToolResult,
    ToolRoundState,
    fingerprint_of,
)
from rich_agent.graph.acting.foreseeing import deviates, foresee, with_calls
from rich_agent.graph.acting.offering import asker_of
from rich_agent.graph.acting.permitting import offering_more, with_permitted
from rich_agent.graph.acting.sources import with_sources
from rich_agent.graph.planning import answering_in, clarification_of, needing_approval
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import ClarificationState, TurnState, TurnUpdate, reply_of, request_of
from rich_agent.graph.views import acting_of, is_in_session, locale_of
from rich_agent.phrases import say
from rich_agent.ports.tools import Asker

_NOT_APPROVED = "Not done: the user has not approved it."
_TOO_LONG = (
    f"the user has to read them first, and cannot read more than {MOST_SHOWN_CHARS:,} characters"
)


async def wish_to_act(
    said: str, calls: Sequence[ToolCall], state: TurnState, context: NodeContext
) -> TurnUpdate:
    """Return the model's next calls, and the question to the user that has to come before them."""
    services = context.services
    kept, asker = _numbered(calls, state), asker_of(state, services)
    # In a thread: what is in sight may be long.
    wanted = [ToolCall(**call) for call in kept]
    asker = replace(asker, spent=await services.tools.spent(wanted, asker))
    asker = replace(asker, permitted=await services.tools.permitted(wanted, asker))
    acting = await foresee(wanted, asker, state, context)
    asker = with_calls(acting, asker)
    rulings = await asyncio.to_thread(services.tools.decide, wanted, asker)
    problems = await asyncio.to_thread(list, map(services.tools.problem_with, wanted))
    acting = {**acting, "said": said, "calls": kept, "policies": []}
    acting["permitted"] = with_permitted(acting, kept, rulings)
    for call, ruling, problem in zip(kept, rulings, problems, strict=True):
        # What cannot be done is refused when it is run, and nobody is asked for it. The problem
        # stays with the call: a server may describe its tool otherwise by then.
        is_asked_in_vain = bool(problem) and ruling.policy == "ask"
        call["problem"] = problem if is_asked_in_vain else call["problem"]
        acting["policies"].append("auto" if is_asked_in_vain else ruling.policy)
    needing = needing_approval(acting)
    asking_for = [ToolCall(**call) for call in needing]
    cards = await _cards(asking_for, asker, services)
    if sum(card.size_chars for card in cards) > MOST_SHOWN_CHARS:
        return {"acting": _refused_as_too_long(acting)}
    if not needing:
        return {"acting": acting}
    question = say(asker.locale, "approve-calls")
    if acting.get("plan") is not None and await deviates(asking_for, asker, services):
        question += f"\n{say(asker.locale, 'approve-not-planned')}"
    asked = _approval_wanted(question, needing, cards, state)
    return {"acting": acting, "clarification": offering_more(asked, kept, rulings, state)}


async def _cards(calls: Sequence[ToolCall], asker: Asker, services: Services) -> list[ApprovalCard]:
    """The cards of calls; where others' words or what is kept may be in them, with whose."""
    cards = [await services.tools.card(call, asker) for call in calls]
    sight = asker.sight()
    if not any(words.is_foreign or words.origin == "memory" for words in sight.others):
        return cards

    def told() -> list[ApprovalCard]:
        pairs = zip(cards, calls, strict=True)
        return [with_sources(card, call, sight, asker.locale) for card, call in pairs]

    return await asyncio.to_thread(told)


def _refused_as_too_long(acting: ActingState) -> ActingState:
    """Refuse the calls that wait for approval: nobody approves what they cannot be shown."""
    calls, policies = list(acting["calls"]), list(acting["policies"])
    for place, (call, policy) in enumerate(zip(acting["calls"], acting["policies"], strict=True)):
        if policy == "ask":
            calls[place], policies[place] = {**call, "problem": _TOO_LONG}, "auto"
    return {**acting, "calls": calls, "policies": policies}


def is_approved(state: TurnState) -> bool:
    """Whether the user approved exactly the calls that wait."""
    asked, acting = clarification_of(state), acting_of(state)
    reply = reply_of(state)
    is_same = asked.get("approves") == fingerprint_of(needing_approval(acting))
    return (
        asked.get("status") == "answered"
        and reply is not None
        and reply.decision in APPROVING
        and is_same
    )


def _numbered(calls: Sequence[ToolCall], state: TurnState) -> list[CallState]:
    """As many of the calls as one message may lead to, under ids that are unique in it."""
    rounds = acting_of(state).get("rounds", [])
    left = MOST_CALLS - sum(len(one["calls"]) for one in rounds)
    return [
        _kept_exactly(replace(call, id=call_id_of(place, state)).to_state())
        for place, call in enumerate(calls[:left])
    ]


def _kept_exactly(call: CallState) -> CallState:
    """The call, without arguments that would be stored as others than they are."""
    problem = call["problem"] or why_inexact(call["arguments"])
    return {**call, "arguments": {}, "problem": problem} if problem else call


def call_id_of(place: int, state: TurnState) -> str:
    """The id of a call of the model's next reply, by its place there."""
    # A round that only asked the user is forgotten, so the rounds alone do not tell calls apart.
    rounds = len(acting_of(state).get("rounds", []))
    at = (request_of(state).revision, clarification_of(state).get("round", 0), rounds)
    return "_".join(map(str, ("call", *at, place)))


def _approval_wanted(
    question: str, calls: Sequence[CallState], cards: Sequence[ApprovalCard], state: TurnState
) -> ClarificationState:
    """The question by which the user approves the calls that need it."""
    locale = locale_of(state)
    return {
        "status": "wanted",
        "question": question,
        "cards": [card.to_state() for card in cards],
        "choices": [say(locale, "approve-yes"), say(locale, "approve-no")],
        "approves": fingerprint_of(calls),
        "round": clarification_of(state).get("round", 0) + 1,
        "shown_by": answering_in(state),
    }


def question_in(calls: Sequence[CallState], state: TurnState) -> ClarificationState:
    """Return the model's question to the user before it goes on, {} if it has none.

    Outside of guided sessions it may ask a few times, no more: a small model might never cease.
    """
    if not is_in_session(state) and clarification_of(state).get("round", 0) >= MOST_QUESTIONS:
        return {}
    for call in calls:
        asked, given = call["arguments"].get("question"), call["arguments"].get("choices")
        if call["name"] != ASK_TOOL or not isinstance(asked, str):
            continue
        choices = tuple(map(str, given)) if isinstance(given, list) else ()
        if bounded := in_bounds(Clarification(asked, choices)):
            return _asking(bounded, state)
    return {}


def question_of(results: Sequence[ResultState], state: TurnState) -> ClarificationState:
    """Return a tool's question to the user before it can do what was called, {} if it has none."""
    for result in results:
        if question := result.get("question"):
            asked = in_bounds(Clarification(question, tuple(result.get("choices", ()))))
            return _asking(asked, state) if asked else {}
    return {}


def _asking(asked: Clarification, state: TurnState) -> ClarificationState:
    return {
        "status": "wanted",
        "question": asked.question,
        "choices": list(asked.choices),
        "round": clarification_of(state).get("round", 0) + 1,
        "shown_by": answering_in(state),
    }


def _answered(asked: ResultState, reply: str) -> ResultState:
    return {**asked, "content": f"{asked['content']}\n{reply}".strip()}


def with_answer(state: TurnState, reply: str) -> ActingState:
    """Return the calls made; where the last round asked the user, the answer is its result.

    A call that only waited for the answer is made again, as if it had not been made.
    """
    acting = acting_of(state)
    rounds = acting.get("rounds", [])
    if not rounds:
        return acting
    last = rounds[-1]
    made = [
        (call, _answered(result, reply) if call["name"] == ASK_TOOL else result)
        for call, result in zip(last["calls"], last["results"], strict=True)
        if not result.get("question")
    ]
    if not made:
        return {**acting, "rounds": rounds[:-1]}
    answered: ToolRoundState = {
        "text": last["text"],
        "calls": [call for call, _ in made],
        "results": [result for _, result in made],
    }
    return {**acting, "rounds": [*rounds[:-1], answered]}


def after_decision(state: TurnState, reply: TurnRequest) -> ActingState:
    """Return the calls made, once the user's reply to those that wait for approval came.

    Approved calls are run next, with the arguments that the user gave them instead, and without
    those that the user refused. Others are over; what the user said instead is their result.
    """
    acting = acting_of(state)
    if reply.decision in APPROVING:
        return _edited(acting, reply.edits)
    said = json.dumps({"error": _NOT_APPROVED, "user_says": reply.message.text}, ensure_ascii=False)
    after = ended(acting, [refused(call, said) for call in acting["calls"]])
    return {**after, "limit": "cancelled"} if reply.decision == "cancelled" else after


def _edited(acting: ActingState, edits: Mapping[str, Mapping[str, Any] | None]) -> ActingState:
    """Only calls that waited for approval can be edited, or refused."""
    calls, policies = list(acting["calls"]), list(acting["policies"])
    for place, (call, policy) in enumerate(zip(acting["calls"], acting["policies"], strict=True)):
        if policy != "ask" or call["id"] not in edits:
            continue
        if (arguments := edits[call["id"]]) is None:
            policies[place] = "refused"
        else:
            calls[place] = _kept_exactly({**call, "arguments": dict(arguments), "problem": ""})
    return {**acting, "calls": calls, "policies": policies}


def asking(call: CallState) -> ResultState:
    """The result of a question to the user, until the answer is there."""
    return ToolResult(call["id"], "success", "The user was asked, and says:").to_state()


def refused(call: CallState, why: str) -> ResultState:
    """The result of a call that was not run."""
    return ToolResult(call["id"], "denied", why).to_state()


def ended(acting: ActingState, results: Sequence[ResultState]) -> ActingState:
    """Return the calls made, with one more round; nothing waits any more."""
    done: ToolRoundState = {
        "text": acting.get("said", ""),
        "calls": acting["calls"],
        "results": list(results),
    }
    rounds, errors = [*acting.get("rounds", []), done], acting.get("errors", 0)
    for result in results:
        is_error = result["status"] in {"error", "unknown"} and not result.get("question")
        errors = errors + 1 if is_error else 0
    after: ActingState = {"rounds": rounds, "errors": errors}
    if permitted := acting.get("permitted"):
        after["permitted"] = permitted
    if "plan" in acting:
        after["plan"] = acting["plan"]
    if errors >= MOST_ERRORS:
        after["limit"] = "errors"
    elif sum(len(one["calls"]) for one in rounds) >= MOST_CALLS:
        after["limit"] = "calls"
    return after
