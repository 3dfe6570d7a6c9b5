"""N7: stores what the turn taught and how it went; every effect can be repeated."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from langchain_core.messages import BaseMessage, RemoveMessage
from langgraph.runtime import Runtime

from rich_agent.domain.answer.attachments import attachments_in
from rich_agent.domain.answer.trace import CALLS_PLANNED, NodeId
from rich_agent.domain.budget import first_within, fit_text
from rich_agent.domain.languages import usual_locale
from rich_agent.domain.repetition import still_in, words_in_summary
from rich_agent.domain.words import Words, read_words
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.decisions import decision_of
from rich_agent.graph.memory.archive_vectors import embed_archive
from rich_agent.graph.memory.forgetting import is_to_stay_unsaid, without_words
from rich_agent.graph.memory.learning import update_memory
from rich_agent.graph.memory.window import (
    messages_of,
    newest_within,
    to_remember,
    tokens_of,
    turns_of,
)
from rich_agent.graph.origins import READ, words_behind_answer
from rich_agent.graph.reports import report_of
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import TurnState, TurnUpdate, input_of, request_of
from rich_agent.graph.views import (
    acting_of,
    conversation_text,
    images_of,
    is_refused,
    kept_request,
    locale_of,
    recent_locales,
    request_id_of,
)
from rich_agent.phrases import say
from rich_agent.ports.models import Prompt
from rich_agent.ports.turns import Fold, TurnRecord
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import task_group

WINDOW_SHARE = 0.4
"""Part of the prompt's tokens that the turns in the state may take before they are folded."""
SUMMARY_SHARE = 0.1
"""Part of the prompt's tokens that the summary may take."""
FOLDED_SHARE = 0.6
"""Part of the prompt's tokens for the turns of one fold."""
WORDS_PER_TOKEN = 0.6


async def compact(state: TurnState, context: NodeContext) -> list[BaseMessage]:
    """Fold the older turns when the window is full; the messages that leave the state.

    A turn that was refused leaves by itself, and costs no fold. A fold that fails loses nothing:
    only what the window cannot hold leaves, and awaits the next one in the archive.
    """
    services = context.services
    if is_refused(state):
        own = request_of(state).request_id
        return [message for message in state["messages"] if request_id_of(message) == own]
    user_id, thread_id = state["user"]["telegram_user_id"], request_of(state).thread_id
    turns = turns_of(state["messages"], user_id, thread_id)
    fitting_turns, recent_turns = await asyncio.to_thread(_window_sizes, turns, services)
    # The first turn after a long silence finds what was put away meanwhile.
    if fitting_turns == len(turns) > 1:
        return []
    leaving = turns[:-recent_turns] if fitting_turns < len(turns) else []
    if await _fold(user_id, to_remember(leaving), context):
        return messages_of(leaving, state["messages"])
    overflow = turns[:-fitting_turns]
    await services.archive.keep(to_remember(overflow), awaits_fold=True)
    return messages_of(overflow, state["messages"])


def _window_sizes(turns: Sequence[TurnRecord], services: Services) -> tuple[int, int]:
    """The number of newest turns that the window holds, and that stay where it is full."""
    most, count = services.limits.recent_turns, services.count_tokens
    budget = round(services.limits.max_context_tokens * WINDOW_SHARE)
    return (
        newest_within(turns, most, budget, count),
        newest_within(turns, max(1, most // 2), budget // 2, count),
    )


async def _fold(user_id: int, leaving: Sequence[TurnRecord], context: NodeContext) -> bool:
    """Whether the summary holds all that leaves, and what awaited it."""
    services = context.services
    turns = await services.archive.to_fold(user_id, leaving)
    if not turns:
        return True
    memory = await services.memories.load(user_id)
    summary, words = memory.conversation_summary, memory.summary_words
    budget = services.limits.max_context_tokens

    try:
        while turns:
            batch, prompt = await asyncio.to_thread(_next_fold, summary, turns, services)
            draft = await services.summarizer.summarize(prompt)
            new_summary = fit_text(
                draft.strip(), round(budget * SUMMARY_SHARE), services.count_tokens
            )
            words = _words_in(new_summary, summary, words, batch)
            if not await services.archive.fold(user_id, Fold(batch, summary, new_summary, words)):
                return False
            summary, turns = new_summary, turns[len(batch) :]
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("turns_not_folded", error)
        return False
    return True


def _next_fold(
    summary: str, turns: Sequence[TurnRecord], services: Services
) -> tuple[Sequence[TurnRecord], Prompt]:
    """The first turns that fit into one fold, at least one, and the prompt for it."""
    budget, count = services.limits.max_context_tokens, services.count_tokens
    fitting = first_within(turns, round(budget * FOLDED_SHARE), lambda turn: tokens_of(turn, count))
    # What is too long of one turn is cut.
    batch = fitting or list(turns[:1])
    return batch, _prompt(summary, batch, services)


def _words_in(
    summary: str, before: str, earlier_words: Sequence[Words], batch: Sequence[TurnRecord]
) -> tuple[Words, ...]:
    """The foreign words in a summary: what it repeats of the known ones, and those of the turns."""
    read = [words for turn in batch for words in read_words(turn.meta.get(READ))]
    return (*still_in(summary, earlier_words), *words_in_summary(summary, before, read))


def _prompt(summary: str, turns: Sequence[TurnRecord], services: Services) -> Prompt:
    budget, count = services.limits.max_context_tokens, services.count_tokens
    each = round(budget * FOLDED_SHARE / 2)
    return render_prompt(
        "N7_persist_summary",
        conversation_summary=summary,
        turns=[
            {
                "question": fit_text(turn.question, each, count),
                "answer": fit_text(turn.answer, each, count),
            }
            for turn in turns
        ],
        most_words=round(budget * SUMMARY_SHARE * WORDS_PER_TOKEN),
    )


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
    locales = recent_locales(state["routing"].get("language", ""), state)
    async with task_group() as group:
        group.create_task(services.transcript.record(_record(state, locales)))
        learning = group.create_task(update_memory(state, context))
        compacting = group.create_task(compact(state, context))
    leaving = compacting.result()
    if leaving or state["memory"].get("past_searched"):
        await embed_archive(state["user"]["telegram_user_id"], context)
    spent_ms = (time.perf_counter() - began) * 1000
    wrote = {"memory": {"updated": learning.result()}, "archived": leaving}
    if plan := acting_of(state).get("plan"):
        context.run.notes.count(CALLS_PLANNED, len(plan))
    own = report_of(NODE_ID, state, wrote, context.run.notes)
    own = replace(own, usage=context.turn.meter.used_in(NODE_ID))
    decision = replace(
        decision_of(state),
        latency_ms={**state["latency_ms"], NODE_ID: round(spent_ms, 2)},
        nodes={**state["node_log"], NODE_ID: own.to_json()},
    )
    await services.decisions.record(decision)
    unsaid = without_words(state) if is_to_stay_unsaid(state) else None
    remaining_state = unsaid or _without_content(state, is_updated=learning.result())
    removals = [RemoveMessage(id=str(message.id)) for message in leaving]
    messages = [*removals, *remaining_state.get("messages", [])]
    return {**remaining_state, "messages": messages, "written_in": " ".join(locales)}


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


def _record(state: TurnState, locales: Sequence[str]) -> TurnRecord:
    request, is_unsaid = request_of(state), is_to_stay_unsaid(state)
    attachments, read = attachments_in({**state["answer"]}), words_behind_answer(state)
    return TurnRecord(
        user_id=state["user"]["telegram_user_id"],
        thread_id=request.thread_id,
        request_id=request.request_id,
        question=say(locale_of(state), "forgetting-wish")
        if is_unsaid
        else conversation_text(input_of(state)),
        answer=state["answer"]["text"],
        meta={
            "plan": state["routing"]["plan"],
            "images": [image.sha256 for image in images_of(state)],
            "citations": [citation["id"] for citation in state["answer"]["citations"]],
            "sources": list(state["answer"]["citations"]),
            "worth_rating": state["answer"].get("worth_rating", True),
            **({"files": files} if (files := state["answer"].get("files")) else {}),
            **({"attachments": [one.to_state() for one in attachments]} if attachments else {}),
            **({READ: read} if read else {}),
        },
        revision=request.revision,
        request={} if is_unsaid else kept_request(state),
        spoken=usual_locale(locales),
    )
