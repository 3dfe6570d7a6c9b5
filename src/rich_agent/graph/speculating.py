"""Begins the likeliest answer of a message while its turn is planned.

What is guessed from is cheap: what the registered documents hold on the user's words.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal

from rich_agent.domain.retrieval.passage import Passage, is_weak
from rich_agent.domain.routing.plan import GENERAL, Routing
from rich_agent.domain.routing.plan_odds import OTHER, Evidence, PlanOutcome
from rich_agent.errors import RichAgentError
from rich_agent.graph.answer.material import gather_material
from rich_agent.graph.embedding import LONGEST_WORDS, is_searched_as_asked
from rich_agent.graph.planning import clarification_of
from rich_agent.graph.searching import embed_queries, in_order, search_documents
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.speculation import is_answer_in
from rich_agent.graph.state import TurnState, input_of
from rich_agent.graph.views import (
    files_of,
    images_of,
    is_comment,
    is_for_group,
    locale_of,
    messages_before,
    question_of,
    words_of,
)


async def begin_likely_answer(
    reading: asyncio.Task[None], state: TurnState, context: NodeContext
) -> Evidence | None:
    """Begin the answer once `reading` has embedded the user's words, if it is likely enough.

    The user's language is taken for that of the answer. Returned is what was guessed from, None
    where nothing may be begun. A failure is left to the turn, which meets it again if it lasts.
    """
    services, turn = context.services, context.turn
    if not services.plan_odds.is_used or not _is_plain(state):
        return None
    await asyncio.wait([reading])
    try:
        near = await _search(PlanOutcome("rag", GENERAL), state, context)
        evidence = _evidence(near, state, services)
        outcome = services.plan_odds.likeliest(evidence)
        if outcome is None or not await turn.meter.has_room():
            return evidence
        passages = near if outcome.plan != "direct" else []
        if any(passage.internal for passage in passages):
            passages = await _search(outcome, state, context)
        likely_state = _state_after_plan(outcome, [], state)
        prompt_passages = (
            await in_order([_query(state)], [passages], likely_state, services) if passages else []
        )
        material = await gather_material(
            _state_after_plan(outcome, prompt_passages, state), services
        )
    except RichAgentError:
        return None
    turn.speculation.begin(
        outcome.plan, locale_of(state), material.prompt, services.chat, turn.meter
    )
    return evidence


def outcome_of(routing: Routing, state: TurnState) -> PlanOutcome:
    """The outcome of a planned turn."""
    is_plain = is_answer_in(locale_of(state), routing)
    if routing.plan == "direct" and is_plain:
        return PlanOutcome("direct", GENERAL)
    if routing.plan == "rag" and is_plain and is_searched_as_asked(routing, state):
        return PlanOutcome("rag", routing.intent)
    return OTHER


def _is_plain(state: TurnState) -> bool:
    """Whether the message is nothing but a text of its own."""
    is_more = images_of(state) or files_of(state) or is_comment(state) or input_of(state).links
    is_reply = clarification_of(state) or is_for_group(state)
    return not is_more and not is_reply and 0 < len(question_of(state)) <= LONGEST_WORDS


def _query(state: TurnState) -> str:
    return " ".join(words_of(state).split())


async def _search(outcome: PlanOutcome, state: TurnState, context: NodeContext) -> list[Passage]:
    query = _query(state)
    [vector] = await embed_queries([query], state, context)
    return await search_documents(query, vector, _state_after_plan(outcome, [], state), context)


def _evidence(near: Sequence[Passage], state: TurnState, services: Services) -> Evidence:
    """The evidence that the documents nearest to the user's words are."""
    if is_weak(near, services.limits.retrieval.min_score):
        of: Literal["nothing", "bot", "documents"] = "nothing"
    else:
        of = "bot" if near[0].internal else "documents"
    return Evidence(of, is_first=not messages_before(state))


def _state_after_plan(
    outcome: PlanOutcome, passages: Sequence[Passage], state: TurnState
) -> TurnState:
    """The state of the turn if it came to this, and these were the passages found."""
    return {
        **state,
        "routing": {
            "intent": outcome.intent,
            "plan": outcome.plan,
            "language": locale_of(state),
        },
        "rag": {"retrieved_chunks": [passage.to_state() for passage in passages]},
    }
