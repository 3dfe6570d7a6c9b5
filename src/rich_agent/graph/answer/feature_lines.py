"""Lines that features add below an answer."""

import asyncio
from collections.abc import Sequence
from typing import Final

from rich_agent.domain.text import shorten
from rich_agent.errors import LaneLostError
from rich_agent.graph.services import AnsweredTurn, BelowAnswer, NodeContext
from rich_agent.graph.state import TurnState, request_of
from rich_agent.graph.views import locale_of, question_of

BUDGET_S: Final = 1.0
"""Longest that one feature may take for its lines: the user waits for the answer."""
_MOST_LINES: Final = 5
"""Of one feature below an answer."""
_MOST_CHARS: Final = 1_000
"""Of each line."""


async def lines_of_features(text: str, state: TurnState, context: NodeContext) -> str:
    """Lines that features add to an answer; none of one that fails or is late, which is noted."""
    if not context.services.below_answer:
        return ""
    request = request_of(state)
    turn = AnsweredTurn(
        user_id=state["user"]["telegram_user_id"],
        thread_id=request.thread_id,
        request_id=request.request_id,
        locale=locale_of(state),
        question=question_of(state),
        text=text,
    )
    line_groups = await asyncio.gather(
        *(_lines(below, turn, context) for below in context.services.below_answer)
    )
    return "".join(f"\n\n_{line}_" for lines in line_groups for line in lines)


async def _lines(below: BelowAnswer, turn: AnsweredTurn, context: NodeContext) -> Sequence[str]:
    try:
        async with asyncio.timeout(BUDGET_S):
            lines = await below(turn)
            return [shorten(line, _MOST_CHARS) for line in lines[:_MOST_LINES]]
    except LaneLostError:
        raise
    except Exception as error:  # noqa: BLE001 - a feature ends its own part, not the turn
        context.run.notes.survive("feature_lines_failed", error)
        return ()
