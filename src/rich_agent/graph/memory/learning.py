"""Learning of a turn: it learns, replaces, removes, or forgets on request."""

from collections.abc import Sequence

from rich_agent.domain.memory.items import (
    LongTermMemory,
    fits,
    mark_of,
    open_to_change,
    recall_budget,
    unlearn,
    words_of_item,
)
from rich_agent.domain.memory.merging import Learned, Provenance, merge, own_words, with_marks
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.routing.plan import SMALLTALK
from rich_agent.errors import DailyLimitError, UpstreamError, UpstreamRateLimitedError
from rich_agent.graph.answer.material import fit_slots
from rich_agent.graph.memory.forgetting import forgetting_of
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import TurnState, request_of
from rich_agent.graph.views import acting_of, is_refused, question_of
from rich_agent.ports.memories import Lesson
from rich_agent.prompts import render_prompt

MOST_EMBEDDED = 64
"""New items that one turn embeds; a user with more gets the others with the turns that follow."""

FIRST_PAUSE_S = 30
"""Until what could not be learned is tried again; it grows with each try."""
LONGEST_PAUSE_S = 6 * 3600


async def update_memory(state: TurnState, context: NodeContext) -> bool:
    """Keep what the message taught or took back; whether anything changed.

    Only the user's own words teach: neither what they forwarded or quoted nor any document. A turn
    that has taught already is not asked again, unless its question was edited since.
    """
    user_id, services = state["user"]["telegram_user_id"], context.services
    if wish := forgetting_of(state):
        return wish["status"] == "done"
    is_wanted = _teaching(state) or _is_edited(state) or _may_lack_vectors(state, services)
    if is_refused(state) or not is_wanted:
        return False
    memory = await services.memories.load(user_id)
    newest = await _learn_from(state, memory, context)
    if not _is_smalltalk(state):
        await _embed_new(user_id, newest, context)
    return newest != memory


def _teaching(state: TurnState) -> str:
    """The user's words unless they teach nothing, as the planner says, or nobody is there."""
    if request_of(state).is_unattended:
        return ""
    return own_words(question_of(state)) if state["routing"].get("teaches", True) else ""


def _is_edited(state: TurnState) -> bool:
    return request_of(state).revision > 0


def _is_smalltalk(state: TurnState) -> bool:
    return state["routing"]["intent"] == SMALLTALK


def _may_lack_vectors(state: TurnState, services: Services) -> bool:
    """Whether memories are searched by meaning, because not all of them fit into a prompt."""
    is_searched = not state["memory"].get("is_whole")
    return is_searched and services.embeddings is not None and not _is_smalltalk(state)


async def _learn_from(
    state: TurnState, memory: LongTermMemory, context: NodeContext
) -> LongTermMemory:
    """The memory with what the turn taught; what cannot be learned now is kept for later."""
    services = context.services
    request, is_edited = request_of(state), _is_edited(state)
    user_id, request_id = state["user"]["telegram_user_id"], request.request_id
    text = _teaching(state)
    has_taught = any(item.request_id == request_id for _, item in memory)
    if not is_edited and (has_taught or not text):
        return memory
    lesson = Lesson(user_id, request_id, text, services.now(), request.revision)
    if is_edited:
        await services.lessons.drop(user_id, request_id)
    lessons = await _extract_or_keep(lesson, memory, context) if text else ()
    if acting_of(state).get("rounds"):
        # What the user wanted done is in their tasks already, or they decided against it.
        lessons = [one for one in lessons if one.kind != "tasks"]
    return await teach(lesson, lessons, services)


async def _extract_or_keep(
    lesson: Lesson, memory: LongTermMemory, context: NodeContext
) -> Sequence[Learned]:
    """Extract what a model reads in the lesson; if it fails, nothing, and the lesson is kept.

    Behind a lesson that waits it waits too: the newer words have to come last.
    """
    services = context.services
    try:
        if await services.lessons.are_waiting(lesson.user_id):
            await services.lessons.keep(lesson)
            return ()
        return await extract(lesson, memory, services)
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("memory_not_updated", error)
        await services.lessons.keep(lesson, pause_after(error, tries=0))
        return ()


async def extract(lesson: Lesson, memory: LongTermMemory, services: Services) -> Sequence[Learned]:
    """Extract what a model reads in a lesson, as of the day when it was told.

    Numbers in it are resolved to marks, and what the lesson does not say is left out.

    Raises: UpstreamError, DailyLimitError.
    """
    budget = 2 * recall_budget(services.limits.max_context_tokens)
    items = open_to_change(unlearn(memory, lesson.request_id), lesson.text, budget)
    entries = [{"kind": kind, "text": words_of_item(item)} for kind, item in items]
    slots, _ = fit_slots(
        "N7_persist",
        {"today": lesson.told_at.date(), "memory": entries, "question": lesson.text},
        services,
    )
    lessons = await services.extractor.extract(render_prompt("N7_persist", **slots))
    lessons = [one.in_words_of_message() for one in lessons if one.rests_on(lesson.text)]
    return with_marks(lessons, [mark_of(kind, item) for kind, item in items])


async def teach(lesson: Lesson, lessons: Sequence[Learned], services: Services) -> LongTermMemory:
    """Store what a lesson taught, in place of what the same turn taught before.

    What a question taught before it was edited was perhaps the very mistake. The newest memory is
    changed: the user may have deleted something while the model was asked.
    """
    source = Provenance(lesson.request_id, lesson.told_at.isoformat())
    return await services.memories.change(
        lesson.user_id,
        lambda newest: merge(unlearn(newest, lesson.request_id), lessons, source),
    )


def pause_after(error: Exception, tries: int) -> float:
    """Seconds until a lesson is tried again: what the error tells, else growing with the tries."""
    match error:
        case UpstreamRateLimitedError(retry_after_s=float() | int() as asked_s):
            return min(asked_s, LONGEST_PAUSE_S)
        case DailyLimitError():
            return error.left_s
    return float(min(FIRST_PAUSE_S * 4**tries, LONGEST_PAUSE_S))


async def _embed_new(user_id: int, memory: LongTermMemory, context: NodeContext) -> None:
    """Give vectors to items that have none, once there are too many to recall them all."""
    services = context.services
    budget = recall_budget(services.limits.max_context_tokens)
    if services.embeddings is None or fits(memory, services.now().date(), budget):
        return
    space = VectorSpace(services.embeddings.name, services.embeddings.dimensions)
    items = (await services.memories.without_vector(user_id, space))[:MOST_EMBEDDED]
    if not items:
        return
    try:
        vectors = await services.embeddings.of_passages().embed([one.item.text for one in items])
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("memory_not_embedded", error)
        return
    marks = [mark_of(one.kind, one.item) for one in items]
    await services.memories.add_vectors(user_id, space, dict(zip(marks, vectors, strict=True)))
