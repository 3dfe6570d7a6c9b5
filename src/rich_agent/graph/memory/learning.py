"""Learning of a turn: it adds to the memory, changes it, and removes from it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich_agent.domain.answer.trace import NodeId
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
from rich_agent.domain.model_speed import PATIENCE_S
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.routing.plan import SMALLTALK
from rich_agent.domain.text import list_tokens
from rich_agent.domain.words import OWN
from rich_agent.errors import DailyLimitError, UpstreamError, UpstreamRateLimitedError
from rich_agent.graph.answer.material import fit_slots
from rich_agent.graph.memory.forgetting import forgetting_of
from rich_agent.graph.origins import words_of_prompt
from rich_agent.graph.rights import marked_guards
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import TurnState, request_of
from rich_agent.graph.turn_prompt import TurnPrompt, turn_prompt_of
from rich_agent.graph.views import acting_of, is_refused, messages_before, question_of
from rich_agent.ports.memories import Lesson
from rich_agent.ports.models import Prompt
from rich_agent.prompts import render_prompt

NODE_ID: NodeId = "N7_persist"
MOST_EMBEDDED = 64
"""The most items that one turn embeds; others follow with the next turns."""

_READ_TOKENS, _WRITTEN_TOKENS = 1_000, 60
"""The usual tokens of a lesson's prompt with some memories, and of what it teaches."""
_TRUSTED = OWN | {"operator", "document"}
"""The authors whose words may stand in a lesson's prompt, so that others cannot teach anything."""
FIRST_PAUSE_S = 30
"""The pause before a failed lesson is tried again. It grows with each attempt."""
LONGEST_PAUSE_S = 6 * 3600


async def update_memory(state: TurnState, context: NodeContext) -> bool:
    """Change the memory by the message's lessons; return whether anything changed.

    Only the user's own words count, no forwarded, quoted or retrieved text. A turn whose lesson is
    stored already is not read again, unless its question was edited.
    """
    user_id, services = state["user"]["telegram_user_id"], context.services
    if forgetting := forgetting_of(state):
        return forgetting["status"] == "done"
    is_needed = _teaching(state) or _is_edited(state) or _may_lack_vectors(state, services)
    if is_refused(state) or not is_needed:
        return False
    memory = await services.memories.load(user_id)
    newest = await _learn_from(state, memory, context)
    if not _is_smalltalk(state):
        await _embed_new(user_id, newest, context)
    return newest != memory


def _teaching(state: TurnState) -> str:
    """The user's own words to learn from.

    "" if the planner says that they teach nothing, or if nobody is present.
    """
    if request_of(state).is_unattended:
        return ""
    return own_words(question_of(state)) if state["routing"].get("teaches", True) else ""


def _is_edited(state: TurnState) -> bool:
    """Whether the user edited the message."""
    return request_of(state).revision > 0


def _is_smalltalk(state: TurnState) -> bool:
    return state["routing"]["intent"] == SMALLTALK


def _may_lack_vectors(state: TurnState, services: Services) -> bool:
    """Whether memories are searched by meaning, since not all fit into a prompt."""
    is_searched = not state["memory"].get("is_whole")
    return is_searched and services.embeddings is not None and not _is_smalltalk(state)


async def _learn_from(
    state: TurnState, memory: LongTermMemory, context: NodeContext
) -> LongTermMemory:
    """The memory with the turn's lessons; a lesson that fails is stored for later."""
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
    lessons = await _extract_or_keep(lesson, memory, state, context) if text else ()
    if acting_of(state).get("rounds"):
        # A task that the user asked for is stored by its tool already, or the user refused it.
        lessons = [entry for entry in lessons if entry.kind != "tasks"]
    if not (lessons or is_edited):
        return memory
    return await teach(lesson, lessons, services)


async def _extract_or_keep(
    lesson: Lesson, memory: LongTermMemory, state: TurnState, context: NodeContext
) -> Sequence[Learned]:
    """The model's entries for a lesson; [] if the model fails, and the lesson is kept.

    If an older lesson waits, this one waits, too, because newer words have to come last. On a slow
    server the user's next message comes first.
    """
    services = context.services
    try:
        if not is_soon_learned(services) or await services.lessons.are_waiting(lesson.user_id):
            await services.lessons.keep(lesson)
            return ()
        earlier_state = _without_answer(state)
        is_open = _is_trusted(state) and not _is_guarded(earlier_state)
        turn_prompt = await turn_prompt_of(earlier_state, context) if is_open else None
        return await extract(lesson, memory, services, turn_prompt)
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("memory_not_updated", error)
        await services.lessons.keep(lesson, pause_after(error, tries=0))
        return ()


def _is_trusted(state: TurnState) -> bool:
    """Whether nobody wrote any of the turn's prompts who could teach something false."""
    return all(words.origin in _TRUSTED for words in words_of_prompt(state))


def _is_guarded(state: TurnState) -> bool:
    """Whether the conversation has an answer from protected documents.

    A user may lose the right to them, and memory would outlive it.
    """
    return any(marked_guards(message) for message in messages_before(state))


def is_soon_learned(services: Services) -> bool:
    """Whether the model reads a lesson so fast that the user's next message may wait for it."""
    return services.optional_calls.fit(_READ_TOKENS, _WRITTEN_TOKENS, PATIENCE_S)


def _without_answer(state: TurnState) -> TurnState:
    """The state as it was before the answer of the turn."""
    answer_id = f"{request_of(state).request_id}:assistant"
    messages = [message for message in state["messages"] if message.id != answer_id]
    return {**state, "messages": messages}


async def extract(
    lesson: Lesson,
    memory: LongTermMemory,
    services: Services,
    turn_prompt: TurnPrompt | None = None,
) -> Sequence[Learned]:
    """A model's entries for a lesson, relative to the day when the user wrote it.

    The model reads what all calls of the turn read, if that leaves room for the known entries,
    else the message alone. Numbers of items are replaced by their marks. Entries that the lesson
    does not say are left out.

    Raises: UpstreamError, DailyLimitError.
    """
    budget_tokens = 2 * recall_budget(services.limits.max_context_tokens)
    open_items = open_to_change(unlearn(memory, lesson.request_id), lesson.text, budget_tokens)
    entries = [
        {"kind": kind, "text": words_of_item(memory_item)} for kind, memory_item in open_items
    ]
    prompt = turn_prompt and _prompt_in_turn(entries, turn_prompt)
    prompt = prompt or _prompt_alone(lesson, entries, services)
    lessons = await services.extractor.extract(
        replace(prompt, most_tokens=list_tokens(lesson.text))
    )
    lessons = [entry.in_words_of_message() for entry in lessons if entry.rests_on(lesson.text)]
    return with_marks(lessons, [mark_of(kind, memory_item) for kind, memory_item in open_items])


def _prompt_in_turn(entries: Sequence[Mapping[str, str]], turn_prompt: TurnPrompt) -> Prompt | None:
    """The prompt with all that the turn's calls read; None if it leaves no room for the entries."""
    slots, _ = turn_prompt.fit(NODE_ID, {"entries": list(entries)})
    is_whole = len(slots["entries"]) == len(entries)
    return turn_prompt.render(NODE_ID, slots) if is_whole else None


def _prompt_alone(
    lesson: Lesson, entries: Sequence[Mapping[str, str]], services: Services
) -> Prompt:
    """The prompt with the message alone."""
    name = f"{NODE_ID}_alone"
    slots, _ = fit_slots(
        name,
        {"today": lesson.told_at.date(), "entries": list(entries), "question": lesson.text},
        services,
    )
    return render_prompt(name, **slots)


async def teach(lesson: Lesson, lessons: Sequence[Learned], services: Services) -> LongTermMemory:
    """Store the entries of a lesson; return the memory.

    Entries from the same turn before its question was edited are removed. The newest memory is
    changed, because the user may have deleted something meanwhile.
    """
    source = Provenance(lesson.request_id, lesson.told_at.isoformat())
    return await services.memories.change(
        lesson.user_id,
        lambda newest: merge(unlearn(newest, lesson.request_id), lessons, source),
    )


def pause_after(error: Exception, tries: int) -> float:
    """The seconds until a lesson's next try: from the error, else growing with the tries."""
    match error:
        case UpstreamRateLimitedError(retry_after_s=float() | int() as asked_s):
            return min(asked_s, LONGEST_PAUSE_S)
        case DailyLimitError():
            return error.left_s
    return float(min(FIRST_PAUSE_S * 4**tries, LONGEST_PAUSE_S))


async def _embed_new(user_id: int, memory: LongTermMemory, context: NodeContext) -> None:
    """Embed items without vectors, once there are too many items to recall all."""
    services = context.services
    budget_tokens = recall_budget(services.limits.max_context_tokens)
    if services.embeddings is None or fits(memory, services.now().date(), budget_tokens):
        return
    space = VectorSpace(services.embeddings.name, services.embeddings.dimensions)
    missing_items = (await services.memories.without_vector(user_id, space))[:MOST_EMBEDDED]
    if not missing_items:
        return
    try:
        vectors = await services.embeddings.of_passages().embed(
            [stored_item.item.text for stored_item in missing_items]
        )
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("memory_not_embedded", error)
        return
    marks = [mark_of(stored_item.kind, stored_item.item) for stored_item in missing_items]
    await services.memories.add_vectors(user_id, space, dict(zip(marks, vectors, strict=True)))
