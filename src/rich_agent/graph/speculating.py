"""Begins the most likely answer to a message while its turn is being planned.

The guess is cheap: it rests on a search of the documents for the user's words.
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
    is_in_group,
    locale_of,
    messages_before,
    question_of,
    words_of,
)


async def begin_likely_answer(
    reading: asyncio.Task[None], state: TurnState, context: NodeContext
) -> Evidence | None:
    """Begin the most likely answer, and return the evidence for the guess.

    `reading` embeds the user's words before. The answer is begun in the user's language, and only
    if it is likely enough. None is returned if no guess may be made, or after an error, which the
    turn meets again if it lasts.
    """
    services, turn = context.services, context.turn
    if not services.plan_odds.is_used or not _is_plain(state):
        return None
    await asyncio.wait([reading])
    try:
        nearest_passages = await _search(PlanOutcome("rag", GENERAL), state, context)
        evidence = _evidence(nearest_passages, state, services)
        outcome = services.plan_odds.likeliest(evidence)
        if outcome is None or not await turn.meter.has_room():
            return evidence
        if outcome.plan != "direct" and services.passage_seekers:
            return evidence  # features are asked once, after the plan
        passages = nearest_passages if outcome.plan != "direct" else []
        if any(passage.internal for passage in passages):
            passages = await _search(outcome, state, context)
        likely_state = _state_after_plan(outcome, [], state)
        prompt_passages = (
            await in_order([_query(state)], [passages], likely_state, services) if passages else []
        )
        material = await gather_material(
            _state_after_plan(outcome, prompt_passages, state), context
        )
    except RichAgentError:
        return None
    turn.speculation.begin(
        outcome.plan, locale_of(state), material.prompt, services.chat, turn.meter
    )
    return evidence


def outcome_of(routing: Routing, state: TurnState) -> PlanOutcome:
    """The outcome of a planned turn, to learn from."""
    is_plain = is_answer_in(locale_of(state), routing)
    if routing.plan == "direct" and is_plain:
        return PlanOutcome("direct", GENERAL)
    if routing.plan == "rag" and is_plain and is_searched_as_asked(routing, state):
        return PlanOutcome("rag", routing.intent)
    return OTHER


def _is_plain(state: TurnState) -> bool:
    """Whether the message is a short text of its own, without attachments, links or context."""
    has_material = images_of(state) or files_of(state) or is_comment(state) or input_of(state).links
    is_answer_or_group = clarification_of(state) or is_in_group(state)
    return (
        not has_material and not is_answer_or_group and 0 < len(question_of(state)) <= LONGEST_WORDS
    )


def _query(state: TurnState) -> str:
    """The user's words on one line."""
    return " ".join(words_of(state).split())


async def _search(outcome: PlanOutcome, state: TurnState, context: NodeContext) -> list[Passage]:
    """The passages for the user's words if the turn had this outcome."""
    query = _query(state)
    [vector] = await embed_queries([query], state, context)
    return await search_documents(query, vector, _state_after_plan(outcome, [], state), context)


def _evidence(
    nearest_passages: Sequence[Passage], state: TurnState, services: Services
) -> Evidence:
    """The evidence for a guess: the kind of the documents nearest to the user's words."""
    if is_weak(nearest_passages, services.limits.retrieval.min_score):
        document_kind: Literal["nothing", "bot", "documents"] = "nothing"
    else:
        document_kind = "bot" if nearest_passages[0].internal else "documents"
    return Evidence(document_kind, is_first=not messages_before(state))


def _state_after_plan(
    outcome: PlanOutcome, passages: Sequence[Passage], state: TurnState
) -> TurnState:
    """The turn's state if it had this outcome, and the search returned these passages."""
    return {
        **state,
        "routing": {
            "intent": outcome.intent,
            "plan": outcome.plan,
            "language": locale_of(state),
        },
        "rag": {"retrieved_chunks": [passage.to_state() for passage in passages]},
    }
