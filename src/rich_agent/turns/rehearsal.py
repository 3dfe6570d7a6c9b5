"""Turns for no user, which go through the whole bot and of which nothing is stored."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from langgraph.types import StateSnapshot

from rich_agent.domain.answer.citation import Citation
from rich_agent.domain.answer.trace import NodeReport, calls_in
from rich_agent.domain.message import IncomingMessage, TurnRequest, User, thread_of
from rich_agent.domain.persona import Persona, Personas
from rich_agent.domain.usage_limits import Prices, Spent, spending_of
from rich_agent.graph.services import Services
from rich_agent.graph.state import request_to_state
from rich_agent.graph.views import is_unanswered
from rich_agent.ports.turns import StoredTurn, TurnMessages
from rich_agent.turns.replay import Replayed, replay, run_to_answer
from rich_agent.turns.snapshots import outcome_of, state_of

NO_USER = 0
"""The user id of rehearsals; Telegram gives it to no one, so nothing is stored about this user."""


@dataclass(frozen=True, slots=True)
class RehearsedTurn:
    """The answer to a question, and the usage that it took.

    - `sources`: for each citation its address, link and label, separated by line breaks.
    - `is_refusal`: whether the bot found nothing, or nothing that supports an answer.
    """

    text: str
    sources: tuple[str, ...]
    is_refusal: bool
    spending: Spent


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Runs turns on `services` that store nothing; `prices` are the prices of their models."""

    services: Services
    prices: Prices

    def speaking_as(self, persona: Persona | None) -> "Rehearsal":
        """The rehearsal with this persona, or with none, in place of those in effect."""

        async def find() -> Personas:
            return Personas(persona)

        return replace(self, services=replace(self.services, find_personas=find))

    async def ask(self, question: str) -> RehearsedTurn:
        """Answer a question in a turn for no user. Raises: the errors of the turn's nodes."""
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

        Raises: TurnNotReplayableError if its request was not stored; the errors of the nodes.
        """
        return await replay(turn, conversation, self.services)


def _is_refusal(snapshot: StateSnapshot) -> bool:
    """Whether the bot found nothing, or nothing that supports an answer."""
    return not snapshot.interrupts and is_unanswered(state_of(snapshot))


def _source(citation: Citation) -> str:
    """The address, link and label of a citation."""
    return f"{citation.source_url}\n{citation.link}\n{citation.label}"
