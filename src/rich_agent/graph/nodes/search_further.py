"""N14: searches the documents again for facts that the passages so far lack."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from rich_agent.domain.answer.trace import FURTHER_QUERIES, LOOK_LEFT_OUT, NodeId
from rich_agent.domain.budget import fit_passages, leave_out, passage_tokens
from rich_agent.domain.retrieval.further_search import (
    MOST_QUERIES,
    FurtherSearch,
    OutlineState,
    RoundState,
    join_rounds,
    passages_by_number,
)
from rich_agent.domain.retrieval.passage import Passage, is_weak
from rich_agent.domain.rights import Reader
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.answer.material import PASSAGE_SHARE
from rich_agent.graph.searching import embed_queries, search_documents
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import RagState, TurnState, TurnUpdate
from rich_agent.graph.turn_prompt import turn_prompt_of
from rich_agent.graph.views import all_queries, further_queries, passages_of, reader_of
from rich_agent.ports.models import Prompt
from rich_agent.runtime.concurrency import run_all

_NODE: NodeId = "N14_search_further"
_WRITTEN_TOKENS = 60
"""The usual tokens of the model's request: two queries, and numbers of passages."""
_MOST_HEADINGS = 60
"""The most headings of one outline."""
_MOST_CONTEXTS = 2
"""The most passages in a round whose neighbours are read, and whose outlines are."""


@dataclass(frozen=True, slots=True)
class _Look:
    """A prompt in which the planner's model reads the passages so far.

    `tokens` are those of its last message, `shared_tokens` those of what all calls of the turn
    read, `most_tokens` those that passages may take in the answer's prompt.
    """

    prompt: Prompt
    read: Sequence[Passage]
    tokens: int
    shared_tokens: int
    most_tokens: int


@dataclass(frozen=True, slots=True)
class _SearchRequest:
    """A model's request for another search, and the look at the passages that it rests on."""

    search: FurtherSearch
    look: _Look


async def search_further(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Ask the planner's model what is missing, and search for it: one round.

    The state is stored after each round, so that no call is repeated. After a failure, or at the
    end of a budget, the answer is written from the passages so far.
    """
    runtime.stream_writer({"stage": "searching"})
    request = await _ask(state, runtime.context)
    if request is not None and not request.search.is_over:
        state = {**state, "rag": await _search_round(request, state, runtime.context)}
    else:
        is_left_out = LOOK_LEFT_OUT in runtime.context.run.notes.counts
        state = {**state, "rag": {**state["rag"], "gap": "", "left_out": is_left_out}}
    runtime.context.run.notes.count(FURTHER_QUERIES, len(further_queries(state)))
    return {"rag": state["rag"]}


async def _search_round(
    request: _SearchRequest, state: TurnState, context: NodeContext
) -> RagState:
    """The state after one round.

    Another follows if the model asks for it, or if little was found.
    """
    rag, limits = state["rag"], context.services.limits.retrieval
    passage_lists, outlines = await _find_passages(request, state, context)
    search_round: RoundState = {
        "queries": list(request.search.queries[:MOST_QUERIES]),
        "tokens": request.look.tokens,
    }
    rounds = [*rag.get("rounds", ()), search_round]
    is_weak_round = all(is_weak(passages, limits.min_score) for passages in passage_lists)
    needs_more = request.search.goes_on or is_weak_round or bool(outlines)
    can_continue = any([*passage_lists, outlines]) and len(rounds) + 1 < limits.rounds
    passages = _merge_passages(request, passage_lists, state, context.services)
    return {
        **rag,
        "retrieved_chunks": [passage.to_state() for passage in passages],
        "rounds": rounds,
        "outlines": [*rag.get("outlines", ()), *outlines],
        "gap": rag.get("gap", "") if needs_more and can_continue else "",
    }


async def _ask(state: TurnState, context: NodeContext) -> _SearchRequest | None:
    """The model's request; None if it cannot be asked, or if a budget is used up."""
    services, limits = context.services, context.services.limits.retrieval
    remaining_s = limits.rounds_s - state["latency_ms"].get(_NODE, 0.0) / 1000
    remaining_tokens = limits.rounds_tokens - sum(
        search_round["tokens"] for search_round in state["rag"].get("rounds", ())
    )
    look = await _prompt(state, remaining_tokens, context)
    is_over = remaining_s <= 0 or look.tokens > remaining_tokens
    if is_over or not await context.turn.meter.has_room():
        context.run.notes.count("over_budget")
        return None
    waited_s, read_tokens = sum(state["latency_ms"].values()) / 1000, look.tokens
    read_tokens += look.shared_tokens
    if not services.optional_calls.fit_before_answer(read_tokens, _WRITTEN_TOKENS, waited_s):
        context.run.notes.count(LOOK_LEFT_OUT)
        return None
    try:
        async with asyncio.timeout(remaining_s):
            return _SearchRequest(await services.planner.search_further(look.prompt), look)
    except (UpstreamError, DailyLimitError, TimeoutError) as error:
        context.run.notes.survive("further_search_failed", error)
        return None


async def _prompt(state: TurnState, most_tokens: int, context: NodeContext) -> _Look:
    """The prompt of one round, whose last message has at most `most_tokens` if possible.

    The passages stand where they stand in the prompt of the answer, which is read next.
    """
    rag, turn_prompt = state["rag"], await turn_prompt_of(state, context)
    added_slots = {
        "passages": [],
        "described": rag.get("described", ""),
        "searched": all_queries(state),
        "outlines": list(rag.get("outlines", ())),
    }
    slots, budget = turn_prompt.fit(_NODE, added_slots)
    share_tokens = min(round(budget.whole * PASSAGE_SHARE), budget.left)

    def look_within(passage_budget: int) -> _Look:
        passages = fit_passages(passages_of(state), max(1, passage_budget), budget.count)
        prompt = turn_prompt.render(_NODE, {**slots, "passages": passages})
        tokens = budget.count(prompt.user)
        return _Look(prompt, passages, tokens, turn_prompt.tokens, share_tokens)

    look = look_within(min(most_tokens, share_tokens))
    if look.tokens <= most_tokens:
        return look
    # The question, the tags and the task take tokens, too.
    read_tokens = sum(passage_tokens(passage, budget.count) for passage in look.read)
    return look_within(read_tokens - (look.tokens - most_tokens))


async def _find_passages(
    request: _SearchRequest, state: TurnState, context: NodeContext
) -> tuple[list[list[Passage]], list[OutlineState]]:
    """The passages for each request of the model, and the outlines that are not empty."""
    services, search = context.services, request.search
    queries = search.queries[:MOST_QUERIES]
    vectors = await embed_queries(queries, state, context) if queries else []
    passage_lists = await run_all(
        search_documents(query, vector, state, context)
        for query, vector in zip(queries, vectors, strict=True)
    )
    context_passages = passages_by_number(search.around, request.look.read)[:_MOST_CONTEXTS]
    neighbour_lists = await run_all(
        _neighbours(passage, reader_of(state), services) for passage in context_passages
    )
    outline_passages = passages_by_number(search.outlines, request.look.read)[:_MOST_CONTEXTS]
    outlines = await run_all(
        _outline(passage, reader_of(state), services) for passage in outline_passages
    )
    return [*passage_lists, *neighbour_lists], [
        outline for outline in outlines if outline["sections"]
    ]


async def _neighbours(passage: Passage, reader: Reader, services: Services) -> list[Passage]:
    """The chunks before and after a passage in its document; [] for a file of the user."""
    excerpt = await services.catalogue.excerpt(passage.id, 1, reader)
    if excerpt is None:
        return []
    url = passage.source_url
    return [
        Passage(
            *(
                neighbour.id,
                "document",
                neighbour.content,
                url,
                excerpt.title,
                neighbour.section,
                url,
            ),
            score=passage.score,
            internal=passage.internal,
            guards=passage.guards,
            unread=excerpt.unread,
        )
        for neighbour in excerpt.passages
        if neighbour.id != passage.id
    ]


async def _outline(passage: Passage, reader: Reader, services: Services) -> OutlineState:
    """The headings of a passage's document."""
    sections = await services.catalogue.outline(passage.id, _MOST_HEADINGS, reader)
    return {"title": passage.title, "sections": sections}


def _merge_passages(
    request: _SearchRequest,
    passage_lists: Sequence[Sequence[Passage]],
    state: TurnState,
    services: Services,
) -> list[Passage]:
    """The passages so far in their order, and behind them those that were found now.

    Where they are too long for the answer's prompt, earlier passages that the model did not call
    useful are left out.
    """

    def cost(passage: Passage) -> int:
        return passage_tokens(passage, services.count_tokens)

    earlier_passages, look = passages_of(state), request.look
    # The model may have read shortened passages; the answer is written from whole ones.
    useful_ids = {passage.id for passage in passages_by_number(request.search.useful, look.read)}
    documents = [passage for passage in earlier_passages if passage.kind == "document"]
    useful_passages = [passage for passage in documents if passage.id in useful_ids]
    limit = services.limits.retrieval.passages
    passages = join_rounds(earlier_passages, useful_passages, passage_lists, limit)
    removable_passages = [passage for passage in documents if passage.id not in useful_ids]
    excess_tokens = sum(map(cost, passages)) - look.most_tokens
    return leave_out(passages, removable_passages, excess_tokens, cost)
