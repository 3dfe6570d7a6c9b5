"""N7: stores what the turn taught and how it went; every effect can be repeated."""

import time
from dataclasses import replace

from langchain_core.messages import RemoveMessage
from langgraph.runtime import Runtime

from rich_agent.domain.answer.trace import NodeId
from rich_agent.domain.languages import locale_of_tag
from rich_agent.graph.decisions import decision_of
from rich_agent.graph.memory.compaction import compact
from rich_agent.graph.memory.forgetting import is_to_stay_unsaid, without_words
from rich_agent.graph.memory.learning import update_memory
from rich_agent.graph.origins import READ, words_behind_answer
from rich_agent.graph.reports import report_of
from rich_agent.graph.requests import input_of, request_of
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState, TurnUpdate
from rich_agent.graph.views import images_of, kept_request, locale_of, said_in
from rich_agent.phrases import say
from rich_agent.ports.turns import TurnRecord
from rich_agent.runtime.concurrency import task_group

NODE_ID: NodeId = "N7_persist"


async def persist(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Record the turn, update the user's memory, complete the decision, keep the window small.

    Only the newest turns stay in the state; older ones go into the summary and the archive. The
    text of the retrieved passages and of earlier turns does not stay either. This node's own
    latency in the decision ends where the decision is written. Of a wish to forget that was heeded
    no word stays.
    """
    began = time.perf_counter()
    context, services = runtime.context, runtime.context.services
    async with task_group() as group:
        group.create_task(services.transcript.record(_record(state)))
        learning = group.create_task(update_memory(state, context))
        compacting = group.create_task(compact(state, context))
    spent_ms = (time.perf_counter() - began) * 1000
    leaving = compacting.result()
    wrote = {"memory": {"updated": learning.result()}, "archived": leaving}
    own = report_of(NODE_ID, state, wrote, context.run.notes)
    own = replace(own, usage=context.turn.meter.used_in(NODE_ID))
    decision = replace(
        decision_of(state),
        latency_ms={**state["latency_ms"], NODE_ID: round(spent_ms, 2)},
        nodes={**state["node_log"], NODE_ID: own.to_json()},
    )
    await services.decisions.record(decision)
    unsaid = without_words(state) if is_to_stay_unsaid(state) else None
    kept = unsaid or _without_content(state, is_updated=learning.result())
    folded = [RemoveMessage(id=str(message.id)) for message in leaving]
    return {**kept, "messages": [*folded, *kept.get("messages", [])]}


def _without_content(state: TurnState, *, is_updated: bool) -> TurnUpdate:
    """Return what the state keeps of the turn: how it went, not what it read."""
    memory, rag = state["memory"].copy(), state["rag"]
    memory.pop("forgetting", None)
    return {
        "acting": {},
        "memory": {**memory, "past_turns": [], "updated": is_updated},
        "rag": {
            "query": rag.get("query", ""),
            "queries": rag.get("queries", []),
            "retrieved_chunks": [
                {**chunk, "content": ""} for chunk in rag.get("retrieved_chunks", ())
            ],
            "citations": state["answer"].get("citations", []),
        },
    }


def _record(state: TurnState) -> TurnRecord:
    request, is_unsaid = request_of(state), is_to_stay_unsaid(state)
    timeline, read = state["answer"].get("timeline"), words_behind_answer(state)
    return TurnRecord(
        user_id=state["user"]["telegram_user_id"],
        thread_id=request.thread_id,
        request_id=request.request_id,
        question=say(locale_of(state), "forgetting-wish")
        if is_unsaid
        else said_in(input_of(state)),
        answer=state["answer"]["text"],
        meta={
            "plan": state["routing"]["plan"],
            "images": [image.sha256 for image in images_of(state)],
            "citations": [citation["id"] for citation in state["answer"]["citations"]],
            "sources": list(state["answer"]["citations"]),
            **({"timeline": timeline} if timeline else {}),
            **({READ: read} if read else {}),
        },
        revision=request.revision,
        request={} if is_unsaid else kept_request(state),
        spoken=locale_of_tag(state["routing"].get("language", "")),
    )
