"""What a turn does by tools: what the model is told of it, and what the user."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.routing.clarification import in_bounds
from rich_agent.domain.routing.plan import Clarification
from rich_agent.domain.text import shorten
from rich_agent.domain.tools import (
    ASK_TOOL,
    MOST_CALLS,
    MOST_ERRORS,
    ActingState,
    CallState,
    ResultState,
    ToolCall,
    ToolResult,
    ToolRoundState,
    ToolSpec,
    fingerprint_of,
)
from rich_agent.graph.clarifying import clarification_of
from rich_agent.graph.services import Services
from rich_agent.graph.state import ClarificationState, RequestState, TurnState, TurnUpdate
from rich_agent.graph.views import locale_of, words_of
from rich_agent.phrases import say, say_tool
from rich_agent.ports.models import ToolRound
from rich_agent.ports.tools import Asker
from rich_agent.prompts import tagged

_NOT_APPROVED = "Not done: the user has not approved it."
_LEAST_RESULT_CHARS = 400
_CHARS_PER_TOKEN = 3


def acting_of(state: TurnState) -> ActingState:
    """What was done in this turn, {} before anything was."""
    return state.get("acting") or {}


def asker_of(state: TurnState) -> Asker:
    """For whom tools run in this turn; another form of an edited question acts anew."""
    request = state["request"]
    return Asker(
        user_id=state["user"]["telegram_user_id"],
        thread_id=request["thread_id"],
        request_id=request["request_id"],
        locale=locale_of(state),
        time_zone=request["user"].get("time_zone", ""),
        words=words_of(state),
    )


def now_of(state: TurnState, services: Services) -> datetime:
    """The present where the user is; UTC while that is not known."""
    try:
        return services.now().astimezone(ZoneInfo(asker_of(state).time_zone or "UTC"))
    except (ZoneInfoNotFoundError, ValueError):
        return services.now()


@dataclass(frozen=True, slots=True)
class ActionSlots:
    """What the prompt of an answer says of tools; `limit` is why no more of them can be called."""

    now: datetime
    time_zone: str = ""
    can_act: bool = False
    limit: str = ""
    abilities: tuple[str, ...] = ()


async def action_slots(
    tools: Sequence[ToolSpec], state: TurnState, services: Services
) -> ActionSlots:
    """The slots of a prompt in which these tools can be called."""
    asker = asker_of(state)
    known = () if tools else await services.tools.offered(asker)
    return ActionSlots(
        now_of(state, services),
        asker.time_zone,
        bool(tools),
        acting_of(state).get("limit", ""),
        tuple(tool.name.replace("_", " ") for tool in known),
    )


async def offered_to(state: TurnState, services: Services) -> tuple[ToolSpec, ...]:
    """The tools that the model may call now, none in a turn that only answers."""
    if not state["routing"].get("acts") or acting_of(state).get("limit"):
        return ()
    return tuple(await services.tools.offered(asker_of(state)))


async def wish_to_act(
    said: str, calls: Sequence[ToolCall], state: TurnState, services: Services
) -> TurnUpdate:
    """What the model wants to do next, and the question to the user that has to come before it."""
    kept, asker = _numbered(calls, state), asker_of(state)
    policies = list(services.tools.policies_of([ToolCall(**call) for call in kept], asker))
    acting: ActingState = {
        **acting_of(state),
        "said": said,
        "calls": kept,
        "policies": policies,
    }
    needing = _needing_approval(acting)
    if not needing:
        return {"acting": acting}
    asked = await _approval_wanted(needing, state, services)
    return {"acting": acting, "clarification": asked}


def _needing_approval(acting: ActingState) -> list[CallState]:
    pairs = zip(acting["calls"], acting["policies"], strict=True)
    return [call for call, policy in pairs if policy == "ask"]


def is_approved(state: TurnState) -> bool:
    """Whether the user approved exactly the calls that wait."""
    asked, acting = clarification_of(state), acting_of(state)
    decided = asked.get("reply", {}).get("decision")
    is_same = asked.get("approves") == fingerprint_of(_needing_approval(acting))
    return asked.get("status") == "answered" and decided == "approved" and is_same


def _numbered(calls: Sequence[ToolCall], state: TurnState) -> list[CallState]:
    """As many of the calls as one message may lead to, under ids that are unique in it."""
    rounds = acting_of(state).get("rounds", [])
    left = MOST_CALLS - sum(len(one["calls"]) for one in rounds)
    revision, number = state["request"].get("revision", 0), len(rounds)
    return [
        replace(call, id=f"call_{revision}_{number}_{place}").to_state()
        for place, call in enumerate(calls[:left])
    ]


async def _approval_wanted(
    calls: Sequence[CallState], state: TurnState, services: Services
) -> ClarificationState:
    """The question by which the user approves the calls that need it."""
    locale, asker = locale_of(state), asker_of(state)
    lines = [await services.tools.describe(ToolCall(**call), asker) for call in calls]
    question = "\n".join([say(locale, "approve-calls"), "", *(f"• {line}" for line in lines)])
    return {
        "status": "wanted",
        "question": question,
        "choices": [say(locale, "approve-yes"), say(locale, "approve-no")],
        "approves": fingerprint_of(calls),
        "round": clarification_of(state).get("round", 0) + 1,
    }


def question_in(calls: Sequence[CallState], state: TurnState) -> ClarificationState:
    """What the model wants to know of the user before it goes on, {} if nothing."""
    for call in calls:
        asked, given = call["arguments"].get("question"), call["arguments"].get("choices")
        if call["name"] != ASK_TOOL or not isinstance(asked, str):
            continue
        choices = tuple(map(str, given)) if isinstance(given, list) else ()
        if bounded := in_bounds(Clarification(asked, choices)):
            return {
                "status": "wanted",
                "question": bounded.question,
                "choices": list(bounded.choices),
                "round": clarification_of(state).get("round", 0) + 1,
            }
    return {}


def with_answer(state: TurnState, reply: str) -> ActingState:
    """What was done, where the last round asked the user: with the answer as its result."""
    acting = acting_of(state)
    rounds = acting.get("rounds", [])
    if not rounds:
        return acting
    last = rounds[-1]
    results: list[ResultState] = [
        {**result, "content": reply} if call["name"] == ASK_TOOL else result
        for call, result in zip(last["calls"], last["results"], strict=True)
    ]
    return {**acting, "rounds": [*rounds[:-1], {**last, "results": results}]}


def after_decision(state: TurnState, reply: RequestState) -> ActingState:
    """What was done, once the user's reply to what waits for approval came.

    Approved calls are run next. Others are over; what the user said instead is their result.
    """
    acting = acting_of(state)
    if reply.get("decision") == "approved":
        return acting
    said = json.dumps({"error": _NOT_APPROVED, "user_says": reply["text"]}, ensure_ascii=False)
    after = ended(acting, [refused(call, said) for call in acting["calls"]])
    return {**after, "limit": "cancelled"} if reply.get("decision") == "cancelled" else after


def asking(call: CallState) -> ResultState:
    """The result of a question to the user, until the answer is there."""
    return ToolResult(call["id"], "success", '{"asked": true}').to_state()


def refused(call: CallState, why: str) -> ResultState:
    """The result of a call that was not run."""
    return ToolResult(call["id"], "denied", why).to_state()


def ended(acting: ActingState, results: Sequence[ResultState]) -> ActingState:
    """What was done, with one more round; nothing waits any more."""
    done: ToolRoundState = {
        "text": acting.get("said", ""),
        "calls": acting["calls"],
        "results": list(results),
    }
    rounds, errors = [*acting.get("rounds", []), done], acting.get("errors", 0)
    for result in results:
        errors = errors + 1 if result["status"] in {"error", "unknown"} else 0
    after: ActingState = {"rounds": rounds, "errors": errors}
    if errors >= MOST_ERRORS:
        after["limit"] = "errors"
    elif sum(len(one["calls"]) for one in rounds) >= MOST_CALLS:
        after["limit"] = "calls"
    return after


def found_by_tools(state: TurnState) -> list[Passage]:
    """What tools gave, as passages that can be cited: those of searches, else whole results."""
    return [
        passage
        for one in acting_of(state).get("rounds", [])
        for call, result in zip(one["calls"], one["results"], strict=True)
        for passage in _passages(call, result, locale_of(state))
    ]


def _passages(call: CallState, result: ResultState, locale: str) -> list[Passage]:
    if result["passages"]:
        return [Passage.from_state(passage) for passage in result["passages"]]
    title = say_tool(locale, call["name"])
    return [Passage(f"tool:{call['id']}", "tool", result["content"], "", title)]


def rounds_for_prompt(
    state: TurnState, first_number: int, room_tokens: int
) -> tuple[ToolRound, ...]:
    """The calls of this turn as a model reads them, results numbered on from `first_number`."""
    rounds, locale = acting_of(state).get("rounds", []), locale_of(state)
    results = sum(len(one["results"]) for one in rounds)
    most = max(_LEAST_RESULT_CHARS, room_tokens * _CHARS_PER_TOKEN // max(1, results))
    numbers = iter(range(first_number, first_number + MOST_CALLS * 100))

    def material(call: CallState, result: ResultState) -> str:
        shown = _passages(call, result, locale)
        tag = "passage" if result["passages"] else "tool_result"
        share = max(_LEAST_RESULT_CHARS, most // len(shown))
        about: list[dict[str, Any]] = [
            {"n": str(next(numbers)), "title": passage.title} for passage in shown
        ]
        if tag == "tool_result":
            about = [{"n": about[0]["n"], "tool": call["name"], "status": result["status"]}]
        return "\n".join(
            tagged(tag, shorten(passage.content, share), **attributes)
            for passage, attributes in zip(shown, about, strict=True)
        )

    return tuple(
        ToolRound(
            one["text"],
            tuple(ToolCall(**call) for call in one["calls"]),
            tuple(map(material, one["calls"], one["results"])),
        )
        for one in rounds
    )


def done_lines(state: TurnState) -> Iterator[str]:
    """A line for each change that was made in this turn."""
    for result in _results(state):
        if result["done"]:
            yield f"✓ {result['done']}"


def is_undoable(state: TurnState) -> bool:
    """Whether something of what was done can be taken back."""
    return any(result["undoable"] for result in _results(state))


def _results(state: TurnState) -> Iterator[ResultState]:
    return (result for one in acting_of(state).get("rounds", []) for result in one["results"])
