"""N11 and N12: wait for a person's approval of an answer; run approved calls, each once."""

from dataclasses import replace

from langgraph.runtime import Runtime
from opentelemetry.trace import SpanKind

from rich_agent.domain.tools import ASK_TOOL, CallState, ResultState, ToolCall, ToolResult
from rich_agent.graph.acting.calling import (
    asking,
    denied_result,
    is_approved,
    question_in,
    question_of,
    with_round,
)
from rich_agent.graph.acting.offering import asker_of
from rich_agent.graph.acting.permitting import permission_of, permit_for_good
from rich_agent.graph.decisions import AWAITS_APPROVAL
from rich_agent.graph.origins import answer_message
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import TurnState, TurnUpdate, input_of, request_of
from rich_agent.graph.views import acting_of, conversation_text, is_in_group, locale_of
from rich_agent.phrases import say
from rich_agent.ports.approvals import ApprovalRequest
from rich_agent.ports.tools import Asker
from rich_agent.runtime.concurrency import TurnEnd, run_all
from rich_agent.runtime.tracing import (
    EXECUTE_TOOL,
    TOOL,
    TOOL_CALL,
    TOOL_TYPE,
    fail,
    span_of,
    within,
)

_NOT_APPROVED = '{"error": "Not done: the user has not approved it."}'
_FORBIDDEN = '{"error": "Not done: the operator does not allow this tool."}'
_UNATTENDED = (
    '{"error": "Not done: nobody is there, and only reading is allowed. Say what you would have '
    'done, and that the user can ask for it now."}'
)
_OF_NO_TOOL = {"type": "object"}
_STOPPED = '{"error": "Not done: the user stopped you."}'


async def act(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Run the calls that need no approval, and the calls that the user approved.

    Calls that only read run concurrently, others in their order. If the message was edited, the
    changes of its earlier form are undone first.
    """
    services, acting, has_approval = runtime.context.services, acting_of(state), is_approved(state)
    asker = replace(asker_of(state, services), has_approved=has_approval)
    calls, policies = acting["calls"], acting["policies"]
    await permit_for_good(state, asker, services)
    await _undo_replaced_turn(state, services)

    async def run(call: CallState, policy: str) -> ResultState:
        if runtime.context.turn.stop.is_set():
            return denied_result(call, _STOPPED)
        if policy == "deny":
            return denied_result(call, _UNATTENDED if asker.is_unattended else _FORBIDDEN)
        if policy == "refused" or (policy == "ask" and not has_approval):
            return denied_result(call, _NOT_APPROVED)
        runtime.stream_writer({"stage": "acting", "tool": call["name"]})
        tool_result = await _run_in_span(call, asker, services, permission_of(call, acting))
        runtime.context.run.notes.count(f"tool_{tool_result.status}")
        return tool_result.to_state()

    question = question_in(calls, state)
    only_reads = services.tools.only_read([call["name"] for call in calls])
    other_calls = [
        (call, policy)
        for call, policy in zip(calls, policies, strict=True)
        if not (question and call["name"] == ASK_TOOL)
    ]
    if only_reads:
        run_results = await run_all(run(call, policy) for call, policy in other_calls)
    else:
        run_results = [await run(call, policy) for call, policy in other_calls]
    result_by_id = {tool_result["call_id"]: tool_result for tool_result in run_results}
    tool_results = [result_by_id.get(call["id"]) or asking(call) for call in calls]
    update: TurnUpdate = {"acting": with_round(acting, tool_results)}
    question = question or question_of(tool_results, state)
    return {**update, "clarification": question} if question else update


async def _run_in_span(
    call: CallState, asker: Asker, services: Services, permission: int
) -> ToolResult:
    """The result of a call, traced; the use of a permission is counted."""
    # A model may invent a name that contains private words.
    is_known = services.tools.parameters_of(call["name"]) != _OF_NO_TOOL
    tool_name = call["name"] if is_known else "unknown"
    attributes = {TOOL: tool_name, TOOL_TYPE: "function", TOOL_CALL: call["id"]}
    with span_of(EXECUTE_TOOL, tool_name, attributes, SpanKind.INTERNAL) as span, within(span):
        tool_result = await services.tools.run(ToolCall(**call), asker)
        if permission:
            await services.tools.use(permission, asker)
        if tool_result.status == "error":
            fail(span, "tool_error")
    return tool_result


async def _undo_replaced_turn(state: TurnState, services: Services) -> None:
    """Undo the changes that a turn made before its message was edited or asked again."""
    request = request_of(state)
    if acting_of(state).get("rounds"):
        return
    replaced_id = request.replaces or (request.request_id if request.revision else "")
    if replaced_id:
        asker = asker_of(state, services)
        await services.tools.undo(asker.user_id, replaced_id, asker.locale)


async def request_approval(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Send the answer to the admins for approval, and show a notice in its place.

    The turn ends with the notice, so that the user's next message does not wait. An answer that the
    user stopped is not sent for approval, nor one that a group would read.
    """
    services, stop = runtime.context.services, runtime.context.turn.stop
    is_refused = stop.is_set() or is_in_group(state)
    if not is_refused:
        await services.approvals.request(_draft(state))
    notice_text = say(locale_of(state), _notice_key(state, stop))
    message = await answer_message(
        notice_text, state, **({} if is_refused else {AWAITS_APPROVAL: True})
    )
    return {
        "approval": {"kind": "approval", "status": "stopped" if is_refused else "waiting"},
        "answer": {"text": notice_text, "citations": []},
        "messages": [message],
    }


def _notice_key(state: TurnState, stop: TurnEnd) -> str:
    """The key of the notice in place of the answer."""
    if stop.is_set():
        return "stopped-at-once"
    return "guest-withheld" if is_in_group(state) else "approval-waiting"


def _draft(state: TurnState) -> ApprovalRequest:
    """The answer as the admins get it."""
    request, answer = request_of(state), state["answer"]
    return ApprovalRequest(
        user_id=state["user"]["telegram_user_id"],
        thread_id=request.thread_id,
        request_id=request.request_id,
        revision=request.revision,
        locale=locale_of(state),
        intent=state["routing"]["intent"],
        question=conversation_text(input_of(state)),
        answer=answer["text"],
        citations=answer["citations"],
        message_id=request.message.message_id,
    )
