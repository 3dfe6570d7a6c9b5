"""Keeps a conversation short: turns that leave the state become part of its summary, once.

The turns leave several at a time, half a window at least, so that most turns cost no summary.
"""

from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from rich_agent.domain.budget import first_within, fit_text
from rich_agent.domain.words import Words, read_words, still_in, taken_into
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.memory.window import (
    messages_of,
    newest_within,
    request_id_of,
    tokens_of,
    turns_of,
)
from rich_agent.graph.origins import READ
from rich_agent.graph.requests import request_of
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import is_refused
from rich_agent.ports.models import Prompt
from rich_agent.ports.turns import Fold, TurnRecord
from rich_agent.prompts import render_prompt

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
    most = services.limits.recent_turns
    budget = round(services.limits.max_context_tokens * WINDOW_SHARE)
    held = newest_within(turns, most, budget, services.count_tokens)
    # The first turn after a long silence finds what was put away meanwhile.
    if held == len(turns) > 1:
        return []
    kept = newest_within(turns, max(1, most // 2), budget // 2, services.count_tokens)
    leaving = turns[:-kept] if held < len(turns) else []
    if await _fold(user_id, leaving, context):
        return messages_of(leaving, state["messages"])
    overflow = turns[:-held]
    await services.archive.keep(overflow, awaits_fold=True)
    return messages_of(overflow, state["messages"])


async def _fold(user_id: int, leaving: Sequence[TurnRecord], context: NodeContext) -> bool:
    """Whether the summary holds all that leaves, and what awaited it."""
    services = context.services
    turns = await services.archive.to_fold(user_id, leaving)
    if not turns:
        return True
    memory = await services.memories.load(user_id)
    summary, words = memory.conversation_summary, memory.summary_words
    budget = services.limits.max_context_tokens

    def cost(turn: TurnRecord) -> int:
        return tokens_of(turn, services.count_tokens)

    try:
        while turns:
            # One turn at least: what is too long of it is cut.
            batch = first_within(turns, round(budget * FOLDED_SHARE), cost) or list(turns[:1])
            said = await services.summarizer.summarize(_prompt(summary, batch, services))
            folded = fit_text(said.strip(), round(budget * SUMMARY_SHARE), services.count_tokens)
            words = _words_in(folded, summary, words, batch)
            if not await services.archive.fold(user_id, Fold(batch, summary, folded, words)):
                return False
            summary, turns = folded, turns[len(batch) :]
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("turns_not_folded", error)
        return False
    return True


def _words_in(
    folded: str, before: str, known: Sequence[Words], batch: Sequence[TurnRecord]
) -> tuple[Words, ...]:
    """The foreign words in a summary: what it repeats of the known ones, and those of the turns."""
    read = [words for turn in batch for words in read_words(turn.meta.get(READ))]
    return (*still_in(folded, known), *taken_into(folded, before, read))


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
