"""N2: recalls the user's earlier statements, and chooses the persona of the turn."""

from typing import cast

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
from rich_agent.domain.persona import Persona
from rich_agent.domain.routing.plan import PastTurn
from rich_agent.domain.routing.small_talk import small_talk
from rich_agent.graph.guiding import join_session
from rich_agent.graph.memory.archive_vectors import meaning_of
from rich_agent.graph.memory.window import MOST_TURNS, names_of, past_slots
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import PersonaState, TurnState, TurnUpdate, UserState, request_of
from rich_agent.graph.views import messages_before, reader_of, words_of
from rich_agent.ports.memories import MemoryQuery
from rich_agent.runtime.personas import choose_persona

MOST_TOLD = 8
"""The most memories that /why lists."""


async def load_long_term_memory(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Recall preferences, tasks and facts within their budget, and the summary.

    As long as all fit, nothing is searched; else the nearest by meaning come first. A language that
    the user prefers is used for the product's sentences, too, unless they chose one.
    """
    services = runtime.context.services
    memory = await services.memories.load(state["user"]["telegram_user_id"])
    user = _with_preferred_locale(state, memory)
    budget_tokens, today = recall_budget(services.limits.max_context_tokens), services.now().date()
    is_whole = fits(memory, today, budget_tokens)
    if is_whole:
        item_marks = [mark_of(*pair) for pair in by_nearness(memory, {}, words_of(state))]
    else:
        item_marks = await _nearest(state, memory, runtime.context)
    recollection = recall(memory, item_marks, today, budget_tokens)
    archived_turns = await _put_away(state, services)
    persona = await choose_persona(services.find_personas, services.spaces, reader_of(state))
    runtime.context.run.notes.recall([*recollection.marks[:MOST_TOLD], *names_of(archived_turns)])
    return {
        "session": await join_session(state, runtime.context),
        "user": user,
        **_persona_update(persona, state),
        "memory": {
            "long_term_entries": [*recollection.preferences, *recollection.entries],
            "preferences": list(recollection.preferences),
            "is_whole": is_whole,
            "conversation_summary": memory.conversation_summary,
            "summary_updated_at": memory.summary_updated_at,
            "summary_words": [words.to_state() for words in memory.summary_words],
            "past_turns": past_slots(archived_turns, state, services),
            "awaits_fold": bool(archived_turns),
            "updated": False,
        },
    }


def _persona_update(persona: Persona | None, state: TurnState) -> TurnUpdate:
    """The persona of this turn; nothing is stored if neither this turn nor the last one has any."""
    slots = persona.to_state() if persona else {}
    return {"persona": cast("PersonaState", slots)} if slots or state.get("persona") else {}


async def _put_away(state: TurnState, services: Services) -> list[PastTurn]:
    """The turns that left the state after a long silence and are in no summary yet."""
    if messages_before(state):
        return []
    user_id = state["user"]["telegram_user_id"]
    return await services.archive.awaiting(user_id, MOST_TURNS)


def _with_preferred_locale(state: TurnState, memory: LongTermMemory) -> UserState:
    """The user, with the language from their memories if they chose none."""
    own_choice = request_of(state).message.user.locale
    preference = None if own_choice else preferred_locale(memory)
    return {**state["user"], "locale": preference} if preference else {**state["user"]}


async def _nearest(state: TurnState, memory: LongTermMemory, context: NodeContext) -> list[str]:
    """The marks of all items, nearest to the message first."""
    text = words_of(state)
    meaning = None if small_talk(text) else await meaning_of(text, context)
    query = MemoryQuery(text, meaning.vector, meaning.space) if meaning else MemoryQuery(text)
    prefix = namespace_of(state["user"]["telegram_user_id"])
    hits = await context.services.memories.search(prefix, query, limit=len(tuple(memory)))
    return [mark_of(hit.kind, hit.item) for hit in hits]
