"""Begins the likeliest answer of a message while its turn is planned.

What is guessed from is cheap: what the registered documents hold on the user's words.
"""

import asyncio

from rich_agent.domain.retrieval.passage import Passage, is_weak
from rich_agent.domain.routing.plan import ABOUT_BOT, GENERAL, Routing
from rich_agent.errors import RichAgentError
from rich_agent.graph.answer.material import gather_material
from rich_agent.graph.clarifying import clarification_of
from rich_agent.graph.embedding import LONGEST_WORDS
from rich_agent.graph.nodes.retrieve import embed_queries, in_order, search_documents
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState, input_of
from rich_agent.graph.views import (
    files_of,
    images_of,
    is_comment,
    is_for_group,
    locale_of,
    question_of,
    words_of,
)


def likely_language(state: TurnState) -> str:
    """The tag of the language in which the last answer was, else the one that the user speaks."""
    return state["user"].get("spoken") or locale_of(state)


async def begin_likely_answer(
    reading: asyncio.Task[None], state: TurnState, context: NodeContext
) -> None:
    """Begin the answer once `reading` has embedded the user's words, if answers may be begun.

    `state` is that of a turn in the likely language. A failure is left to the turn, which meets it
    again if it lasts.
    """
    services, meter = context.services, context.turn.meter
    if not services.speculates() or not _is_plain(state):
        return
    await asyncio.wait([reading])
    try:
        guess, passages = await _guess(state, context)
        material = await gather_material(_planned(guess, passages, state), services)
        if not await meter.has_room():
            return
    except RichAgentError:
        return
    context.turn.speculation.begin(guess, material.prompt, services.chat, meter)


def _is_plain(state: TurnState) -> bool:
    """Whether the message is nothing but a text of its own."""
    is_more = images_of(state) or files_of(state) or is_comment(state) or input_of(state).links
    is_reply = clarification_of(state) or is_for_group(state)
    return bool(question_of(state)) and not is_more and not is_reply and _is_short(state)


def _is_short(state: TurnState) -> bool:
    return len(words_of(state)) <= LONGEST_WORDS


async def _guess(state: TurnState, context: NodeContext) -> tuple[Routing, list[Passage]]:
    """The likeliest routing, and what is found for it: what the documents hold decides."""
    services, words = context.services, words_of(state)
    query = " ".join(words.split())
    [vector] = await embed_queries([query], state, context)
    language = likely_language(state)
    likely = Routing(GENERAL, "rag", query=query, language=language)
    near = await search_documents(query, vector, _planned(likely, [], state), services)
    if is_weak(near, services.limits.retrieval.min_score):
        return Routing(GENERAL, "direct", language=language), []
    intent = ABOUT_BOT if near[0].internal else services.domain.intent
    likely = Routing(intent, "rag", query=query, language=language)
    planned = _planned(likely, [], state)
    if any(passage.internal for passage in near):
        near = await search_documents(query, vector, planned, services)
    return likely, await in_order([query], [near], planned, services)


def _planned(guess: Routing, passages: list[Passage], state: TurnState) -> TurnState:
    """The state of the turn if this were its plan, and these the passages found."""
    return {
        **state,
        "routing": {"intent": guess.intent, "plan": guess.plan, "language": guess.language},
        "rag": {"retrieved_chunks": [passage.to_state() for passage in passages]},
    }
