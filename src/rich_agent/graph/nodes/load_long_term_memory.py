"""N2: recalls what this user told us before."""

from langgraph.runtime import Runtime

from rich_agent.domain.memory.items import (
    LongTermMemory,
    by_nearness,
    fits,
    mark_of,
    namespace_of,
    preferred_locale,
    recall,
    recall_budget,
)
from rich_agent.domain.routing.plan import PastTurn
from rich_agent.domain.routing.small_talk import small_talk
from rich_agent.graph.guiding import join_session
from rich_agent.graph.memory.archive_vectors import meaning_of
from rich_agent.graph.memory.window import MOST_TURNS, names_of, past_slots
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import TurnState, TurnUpdate, UserState, request_of
from rich_agent.graph.views import history_of, words_of
from rich_agent.ports.memories import MemoryQuery

MOST_TOLD = 8
"""Memories that /why names."""


async def load_long_term_memory(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Recall preferences, tasks and facts as far as their budget goes, and the summary.

    While all of them fit, nothing is searched; then the nearest by meaning come first. A language
    that the user prefers is that of the product's own phrases too, unless they chose one.
    """
    services = runtime.context.services
    memory = await services.memories.load(state["user"]["telegram_user_id"])
    user = _with_preferred_locale(state, memory)
    budget, today = recall_budget(services.limits.max_context_tokens), services.now().date()
    is_whole = fits(memory, today, budget)
    if is_whole:
        nearest = [mark_of(*pair) for pair in by_nearness(memory, {}, words_of(state))]
    else:
        nearest = await _nearest(state, memory, runtime.context)
    recollection = recall(memory, nearest, today, budget)
    put_away = await _put_away(state, services)
    runtime.context.run.notes.recall([*recollection.marks[:MOST_TOLD], *names_of(put_away)])
    return {
        "session": await join_session(state, runtime.context),
        "user": user,
        "memory": {
            "long_term_entries": [*recollection.preferences, *recollection.entries],
            "preferences": list(recollection.preferences),
            "is_whole": is_whole,
            "conversation_summary": memory.conversation_summary,
            "summary_updated_at": memory.summary_updated_at,
            "summary_words": [words.to_state() for words in memory.summary_words],
            "past_turns": past_slots(put_away, state, services),
            "updated": False,
        },
    }


async def _put_away(state: TurnState, services: Services) -> list[PastTurn]:
    """After a long silence, the turns that left the state meanwhile and are in no summary yet."""
    if history_of(state):
        return []
    user_id = state["user"]["telegram_user_id"]
    return await services.archive.awaiting(user_id, MOST_TURNS)


def _with_preferred_locale(state: TurnState, memory: LongTermMemory) -> UserState:
    own_choice = request_of(state).message.user.locale
    preference = None if own_choice else preferred_locale(memory)
    return {**state["user"], "locale": preference} if preference else {**state["user"]}


async def _nearest(state: TurnState, memory: LongTermMemory, context: NodeContext) -> list[str]:
    """The marks of all items, nearest to the message first."""
    text = words_of(state)
    meaning = None if small_talk(text) else await meaning_of(text, context)
    query = MemoryQuery(text, meaning.vector, meaning.space) if meaning else MemoryQuery(text)
    prefix = namespace_of(state["user"]["telegram_user_id"])
    items = await context.services.memories.search(prefix, query, limit=len(tuple(memory)))
    return [mark_of(one.kind, one.item) for one in items]
