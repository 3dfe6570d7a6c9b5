"""Permanent permissions: when the user is offered one, how they grant it, which calls used one."""

from collections.abc import Sequence

from rich_agent.domain.approving.written_out import escape_invisible
from rich_agent.domain.rules import Ruling
from rich_agent.domain.tools import ActingState, CallState, PermittedState, ToolCall
from rich_agent.graph.planning import clarification_of, needing_approval
from rich_agent.graph.services import Services
from rich_agent.graph.state import ClarificationState, TurnState, reply_of
from rich_agent.graph.views import acting_of, locale_of
from rich_agent.phrases import say
from rich_agent.ports.tools import Asker


def offering_more(
    question: ClarificationState,
    calls: Sequence[CallState],
    rulings: Sequence[Ruling],
    state: TurnState,
) -> ClarificationState:
    """The question about calls; about a single call, it also offers a permanent permission.

    Several calls on one card are read as a whole; a permanent permission needs a look at each.
    """
    pending_rulings = [
        ruling
        for call, ruling in zip(calls, rulings, strict=True)
        if ruling.policy == "ask" and not call["problem"]
    ]
    if len(pending_rulings) != 1 or not pending_rulings[0].lasting:
        return question
    fixed_arguments, locale = pending_rulings[0].fixed, locale_of(state)
    choice = say(locale, "approve-always")
    explanation = (
        say(
            locale,
            "approve-always-alike",
            always=choice,
            fixed=escape_invisible(", ".join(fixed_arguments)),
        )
        if fixed_arguments
        else say(locale, "approve-always-same", always=choice)
    )
    return {
        **question,
        "question": f"{question['question']}\n{explanation}",
        "choices": [*question["choices"], choice],
        "lasting": pending_rulings[0].lasting,
        "fixed": list(fixed_arguments) if fixed_arguments else None,
    }


def permission_uses_of(
    acting: ActingState, calls: Sequence[CallState], rulings: Sequence[Ruling]
) -> list[PermittedState]:
    """The turn's calls that run by a permission, including these calls."""
    new_uses: list[PermittedState] = [
        {"call_id": call["id"], "permission": ruling.permission}
        for call, ruling in zip(calls, rulings, strict=True)
        if ruling.permission
    ]
    return [*acting.get("permitted", ()), *new_uses]


def permission_of(call: CallState, acting: ActingState) -> int:
    """The id of the permission by which a call runs, 0 without one."""
    uses = acting.get("permitted", ())
    return next((use["permission"] for use in uses if use["call_id"] == call["id"]), 0)


async def permit_for_good(state: TurnState, asker: Asker, services: Services) -> None:
    """Save a permanent permission for exactly the call that was shown, if the user granted it.

    Raises: LaneLostError, DatabaseUnavailableError.
    """
    question, reply = clarification_of(state), reply_of(state)
    is_given = reply is not None and reply.decision == "always" and not reply.edits
    if is_given and asker.has_approved and (digest := question.get("lasting")):
        (call,) = needing_approval(acting_of(state))
        await services.tools.permit(ToolCall(**call), asker, digest, question.get("fixed"))
