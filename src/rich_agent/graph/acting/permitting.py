"""Permissions for good: when the user is offered one, how it is given, and which calls used one."""

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
    """The question about calls, with the offer to permit it for good if it is about a single one.

    A card with several calls is read as a whole: for good, each has to be looked at by itself.
    """
    waiting = [
        ruling
        for call, ruling in zip(calls, rulings, strict=True)
        if ruling.policy == "ask" and not call["problem"]
    ]
    if len(waiting) != 1 or not waiting[0].lasting:
        return question
    constant_arguments, locale = waiting[0].fixed, locale_of(state)
    always = say(locale, "approve-always")
    about = (
        say(
            locale,
            "approve-always-alike",
            always=always,
            fixed=escape_invisible(", ".join(constant_arguments)),
        )
        if constant_arguments
        else say(locale, "approve-always-same", always=always)
    )
    return {
        **question,
        "question": f"{question['question']}\n{about}",
        "choices": [*question["choices"], always],
        "lasting": waiting[0].lasting,
        "fixed": list(constant_arguments) if constant_arguments else None,
    }


def permission_uses_of(
    acting: ActingState, calls: Sequence[CallState], rulings: Sequence[Ruling]
) -> list[PermittedState]:
    """The calls of the turn that run by a permission, with those of these that do."""
    new: list[PermittedState] = [
        {"call_id": call["id"], "permission": ruling.permission}
        for call, ruling in zip(calls, rulings, strict=True)
        if ruling.permission
    ]
    return [*acting.get("permitted", ()), *new]


def permission_of(call: CallState, acting: ActingState) -> int:
    """The number of the permission by which a call runs, 0 if by none."""
    uses = acting.get("permitted", ())
    return next((one["permission"] for one in uses if one["call_id"] == call["id"]), 0)


async def permit_for_good(state: TurnState, asker: Asker, services: Services) -> None:
    """Keep the permission if the approver gave it: for the call as it was shown, and no other.

    Raises: LaneLostError, DatabaseUnavailableError.
    """
    question, reply = clarification_of(state), reply_of(state)
    is_given = reply is not None and reply.decision == "always" and not reply.edits
    if is_given and asker.has_approved and (digest := question.get("lasting")):
        (call,) = needing_approval(acting_of(state))
        await services.tools.permit(ToolCall(**call), asker, digest, question.get("fixed"))
