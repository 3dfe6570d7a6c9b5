"""N7: stores the turn's lessons, and its record; every effect can be repeated."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from langchain_core.messages import BaseMessage, RemoveMessage
from langgraph.runtime import Runtime

from rich_agent.domain.answer.attachments import attachments_in
from rich_agent.domain.answer.trace import CALLS_BEFORE_ANSWER, CALLS_PLANNED
from rich_agent.domain.budget import first_within, fit_text
from rich_agent.domain.languages import usual_locale
from rich_agent.domain.repetition import still_in, words_in_summary
from rich_agent.domain.words import Words, read_words
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.answer.feature_additions import note_turn
from rich_agent.graph.decisions import decision_of
from rich_agent.graph.memory.archive_vectors import embed_archive
from rich_agent.graph.memory.forgetting import is_to_stay_unsaid, without_words
from rich_agent.graph.memory.learning import NODE_ID, update_memory
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
from rich_agent.graph.turn_prompt import tokens_by_turn, window_tokens
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

SUMMARY_SHARE = 0.1
"""The part of a prompt's tokens that the summary may take."""
FOLDED_SHARE = 0.6
"""The part of a prompt's tokens for the turns of one fold."""
WORDS_PER_TOKEN = 0.6


async def compact(state: TurnState, context: NodeContext) -> list[BaseMessage]:
    """Fold older turns into the summary if the window is full; return the messages to remove.

    A turn that was refused is removed alone. If the fold fails, only the turns that the window
    cannot hold are removed; they wait in the archive for the next fold.
    """
    services = context.services
    if is_refused(state):
        own_id = request_of(state).request_id
        return [message for message in state["messages"] if request_id_of(message) == own_id]
    user_id, thread_id = state["user"]["telegram_user_id"], request_of(state).thread_id
    turns = turns_of(state["messages"], user_id, thread_id)
    fitting_turns, recent_turns = await asyncio.to_thread(
        _window_sizes, turns, state["messages"], services
    )
    # The first turn after a long silence folds even so, if archived turns wait for the summary.
    may_await = len(turns) <= 1 and state["memory"].get("awaits_fold", True)
    if fitting_turns == len(turns) and not may_await:
        return []
    folded_turns = turns[:-recent_turns] if fitting_turns < len(turns) else []
    if await _fold(user_id, to_remember(folded_turns), context):
        return messages_of(folded_turns, state["messages"])
    overflowing_turns = turns[:-fitting_turns]
    await services.archive.keep(to_remember(overflowing_turns), awaits_fold=True)
    return messages_of(overflowing_turns, state["messages"])


def _window_sizes(
    turns: Sequence[TurnRecord], messages: Sequence[BaseMessage], services: Services
) -> tuple[int, int]:
    """The number of newest turns that the window holds, and that stay after a fold.

    Half of them stay, so that the beginning of the conversation does not change with each turn.
    """
    most_turns, budget_tokens = services.limits.recent_turns, window_tokens(services)
    turn_tokens = tokens_by_turn(messages, services)

    def cost(turn: TurnRecord) -> int:
        return turn_tokens[turn.request_id]

    return (
        newest_within(turns, most_turns, budget_tokens, cost),
        newest_within(turns, max(1, most_turns // 2), budget_tokens // 2, cost),
    )


async def _fold(user_id: int, leaving_turns: Sequence[TurnRecord], context: NodeContext) -> bool:
    """Fold these turns, and waiting ones, into the summary; return whether this succeeded."""
    services = context.services
    turns = await services.archive.to_fold(user_id, leaving_turns)
    if not turns:
        return True
    memory = await services.memories.load(user_id)
    summary, summary_words = memory.conversation_summary, memory.summary_words
    prompt_tokens = services.limits.max_context_tokens

    try:
        while turns:
            batch, prompt = await asyncio.to_thread(_next_fold, summary, turns, services)
            draft_summary = await services.summarizer.summarize(prompt)
            new_summary = fit_text(
                draft_summary.strip(), round(prompt_tokens * SUMMARY_SHARE), services.count_tokens
            )
            summary_words = _words_in(new_summary, summary, summary_words, batch)
            if not await services.archive.fold(
                user_id, Fold(batch, summary, new_summary, summary_words)
            ):
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
    prompt_tokens, count_tokens = services.limits.max_context_tokens, services.count_tokens
    fitting_turns = first_within(
        turns, round(prompt_tokens * FOLDED_SHARE), lambda turn: tokens_of(turn, count_tokens)
    )
    # A single turn that is too long is cut by its prompt.
    batch = fitting_turns or list(turns[:1])
    return batch, _prompt(summary, batch, services)


def _words_in(
    summary: str, earlier_summary: str, earlier_words: Sequence[Words], batch: Sequence[TurnRecord]
) -> tuple[Words, ...]:
    """The foreign words in a summary: repeated earlier words, and words of the turns."""
    turn_words = [words for turn in batch for words in read_words(turn.meta.get(READ))]
    return (
        *still_in(summary, earlier_words),
        *words_in_summary(summary, earlier_summary, turn_words),
    )


def _prompt(summary: str, turns: Sequence[TurnRecord], services: Services) -> Prompt:
    """The prompt that folds turns into a summary."""
    prompt_tokens, count_tokens = services.limits.max_context_tokens, services.count_tokens
    text_tokens = round(prompt_tokens * FOLDED_SHARE / 2)
    return render_prompt(
        "N7_persist_summary",
        conversation_summary=summary,
        turns=[
            {
                "question": fit_text(turn.question, text_tokens, count_tokens),
                "answer": fit_text(turn.answer, text_tokens, count_tokens),
            }
            for turn in turns
        ],
        most_words=round(prompt_tokens * SUMMARY_SHARE * WORDS_PER_TOKEN),
    )


async def persist(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Record the turn, update the memory, complete the decision, keep the window small.

    Only the newest turns stay in the state; older ones go into the summary and the archive. The
    texts of passages and of earlier turns are removed from the state. This node's latency in the
    decision ends when the decision is written. After a request to forget, none of its words stay.
    """
    start_s = time.perf_counter()
    context, services = runtime.context, runtime.context.services
    locales = recent_locales(state["routing"].get("language", ""), state)
    async with task_group() as group:
        group.create_task(services.transcript.record(_record(state, locales)))
        learning_task = group.create_task(update_memory(state, context))
        compaction_task = group.create_task(compact(state, context))
    leaving_messages = compaction_task.result()
    if leaving_messages or state["memory"].get("past_searched"):
        await embed_archive(state["user"]["telegram_user_id"], context)
    spent_ms = (time.perf_counter() - start_s) * 1000
    update = {"memory": {"updated": learning_task.result()}, "archived": leaving_messages}
    if plan := acting_of(state).get("plan"):
        context.run.notes.count(CALLS_PLANNED, len(plan))
    if calls_before_answer := context.turn.meter.calls_before_answer:
        context.run.notes.count(CALLS_BEFORE_ANSWER, calls_before_answer)
    own_report = report_of(NODE_ID, state, update, context.run.notes)
    own_report = replace(own_report, usage=context.turn.meter.used_in(NODE_ID))
    decision = replace(
        decision_of(state),
        latency_ms={**state["latency_ms"], NODE_ID: round(spent_ms, 2)},
        nodes={**state["node_log"], NODE_ID: own_report.to_json()},
    )
    await services.decisions.record(decision)
    wordless_state = without_words(state) if is_to_stay_unsaid(state) else None
    if wordless_state is None:
        await note_turn(state, context)
    remaining_state = wordless_state or _without_content(state, is_updated=learning_task.result())
    removals = [RemoveMessage(id=str(message.id)) for message in leaving_messages]
    messages = [*removals, *remaining_state.get("messages", [])]
    return {**remaining_state, "messages": messages, "written_in": " ".join(locales)}


def _without_content(state: TurnState, *, is_updated: bool) -> TurnUpdate:
    """The state of the turn without the texts that it read."""
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
    """The turn as the transcript keeps it."""
    request, is_unsaid = request_of(state), is_to_stay_unsaid(state)
    attachments, words_read = attachments_in({**state["answer"]}), words_behind_answer(state)
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
            **(
                {"attachments": [attachment.to_state() for attachment in attachments]}
                if attachments
                else {}
            ),
            **({READ: words_read} if words_read else {}),
        },
        revision=request.revision,
        request={} if is_unsaid else kept_request(state),
        spoken=usual_locale(locales),
    )
