"""The turns that the state holds word for word, and earlier turns that a user asks about."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import BaseMessage

from rich_agent.domain.answer.trace import EARLIER_TURN
from rich_agent.domain.budget import first_within, fit_text
from rich_agent.domain.routing.plan import PastQuestion, PastTurn
from rich_agent.domain.text import MESSAGE_TOKENS, TokenCounter
from rich_agent.domain.time.wall_time import local_of
from rich_agent.domain.words import WordsState
from rich_agent.graph.memory.archive_vectors import meaning_of
from rich_agent.graph.origins import READ, words_behind
from rich_agent.graph.rights import GUARDS, marked_guards
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import MemoryState, TurnState
from rich_agent.graph.views import request_id_of, zone_of
from rich_agent.ports.turns import TurnRecord


def turns_of(messages: Sequence[BaseMessage], user_id: int, thread_id: str) -> list[TurnRecord]:
    """The turns that consist of these messages, oldest first."""
    texts_by_request: dict[str, dict[str, str]] = {}
    words_by_request: dict[str, list[WordsState]] = {}
    guarded_ids: set[str] = set()
    for message in messages:
        request_id, _, role = str(message.id).rpartition(":")
        texts_by_request.setdefault(request_id, {})[role] = str(message.text)
        words_by_request.setdefault(request_id, []).extend(words_behind(message))
        if marked_guards(message):
            guarded_ids.add(request_id)
    return [
        TurnRecord(
            user_id=user_id,
            thread_id=thread_id,
            request_id=request_id,
            question=text_by_role.get("user", ""),
            answer=text_by_role.get("assistant", ""),
            meta={
                **({READ: words_by_request[request_id]} if words_by_request[request_id] else {}),
                **({GUARDS: True} if request_id in guarded_ids else {}),
            },
        )
        for request_id, text_by_role in texts_by_request.items()
    ]


def to_remember(turns: Sequence[TurnRecord]) -> list[TurnRecord]:
    """The turns as memory keeps them: without answers from protected documents.

    Such documents can be read again by everyone with the right; a memory would outlive the right.
    """
    return [replace(turn, answer="", meta={}) if turn.meta.get(GUARDS) else turn for turn in turns]


def messages_of(turns: Sequence[TurnRecord], messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The messages that belong to one of the turns."""
    turn_ids = {turn.request_id for turn in turns}
    return [message for message in messages if request_id_of(message) in turn_ids]


def tokens_of(turn: TurnRecord, count: TokenCounter) -> int:
    """The number of tokens that a turn takes in a prompt."""
    return count(turn.question) + count(turn.answer) + 2 * MESSAGE_TOKENS


def newest_within(
    turns: Sequence[TurnRecord], most: int, budget_tokens: int, cost: Callable[[TurnRecord], int]
) -> int:
    """The number of newest turns, up to `most`, that fit into a budget; at least one."""
    newest_turns = turns[::-1][:most]
    return len(first_within(newest_turns, budget_tokens, cost) or newest_turns[:1])


MOST_TURNS = 10
PAST_SHARE = 0.25
"""The part of a prompt's tokens that earlier turns may take."""


async def recall_past(
    question: PastQuestion, state: TurnState, context: NodeContext
) -> MemoryState:
    """The part of the memory's state with the earlier turns that a question is about."""
    user_id, services = state["user"]["telegram_user_id"], context.services
    local_question = replace(question, time_zone=zone_of(state))
    meaning = await meaning_of(question.query, context) if question.order == "nearest" else None
    turns = await services.archive.search(user_id, local_question, MOST_TURNS, meaning)
    context.run.notes.recall(names_of(turns))
    return {"past_turns": past_slots(turns, state, services), "past_searched": True}


def names_of(turns: Iterable[PastTurn]) -> list[str]:
    """The names of earlier turns for the report of a node."""
    return [f"{EARLIER_TURN}{turn.request_id}" for turn in turns]


def past_slots(
    turns: Sequence[PastTurn], state: TurnState, services: Services
) -> list[dict[str, Any]]:
    """Earlier turns as prompts show them, each cut so that all fit."""
    budget_tokens = round(services.limits.max_context_tokens * PAST_SHARE)
    text_tokens = budget_tokens // (2 * max(4, len(turns)))
    return [
        {
            "date": local_of(turn.asked_at, zone_of(state)).date().isoformat(),
            "question": fit_text(turn.question, text_tokens, services.count_tokens),
            "answer": fit_text(turn.answer, text_tokens, services.count_tokens),
            READ: turn.read or [],
        }
        for turn in turns
    ]
