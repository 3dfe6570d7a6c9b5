"""Fetches earlier turns of the user's conversation, when they ask about them."""

from collections.abc import Sequence
from datetime import UTC
from typing import Any

from rich_agent.domain.budget import fit_text
from rich_agent.domain.routing.past import PastQuestion, PastTurn
from rich_agent.graph.origins import READ
from rich_agent.graph.services import Services
from rich_agent.graph.state import MemoryState, TurnState

MOST_TURNS = 8
PAST_SHARE = 0.25
"""Part of the prompt's tokens that earlier turns may take."""


async def recall_past(wanted: PastQuestion, state: TurnState, services: Services) -> MemoryState:
    """The part of the memory that answers a question about the past; of this user only."""
    user_id = state["user"]["telegram_user_id"]
    found = await services.archive.search(user_id, wanted, MOST_TURNS)
    return {"past_turns": past_slots(found, services), "past_searched": True}


def past_slots(turns: Sequence[PastTurn], services: Services) -> list[dict[str, Any]]:
    """Earlier turns as prompts show them, so much of each that all of them fit."""
    budget = round(services.limits.max_context_tokens * PAST_SHARE)
    each = budget // (2 * max(4, len(turns)))
    return [
        {
            "date": turn.asked_at.astimezone(UTC).date().isoformat(),
            "question": fit_text(turn.question, each, services.count_tokens),
            "answer": fit_text(turn.answer, each, services.count_tokens),
            READ: turn.read or [],
        }
        for turn in turns
    ]
