"""What a turn changes in the user's memory: it learns, replaces, removes, or forgets on request."""

from collections.abc import Sequence

from rich_agent.domain.memory import LongTermMemory, mark_of, unlearn
from rich_agent.domain.memory_merging import (
    Learned,
    Occasion,
    merge,
    own_words,
    told_to_remember,
)
from rich_agent.domain.passage import VectorSpace
from rich_agent.domain.plan import SMALLTALK
from rich_agent.domain.recall import fits, open_to_change, recall_budget
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.forgetting import forgetting_of
from rich_agent.graph.room import fit_slots
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import question_of
from rich_agent.prompts import render_prompt

MOST_EMBEDDED = 64
"""New items that one turn embeds; a user with more gets the others with the turns that follow."""


async def update_memory(state: TurnState, services: Services) -> bool:
    """Keep what the message taught or took back; whether anything changed.

    Only the user's own words teach: neither what they forwarded or quoted nor any document. A turn
    that has taught already is not asked again, unless its question was edited since.
    """
    user_id = state["user"]["telegram_user_id"]
    if wish := forgetting_of(state):
        return wish["status"] == "done"
    if not (_teaching(state) or _is_edited(state) or _may_lack_vectors(state, services)):
        return False
    stored = await services.memories.load(user_id)
    newest = await _learn_from(state, stored, services)
    if not _is_smalltalk(state):
        await _embed_new(user_id, newest, services)
    return newest != stored


def _teaching(state: TurnState) -> str:
    """The user's words unless the planner says that they teach nothing; "" then."""
    return own_words(question_of(state)) if state["routing"].get("teaches", True) else ""


def _is_edited(state: TurnState) -> bool:
    return int(state["request"].get("revision", 0)) > 0


def _is_smalltalk(state: TurnState) -> bool:
    return state["routing"]["intent"] == SMALLTALK


def _may_lack_vectors(state: TurnState, services: Services) -> bool:
    """Whether memories are searched by meaning, because not all of them fit into a prompt."""
    is_searched = not state["memory"].get("is_whole")
    return is_searched and services.embeddings is not None and not _is_smalltalk(state)


async def _learn_from(
    state: TurnState, stored: LongTermMemory, services: Services
) -> LongTermMemory:
    request_id, is_edited = state["request"]["request_id"], _is_edited(state)
    text = _teaching(state)
    has_taught = any(item.request_id == request_id for _, item in stored)
    if not is_edited and (has_taught or not text):
        return stored

    def without_mistake(memory: LongTermMemory) -> LongTermMemory:
        # What the question taught before it was edited was perhaps the very mistake.
        return unlearn(memory, request_id) if is_edited else memory

    learned = await _extract(text, without_mistake(stored), services) if text else ()
    occasion = Occasion(request_id, services.now().isoformat())
    # The user may have deleted something while the model was asked.
    return await services.memories.change(
        state["user"]["telegram_user_id"],
        lambda newest: merge(without_mistake(newest), learned, occasion),
    )


async def _extract(text: str, memory: LongTermMemory, services: Services) -> Sequence[Learned]:
    """What a model reads in the message; what is to be remembered in so many words, without it."""
    budget = 2 * recall_budget(services.limits.max_context_tokens)
    known = open_to_change(memory, text, budget)
    slots, _ = fit_slots(
        "N7_persist",
        {"today": services.now().date(), "memory": known, "question": text},
        services,
    )
    try:
        learned = await services.extractor.extract(render_prompt("N7_persist", **slots))
    except (UpstreamError, DailyLimitError) as error:
        services.notes.survive("memory_not_updated", error)
        learned = ()
    wish = told_to_remember(text)
    return learned or ((Learned("facts", wish),) if wish else ())


async def _embed_new(user_id: int, memory: LongTermMemory, services: Services) -> None:
    """Give vectors to items that have none, once there are too many to recall them all."""
    budget = recall_budget(services.limits.max_context_tokens)
    if services.embeddings is None or fits(memory, services.now().date(), budget):
        return
    space = VectorSpace(services.embeddings.name, services.embeddings.dimensions)
    found = (await services.memories.without_vector(user_id, space))[:MOST_EMBEDDED]
    if not found:
        return
    try:
        vectors = await services.embeddings.embed([one.item.text for one in found])
    except (UpstreamError, DailyLimitError) as error:
        services.notes.survive("memory_not_embedded", error)
        return
    marks = [mark_of(one.kind, one.item) for one in found]
    await services.memories.add_vectors(user_id, space, dict(zip(marks, vectors, strict=True)))
