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
from rich_agent.graph.acting.permitting import offering_more, permission_uses_of
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


async def propose_calls(
    text: str, calls: Sequence[ToolCall], state: TurnState, context: NodeContext
) -> TurnUpdate:
    """Return the model's next calls, and the question to the user that has to come before them."""
    services = context.services
    call_states, asker = _with_call_ids(calls, state), asker_of(state, services)
    # In a thread: what is in sight may be long.
    tool_calls = [ToolCall(**call) for call in call_states]
    asker = replace(asker, spent=await services.tools.spending(tool_calls, asker))
    asker = replace(asker, permitted=await services.tools.permissions(tool_calls, asker))
    acting = await foresee(tool_calls, asker, state, context)
    asker = with_calls(acting, asker)
    rulings = await asyncio.to_thread(services.tools.decide, tool_calls, asker)
    problems = await asyncio.to_thread(list, map(services.tools.problem_with, tool_calls))
    acting = {**acting, "said": text, "calls": call_states, "policies": []}
    acting["permitted"] = permission_uses_of(acting, call_states, rulings)
    for call, ruling, problem in zip(call_states, rulings, problems, strict=True):
        # What cannot be done is refused when it is run, and nobody is asked for it. The problem
        # stays with the call: a server may describe its tool otherwise by then.
        is_asked_in_vain = bool(problem) and ruling.policy == "ask"
        call["problem"] = problem if is_asked_in_vain else call["problem"]
        acting["policies"].append("auto" if is_asked_in_vain else ruling.policy)
    needing = needing_approval(acting)
    asking_for = [ToolCall(**call) for call in needing]
    cards = await _cards(asking_for, asker, services)
    if sum(card.size_chars for card in cards) > MOST_SHOWN_CHARS:
        return {"acting": _deny_too_long(acting)}
    if not needing:
        return {"acting": acting}
    question = say(asker.locale, "approve-calls")
    if acting.get("plan") is not None and await deviates(asking_for, asker, services):
        question += f"\n{say(asker.locale, 'approve-not-planned')}"
    clarification = _approval_request(question, needing, cards, state)
    return {
        "acting": acting,
        "clarification": offering_more(clarification, call_states, rulings, state),
    }


async def _cards(calls: Sequence[ToolCall], asker: Asker, services: Services) -> list[ApprovalCard]:
    """The cards of calls; where others' words or what is kept may be in them, with whose."""
    cards = [await services.tools.card(call, asker) for call in calls]
    provenance = asker.provenance()
    if not any(words.is_foreign or words.origin == "memory" for words in provenance.others):
        return cards

    def with_origins() -> list[ApprovalCard]:
        pairs = zip(cards, calls, strict=True)
        return [with_sources(card, call, provenance, asker.locale) for card, call in pairs]

    return await asyncio.to_thread(with_origins)


def _deny_too_long(acting: ActingState) -> ActingState:
    """Refuse the calls that wait for approval: nobody approves what they cannot be shown."""
    calls, policies = list(acting["calls"]), list(acting["policies"])
    for place, (call, policy) in enumerate(zip(acting["calls"], acting["policies"], strict=True)):
        if policy == "ask":
            calls[place], policies[place] = {**call, "problem": _TOO_LONG}, "auto"
    return {**acting, "calls": calls, "policies": policies}


def is_approved(state: TurnState) -> bool:
    """Whether the user approved exactly the calls that wait."""
    question, acting = clarification_of(state), acting_of(state)
    reply = reply_of(state)
    is_same = question.get("approves") == fingerprint_of(needing_approval(acting))
    return (
        question.get("status") == "answered"
        and reply is not None
        and reply.decision in APPROVING
        and is_same
    )


def _with_call_ids(calls: Sequence[ToolCall], state: TurnState) -> list[CallState]:
    """As many of the calls as one message may lead to, under ids that are unique in it."""
    rounds = acting_of(state).get("rounds", [])
    most = MOST_CALLS - sum(len(one["calls"]) for one in rounds)
    return [
        _storable_call(replace(call, id=call_id_of(place, state)).to_state())
        for place, call in enumerate(calls[:most])
    ]


def _storable_call(call: CallState) -> CallState:
    """The call, without arguments that would be stored as others than they are."""
    problem = call["problem"] or why_inexact(call["arguments"])
    return {**call, "arguments": {}, "problem": problem} if problem else call


def call_id_of(place: int, state: TurnState) -> str:
    """The id of a call of the model's next reply, by its place there."""
    # A round that only asked the user is forgotten, so the rounds alone do not tell calls apart.
    rounds = len(acting_of(state).get("rounds", []))
    at = (request_of(state).revision, clarification_of(state).get("round", 0), rounds)
    return "_".join(map(str, ("call", *at, place)))


def _approval_request(
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
        question, options = call["arguments"].get("question"), call["arguments"].get("choices")
        if call["name"] != ASK_TOOL or not isinstance(question, str):
            continue
        choices = tuple(map(str, options)) if isinstance(options, list) else ()
        if clarification := in_bounds(Clarification(question, choices)):
            return _asking(clarification, state)
    return {}


def question_of(results: Sequence[ResultState], state: TurnState) -> ClarificationState:
    """Return a tool's question to the user before it can do what was called, {} if it has none."""
    for result in results:
        if question := result.get("question"):
            clarification = in_bounds(Clarification(question, tuple(result.get("choices", ()))))
            return _asking(clarification, state) if clarification else {}
    return {}


def _asking(clarification: Clarification, state: TurnState) -> ClarificationState:
    return {
        "status": "wanted",
        "question": clarification.question,
        "choices": list(clarification.choices),
        "round": clarification_of(state).get("round", 0) + 1,
        "shown_by": answering_in(state),
    }


def _append_reply(result: ResultState, reply: str) -> ResultState:
    return {**result, "content": f"{result['content']}\n{reply}".strip()}


def with_answer(state: TurnState, reply: str) -> ActingState:
    """Return the calls made; where the last round asked the user, the answer is its result.

    A call that only waited for the answer is made again, as if it had not been made.
    """
    acting = acting_of(state)
    rounds = acting.get("rounds", [])
    if not rounds:
        return acting
    last = rounds[-1]
    pairs = [
        (call, _append_reply(result, reply) if call["name"] == ASK_TOOL else result)
        for call, result in zip(last["calls"], last["results"], strict=True)
        if not result.get("question")
    ]
    if not pairs:
        return {**acting, "rounds": rounds[:-1]}
    last_round: ToolRoundState = {
        "text": last["text"],
        "calls": [call for call, _ in pairs],
        "results": [result for _, result in pairs],
    }
    return {**acting, "rounds": [*rounds[:-1], last_round]}


def after_decision(state: TurnState, reply: TurnRequest) -> ActingState:
    """Return the calls made, once the user's reply to those that wait for approval came.

    Approved calls are run next, with the arguments that the user gave them instead, and without
    those that the user refused. Others are over; what the user said instead is their result.
    """
    acting = acting_of(state)
    if reply.decision in APPROVING:
        return _apply_edits(acting, reply.edits)
    refusal = json.dumps(
        {"error": _NOT_APPROVED, "user_says": reply.message.text}, ensure_ascii=False
    )
    after = with_round(acting, [denied_result(call, refusal) for call in acting["calls"]])
    return {**after, "limit": "cancelled"} if reply.decision == "cancelled" else after


def _apply_edits(acting: ActingState, edits: Mapping[str, Mapping[str, Any] | None]) -> ActingState:
    """Only calls that waited for approval can be edited, or refused."""
    calls, policies = list(acting["calls"]), list(acting["policies"])
    for place, (call, policy) in enumerate(zip(acting["calls"], acting["policies"], strict=True)):
        if policy != "ask" or call["id"] not in edits:
            continue
        if (arguments := edits[call["id"]]) is None:
            policies[place] = "refused"
        else:
            calls[place] = _storable_call({**call, "arguments": dict(arguments), "problem": ""})
    return {**acting, "calls": calls, "policies": policies}


def asking(call: CallState) -> ResultState:
    """The result of a question to the user, until the answer is there."""
    return ToolResult(call["id"], "success", "The user was asked, and says:").to_state()


def denied_result(call: CallState, why: str) -> ResultState:
    """The result of a call that was not run."""
    return ToolResult(call["id"], "denied", why).to_state()


def with_round(acting: ActingState, results: Sequence[ResultState]) -> ActingState:
    """Return the calls made, with one more round; nothing waits any more."""
    tool_round: ToolRoundState = {
        "text": acting.get("said", ""),
        "calls": acting["calls"],
        "results": list(results),
    }
    rounds, errors = [*acting.get("rounds", []), tool_round], acting.get("errors", 0)
    for result in results:
        is_error = result["status"] in {"error", "unknown"} and not result.get("question")
        errors = errors + 1 if is_error else 0
    after: ActingState = {"rounds": rounds, "errors": errors}
    if permission_uses := acting.get("permitted"):
        after["permitted"] = permission_uses
    if "plan" in acting:
        after["plan"] = acting["plan"]
    if errors >= MOST_ERRORS:
        after["limit"] = "errors"
    elif sum(len(one["calls"]) for one in rounds) >= MOST_CALLS:
        after["limit"] = "calls"
    return after
