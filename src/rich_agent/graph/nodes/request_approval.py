"""N11: holds an answer back until a person has approved it, and tells the user so."""

from langgraph.runtime import Runtime

from rich_agent.graph.origins import answered
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState, TurnUpdate, input_of, request_of
from rich_agent.graph.views import is_for_group, locale_of, said_in
from rich_agent.graph.withholding import AWAITS_APPROVAL
from rich_agent.phrases import say
from rich_agent.ports.approvals import ApprovalRequest
from rich_agent.runtime.concurrency import TurnEnd


async def request_approval(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Put the answer before the admins, and a sentence in its place.

    The turn comes to its end with that sentence, so that the user's next message waits for nobody.
    An answer that the user stopped is kept from both, and so is one that a group would read.
    """
    services, stop = runtime.context.services, runtime.context.turn.stop
    is_refused = stop.is_set() or is_for_group(state)
    if not is_refused:
        await services.approvals.request(_draft(state))
    said = say(locale_of(state), _notice(state, stop))
    message = await answered(said, state, **({} if is_refused else {AWAITS_APPROVAL: True}))
    return {
        "approval": {"kind": "approval", "status": "stopped" if is_refused else "waiting"},
        "answer": {"text": said, "citations": []},
        "messages": [message],
    }


def _notice(state: TurnState, stop: TurnEnd) -> str:
    """The phrase that stands in the place of the answer."""
    if stop.is_set():
        return "stopped-at-once"
    return "guest-withheld" if is_for_group(state) else "approval-waiting"


def _draft(state: TurnState) -> ApprovalRequest:
    request, answer = request_of(state), state["answer"]
    return ApprovalRequest(
        user_id=state["user"]["telegram_user_id"],
        thread_id=request.thread_id,
        request_id=request.request_id,
        revision=request.revision,
        locale=locale_of(state),
        intent=state["routing"]["intent"],
        question=said_in(input_of(state)),
        answer=answer["text"],
        citations=answer["citations"],
        message_id=request.message.message_id,
    )
