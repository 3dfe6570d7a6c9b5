"""Turns for nobody: they go through the whole bot, and nothing of them is kept."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from langgraph.types import StateSnapshot

from rich_agent.domain.answer.citation import Citation
from rich_agent.domain.answer.trace import NodeReport, calls_in
from rich_agent.domain.message import IncomingMessage, TurnRequest, User, thread_of
from rich_agent.domain.usage_limits import Prices, Spent, spending_of
from rich_agent.graph.services import Services
from rich_agent.graph.state import request_to_state
from rich_agent.ports.turns import StoredTurn, TurnMessages
from rich_agent.turns.replay import Replayed, replay, run_to_answer
from rich_agent.turns.snapshots import outcome_of, state_of

NO_USER = 0
"""Asks the questions: Telegram gives no one this id, so nothing is known of this user."""


@dataclass(frozen=True, slots=True)
class RehearsedTurn:
    """The answer to a question; `sources` are address, link and label of each citation.

    `is_refusal` when the product itself found nothing, or nothing that supports an answer.
    """

    text: str
    sources: tuple[str, ...]
    is_refusal: bool
    spending: Spent


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Runs turns on `services`, which have to keep nothing; `prices` are those of their models."""

    services: Services
    prices: Prices

    async def ask(self, question: str) -> RehearsedTurn:
        """The answer to a question, for nobody. Raises: what the nodes of a turn raise."""
        message = IncomingMessage(User(NO_USER), question)
        request = TurnRequest(thread_of(NO_USER), f"rehearsal:{uuid.uuid4()}", message)
        snapshot = await run_to_answer(request_to_state(request), (), self.services)
        answer = outcome_of(snapshot).answer
        calls = calls_in(map(NodeReport.from_json, state_of(snapshot)["node_log"].values()))
        return RehearsedTurn(
            answer.text,
            tuple(map(_source, answer.citations)),
            _is_refusal(snapshot),
            spending_of(calls, self.prices),
        )

    async def repeat(
        self, turn: StoredTurn, conversation: Sequence[tuple[str, TurnMessages]]
    ) -> Replayed:
        """Run a past turn again, after the conversation before it.

        Raises: TurnNotReplayableError if its request was not kept; what the nodes raise.
        """
        return await replay(turn, conversation, self.services)


def _is_refusal(snapshot: StateSnapshot) -> bool:
    state = state_of(snapshot)
    if snapshot.interrupts:
        return False
    checks = state["answer"].get("debug", {})
    is_empty = state["routing"]["plan"] != "direct" and not state["rag"].get("retrieved_chunks")
    return bool(checks.get("refused") or checks.get("found_nothing") or is_empty)


def _source(citation: Citation) -> str:
    return f"{citation.source_url}\n{citation.link}\n{citation.label}"
