"""The graph of a turn: its nodes, in reading order, and the edges between them."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Overwrite, RetryPolicy

from rich_agent.domain.answer.trace import NodeId
from rich_agent.domain.message import IncomingMessage, TurnRequest
from rich_agent.errors import BrokenAnswerError, UpstreamRateLimitedError, UpstreamUnavailableError
from rich_agent.graph.decisions import is_withheld
from rich_agent.graph.nodes.act import act, request_approval
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.nodes.ingest_input import ingest_input
from rich_agent.graph.nodes.load_long_term_memory import load_long_term_memory
from rich_agent.graph.nodes.persist import persist
from rich_agent.graph.nodes.retrieve import read_files, retrieve, web_search
from rich_agent.graph.nodes.search_further import search_further
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.nodes.take_answer import ask_back, take_answer
from rich_agent.graph.nodes.vision_summarize import vision_summarize
from rich_agent.graph.planning import clarification_of, early_stop_update
from rich_agent.graph.reports import NodeNotes, report_of
from rich_agent.graph.services import MODEL_TRIES, NodeContext, NodeRun, with_retries
from rich_agent.graph.state import TurnInput, TurnState, TurnUpdate, reply_of
from rich_agent.graph.subject import lacks_question, lacks_wish
from rich_agent.graph.views import files_of, images_of
from rich_agent.ports.models import ModelBusyError
from rich_agent.runtime.concurrency import end_on
from rich_agent.runtime.metering import bill_to
from rich_agent.runtime.tracing import within

TurnGraph = CompiledStateGraph[TurnState, NodeContext, TurnInput, TurnState]


class Node(Protocol):
    """Reads the state and its context, returns the keys that it changes."""

    async def __call__(self, state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
        """Run the node."""
        ...


# Timeouts are left out: nobody would wait for the same silence twice.
PASSING_FAILURES = (UpstreamRateLimitedError, UpstreamUnavailableError)


def _passes(error: Exception) -> bool:
    """Whether a node is tried again soon after this error.

    A busy model is left out: its own waiting time has already passed.
    """
    return isinstance(error, PASSING_FAILURES) and not isinstance(error, ModelBusyError)


RETRY = (
    # A broken answer mostly comes again, so that one more try is enough.
    RetryPolicy(max_attempts=2, initial_interval=0.5, retry_on=BrokenAnswerError),
    RetryPolicy(max_attempts=MODEL_TRIES, initial_interval=0.5, retry_on=_passes),
)

# The state that a node leaves if the user stops the turn before it is done. N6 stops by itself; the
# other nodes are short, or keep what was said.
_ON_STOP: Mapping[NodeId, Callable[[TurnState], TurnUpdate]] = MappingProxyType(
    {
        "N13_read_files": lambda _: {},
        "N3_vision_summarize": lambda _: {},
        "N4_build_effective_query": early_stop_update,
        "N5_retrieve": lambda _: {},
        "N14_search_further": lambda state: {"rag": {**state["rag"], "gap": ""}},
        "N8_web_search": lambda _: {},
    }
)


_NODES: Mapping[NodeId, Node] = MappingProxyType(
    {
        "N1_ingest_input": ingest_input,
        "N2_load_long_term_memory": load_long_term_memory,
        "N13_read_files": read_files,
        "N3_vision_summarize": vision_summarize,
        "N4_build_effective_query": build_effective_query,
        "N5_retrieve": retrieve,
        "N14_search_further": search_further,
        "N8_web_search": web_search,
        "N6_synthesize": synthesize,
        "N12_act": act,
        "N7_persist": persist,
        "N9_ask_back": ask_back,
        "N10_take_answer": take_answer,
        "N11_request_approval": request_approval,
    }
)


def build_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> TurnGraph:
    """The compiled graph; without a checkpointer, no state of a turn is saved."""
    graph = StateGraph(TurnState, NodeContext, input_schema=TurnInput)
    for node_id, node in _NODES.items():
        graph.add_node(node_id, _with_report(node_id, node), retry_policy=RETRY)

    graph.add_edge(START, "N1_ingest_input")
    graph.add_edge("N1_ingest_input", "N2_load_long_term_memory")
    graph.add_conditional_edges("N2_load_long_term_memory", after_memory)
    graph.add_conditional_edges("N13_read_files", after_reading)
    graph.add_conditional_edges("N3_vision_summarize", after_looking)
    graph.add_conditional_edges("N4_build_effective_query", after_query)
    graph.add_conditional_edges("N5_retrieve", after_retrieval)
    graph.add_conditional_edges("N14_search_further", after_retrieval)
    graph.add_edge("N8_web_search", "N6_synthesize")
    graph.add_conditional_edges("N6_synthesize", after_synthesis)
    graph.add_edge("N7_persist", END)

    # Only for messages that ask for action: run the model's calls, then go back to the model.
    graph.add_conditional_edges("N12_act", after_acting)

    # Only if something is missing or needs approval: ask the user, then wait for the answer.
    graph.add_edge("N9_ask_back", "N10_take_answer")
    graph.add_conditional_edges("N10_take_answer", after_answer)

    # Only for answers that a person has to approve.
    graph.add_edge("N11_request_approval", "N7_persist")
    return graph.compile(checkpointer=checkpointer)


def after_memory(
    state: TurnState,
) -> Literal["N13_read_files", "N3_vision_summarize", "N9_ask_back", "N4_build_effective_query"]:
    """Lead to the files or images, if there are any; else to the plan.

    Links without a request lead to a question.
    """
    if lacks_wish(state):
        return "N9_ask_back"
    if files_of(state):
        return "N13_read_files"
    return "N3_vision_summarize" if images_of(state) else "N4_build_effective_query"


def after_reading(
    state: TurnState,
) -> Literal["N3_vision_summarize", "N9_ask_back", "N4_build_effective_query"]:
    """Lead to the images, if there are any; files without a question lead to one."""
    return "N3_vision_summarize" if images_of(state) else after_looking(state)


def after_looking(state: TurnState) -> Literal["N9_ask_back", "N4_build_effective_query"]:
    """Lead to the plan; images or files without a question lead to one."""
    return "N9_ask_back" if lacks_question(state) else "N4_build_effective_query"


def after_answer(
    state: TurnState,
) -> Literal[
    "N1_ingest_input",
    "N9_ask_back",
    "N13_read_files",
    "N3_vision_summarize",
    "N4_build_effective_query",
    "N12_act",
    "N6_synthesize",
]:
    """Lead on after the user's answer.

    An approval leads to the calls, a refusal to the answer, other words to files, images and plan.
    A message that came instead of an answer begins a turn of its own. A reply that no model could
    read leads to the same question again.
    """
    status = clarification_of(state).get("status")
    if status != "answered":
        return "N1_ingest_input" if status == "dropped" else "N9_ask_back"
    match reply_of(state):
        case TurnRequest(decision="approved" | "always"):
            return "N12_act"
        case TurnRequest(decision="cancelled"):
            return "N6_synthesize"
        case reply:
            return _after_words(reply)


def _after_words(
    reply: TurnRequest | None,
) -> Literal["N13_read_files", "N3_vision_summarize", "N4_build_effective_query"]:
    match reply:
        case TurnRequest(message=IncomingMessage(files=(_, *_))):
            return "N13_read_files"
        case TurnRequest(message=IncomingMessage(photos=(_, *_))):
            return "N3_vision_summarize"
    return "N4_build_effective_query"


def after_query(
    state: TurnState,
) -> Literal["N1_ingest_input", "N9_ask_back", "N5_retrieve", "N8_web_search", "N6_synthesize"]:
    """Lead to documents, the web or the answer by the plan; a question to the user comes first.

    A message that came instead of an answer begins a turn of its own.
    """
    match clarification_of(state).get("status"):
        case "wanted":
            return "N9_ask_back"
        case "dropped":
            return "N1_ingest_input"
    plan = state["routing"]["plan"]
    if plan == "direct":
        return "N6_synthesize"
    return "N8_web_search" if plan == "web" else "N5_retrieve"


def after_acting(state: TurnState) -> Literal["N9_ask_back", "N6_synthesize"]:
    """Lead back to the model, or to the user if there is a question."""
    needs_answer = clarification_of(state).get("status") == "wanted"
    return "N9_ask_back" if needs_answer else "N6_synthesize"


def after_synthesis(
    state: TurnState, runtime: Runtime[NodeContext]
) -> Literal["N12_act", "N9_ask_back", "N11_request_approval", "N7_persist"]:
    """Lead to the model's calls, after the user's approval if they need it; else to the end.

    An answer that a person has to approve leads to that approval first.
    """
    if state.get("acting", {}).get("calls"):
        needs_answer = clarification_of(state).get("status") == "wanted"
        return "N9_ask_back" if needs_answer else "N12_act"
    awaits_approval = is_withheld(state, runtime.context.services.approval_intents)
    return "N11_request_approval" if awaits_approval else "N7_persist"


def after_retrieval(
    state: TurnState,
) -> Literal["N14_search_further", "N8_web_search", "N6_synthesize"]:
    """Lead to another search while information is missing, else to the web or the answer.

    A plan that includes the web leads there after weak evidence, too.
    """
    if state["rag"].get("gap"):
        return "N14_search_further"
    return "N8_web_search" if state["routing"]["plan"] == "rag+web" else "N6_synthesize"


def _with_report(node_id: NodeId, node: Node) -> Node:
    """A node that also records its latency and its report.

    The first node of a turn starts new records; a node that runs again adds to its latency.
    """
    is_first_node = node_id == "N1_ingest_input"
    retrying_node = _retrying(node)
    stoppable_node = (
        _stoppable(retrying_node, _ON_STOP[node_id]) if node_id in _ON_STOP else retrying_node
    )

    async def run_with_report(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
        start_s, execution = time.perf_counter(), runtime.execution_info
        turn = runtime.context.turn
        notes = NodeNotes(
            attempt=execution.node_attempt if execution else 1, resumed=node_id in turn.resumed_at
        )
        run = NodeRun(notes, on_wait=lambda: runtime.stream_writer({"stage": "busy"}))
        context = replace(runtime.context, run=run)
        with bill_to(turn.meter, node_id), within(turn.span):
            update = await stoppable_node(state, runtime.override(context=context))
        earlier_ms = 0.0 if is_first_node else state["latency_ms"].get(node_id, 0.0)
        latency = {node_id: round(earlier_ms + (time.perf_counter() - start_s) * 1000, 2)}
        node_report = report_of(node_id, state, update, notes)
        usage = turn.meter.used_in(node_id)
        report = {node_id: replace(node_report, usage=usage).to_json()}
        channel: Callable[[Any], Any] = Overwrite if is_first_node else dict
        return {**update, "latency_ms": channel(latency), "node_log": channel(report)}

    return run_with_report


def _retrying(node: Node) -> Node:
    """A node that runs again after the time that a busy model server asked to wait."""

    async def patient(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
        try_count = 0

        async def run() -> TurnUpdate:
            nonlocal try_count
            try_count += 1
            if try_count == 1 or runtime.execution_info is None:
                return await node(state, runtime)
            # The timeout of the node starts anew, because the wait does not count.
            attempt_start = time.time()
            return await node(
                state, runtime.patch_execution_info(node_first_attempt_time=attempt_start)
            )

        return await with_retries(run, runtime.context)

    return patient


def _stoppable(node: Node, on_stop: Callable[[TurnState], TurnUpdate]) -> Node:
    """A node that is cancelled as soon as the user stops the turn."""

    async def stoppable(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
        update: TurnUpdate = {}
        async with end_on(runtime.context.turn.stop) as was_stopped:
            update = await node(state, runtime)
        if was_stopped():
            runtime.context.run.notes.count("stopped")
        return on_stop(state) if was_stopped() else update

    return stoppable
