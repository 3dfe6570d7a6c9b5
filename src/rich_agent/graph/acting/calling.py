"""The approval of the calls that a model requests, and the rounds in which calls ended."""

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

_SHOWN = frozenset({"memory", "operator"})
"""The origins of own texts whose copies a card names."""
_NOT_APPROVED = "Not done: the user has not approved it."
_TOO_LONG = (
    f"the user has to read them first, and cannot read more than {MOST_SHOWN_CHARS:,} characters"
)


async def propose_calls(
    text: str, calls: Sequence[ToolCall], state: TurnState, context: NodeContext
) -> TurnUpdate:
    """The calls that the model requests, with a question to the user if some need approval."""
    services = context.services
    call_states, asker = _with_call_ids(calls, state), asker_of(state, services)
    tool_calls = [ToolCall(**call) for call in call_states]
    asker = replace(asker, spent=await services.tools.spending(tool_calls, asker))
    asker = replace(asker, permitted=await services.tools.permissions(tool_calls, asker))
    acting = await foresee(tool_calls, asker, state, context)
    asker = with_calls(acting, asker)
    # In a thread, because the prompt's texts may be long.
    rulings = await asyncio.to_thread(services.tools.decide, tool_calls, asker)
    problems = await asyncio.to_thread(list, map(services.tools.problem_with, tool_calls))
    acting = {**acting, "said": text, "calls": call_states, "policies": []}
    acting["permitted"] = permission_uses_of(acting, call_states, rulings)
    for call, ruling, problem in zip(call_states, rulings, problems, strict=True):
        # An impossible call is not shown for approval; it is refused when it is run. The problem is
        # kept with the call, because its server may describe the tool differently by then.
        is_impossible = bool(problem) and ruling.policy == "ask"
        call["problem"] = problem if is_impossible else call["problem"]
        acting["policies"].append("auto" if is_impossible else ruling.policy)
    pending_states = needing_approval(acting)
    pending_calls = [ToolCall(**call) for call in pending_states]
    cards = await _cards(pending_calls, asker, services)
    if sum(card.size_chars for card in cards) > MOST_SHOWN_CHARS:
        return {"acting": _deny_too_long(acting)}
    if not pending_states:
        return {"acting": acting}
    question = say(asker.locale, "approve-calls")
    if acting.get("plan") is not None and await deviates(pending_calls, asker, services):
        question += f"\n{say(asker.locale, 'approve-not-planned')}"
    clarification = _approval_request(question, pending_states, cards, state)
    return {
        "acting": acting,
        "clarification": offering_more(clarification, call_states, rulings, state),
    }


async def _cards(calls: Sequence[ToolCall], asker: Asker, services: Services) -> list[ApprovalCard]:
    """The approval cards of calls.

    A card names the sources of its arguments if the prompt holds memories, a persona, or texts by
    anyone but the user.
    """
    cards = [await services.tools.card(call, asker) for call in calls]
    provenance = asker.provenance()
    if not any(words.is_foreign or words.origin in _SHOWN for words in provenance.others):
        return cards

    def with_origins() -> list[ApprovalCard]:
        card_calls = zip(cards, calls, strict=True)
        return [with_sources(card, call, provenance, asker.locale) for card, call in card_calls]

    return await asyncio.to_thread(with_origins)


def _deny_too_long(acting: ActingState) -> ActingState:
    """Refuse the calls that wait for approval: together they are too long to be read."""
    calls, policies = list(acting["calls"]), list(acting["policies"])
    for index, (call, policy) in enumerate(zip(acting["calls"], acting["policies"], strict=True)):
        if policy == "ask":
            calls[index], policies[index] = {**call, "problem": _TOO_LONG}, "auto"
    return {**acting, "calls": calls, "policies": policies}


def is_approved(state: TurnState) -> bool:
    """Whether the user approved exactly the waiting calls."""
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
    """The calls with unique ids, cut to the number that one message may still make."""
    rounds = acting_of(state).get("rounds", [])
    remaining_count = MOST_CALLS - sum(len(tool_round["calls"]) for tool_round in rounds)
    return [
        _storable_call(replace(call, id=call_id_of(index, state)).to_state())
        for index, call in enumerate(calls[:remaining_count])
    ]


def _storable_call(call: CallState) -> CallState:
    """The call; without its arguments and with a `problem` if JSON would change them."""
    problem = call["problem"] or why_inexact(call["arguments"])
    return {**call, "arguments": {}, "problem": problem} if problem else call


def call_id_of(place: int, state: TurnState) -> str:
    """The id of a call in the model's next reply; `place` is its index in the reply."""
    # The number of rounds alone is not unique: a round that only asked the user is removed.
    round_count = len(acting_of(state).get("rounds", []))
    id_parts = (request_of(state).revision, clarification_of(state).get("round", 0), round_count)
    return "_".join(map(str, ("call", *id_parts, place)))


def _approval_request(
    question: str, calls: Sequence[CallState], cards: Sequence[ApprovalCard], state: TurnState
) -> ClarificationState:
    """The question whether these calls may run."""
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
    """The question to the user among the model's calls, {} if there is none.

    Outside guided sessions at most `MOST_QUESTIONS` are asked: a small model might never stop.
    """
    if not is_in_session(state) and clarification_of(state).get("round", 0) >= MOST_QUESTIONS:
        return {}
    for call in calls:
        question, options = call["arguments"].get("question"), call["arguments"].get("choices")
        if call["name"] != ASK_TOOL or not isinstance(question, str):
            continue
        choices = tuple(map(str, options)) if isinstance(options, list) else ()
        if clarification := in_bounds(Clarification(question, choices)):
            return _question_state(clarification, state)
    return {}


def question_of(results: Sequence[ResultState], state: TurnState) -> ClarificationState:
    """The question that a tool needs answered before it can do its work, {} if none does."""
    for tool_result in results:
        if question := tool_result.get("question"):
            clarification = in_bounds(
                Clarification(question, tuple(tool_result.get("choices", ())))
            )
            return _question_state(clarification, state) if clarification else {}
    return {}


def _question_state(clarification: Clarification, state: TurnState) -> ClarificationState:
    """The state of a question that has to be put to the user."""
    return {
        "status": "wanted",
        "question": clarification.question,
        "choices": list(clarification.choices),
        "round": clarification_of(state).get("round", 0) + 1,
        "shown_by": answering_in(state),
    }


def _append_reply(result: ResultState, reply: str) -> ResultState:
    """The result with the user's reply added to its content."""
    return {**result, "content": f"{result['content']}\n{reply}".strip()}


def with_answer(state: TurnState, reply: str) -> ActingState:
    """The calls so far; the answer is added to the result of the call that asked the user.

    A call whose tool asked the question is removed, so that it is made again.
    """
    acting = acting_of(state)
    rounds = acting.get("rounds", [])
    if not rounds:
        return acting
    asking_round = rounds[-1]
    calls_with_results = [
        (call, _append_reply(result, reply) if call["name"] == ASK_TOOL else result)
        for call, result in zip(asking_round["calls"], asking_round["results"], strict=True)
        if not result.get("question")
    ]
    if not calls_with_results:
        return {**acting, "rounds": rounds[:-1]}
    answered_round: ToolRoundState = {
        "text": asking_round["text"],
        "calls": [call for call, _ in calls_with_results],
        "results": [result for _, result in calls_with_results],
    }
    return {**acting, "rounds": [*rounds[:-1], answered_round]}


def after_decision(state: TurnState, reply: TurnRequest) -> ActingState:
    """The calls so far, after the user's reply to the question whether calls may run.

    After an approval the approved calls wait to be run, with the arguments that the user edited;
    calls that the user refused are marked. After any other reply the calls end, with the user's
    words as their result.
    """
    acting = acting_of(state)
    if reply.decision in APPROVING:
        return _apply_edits(acting, reply.edits)
    refusal = json.dumps(
        {"error": _NOT_APPROVED, "user_says": reply.message.text}, ensure_ascii=False
    )
    updated_acting = with_round(acting, [denied_result(call, refusal) for call in acting["calls"]])
    return (
        {**updated_acting, "limit": "cancelled"}
        if reply.decision == "cancelled"
        else updated_acting
    )


def _apply_edits(acting: ActingState, edits: Mapping[str, Mapping[str, Any] | None]) -> ActingState:
    """The calls with the user's edits: new arguments, or None for a call that the user refused.

    Only calls that waited for approval can be edited.
    """
    calls, policies = list(acting["calls"]), list(acting["policies"])
    for index, (call, policy) in enumerate(zip(acting["calls"], acting["policies"], strict=True)):
        if policy != "ask" or call["id"] not in edits:
            continue
        if (arguments := edits[call["id"]]) is None:
            policies[index] = "refused"
        else:
            calls[index] = _storable_call({**call, "arguments": dict(arguments), "problem": ""})
    return {**acting, "calls": calls, "policies": policies}


def asking(call: CallState) -> ResultState:
    """The result of a question to the user, before the answer is added."""
    return ToolResult(call["id"], "success", "The user was asked, and says:").to_state()


def denied_result(call: CallState, why: str) -> ResultState:
    """The result of a call that was not run; `why` is the reason."""
    return ToolResult(call["id"], "denied", why).to_state()


def with_round(acting: ActingState, results: Sequence[ResultState]) -> ActingState:
    """The calls so far, with the last requested calls and these results as one more round."""
    tool_round: ToolRoundState = {
        "text": acting.get("said", ""),
        "calls": acting["calls"],
        "results": list(results),
    }
    rounds, consecutive_errors = [*acting.get("rounds", []), tool_round], acting.get("errors", 0)
    for tool_result in results:
        is_error = tool_result["status"] in {"error", "unknown"} and not tool_result.get("question")
        consecutive_errors = consecutive_errors + 1 if is_error else 0
    updated_acting: ActingState = {"rounds": rounds, "errors": consecutive_errors}
    if permission_uses := acting.get("permitted"):
        updated_acting["permitted"] = permission_uses
    if "plan" in acting:
        updated_acting["plan"] = acting["plan"]
    if consecutive_errors >= MOST_ERRORS:
        updated_acting["limit"] = "errors"
    elif sum(len(past_round["calls"]) for past_round in rounds) >= MOST_CALLS:
        updated_acting["limit"] = "calls"
    return updated_acting
