"""Interfaces of the record of turns: what was said, and why it was answered so.

Every method may raise DatabaseUnavailableError. What a turn writes is refused with LaneLostError
once another worker has taken its user's lane over.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rich_agent.domain.answer.answer import Answer, Decision
from rich_agent.domain.routing.plan import Routing


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A finished turn as it is kept. `meta` is JSON: image hashes, citations, plan.

    `revision` grows when the question is edited and answered again. `request` is what the turn can
    be run again from, without what `question` says already; it is kept with the user's message.
    """

    user_id: int
    thread_id: str
    request_id: str
    question: str
    answer: str
    meta: Mapping[str, Any]
    revision: int = 0
    request: Mapping[str, Any] = field(default_factory=dict)


class Transcript(Protocol):
    """The lasting record of conversations."""

    async def record(self, turn: TurnRecord) -> None:
        """Store both messages of a turn; only a higher revision of it changes anything."""
        ...


class Decisions(Protocol):
    """One row per turn: how it was answered and why."""

    async def record(self, decision: Decision) -> str:
        """Insert or complete the row of (thread_id, request_id); its id."""
        ...

    async def latest(self, thread_id: str) -> Decision | None:
        """The decision on the thread's last turn."""
        ...

    async def find(self, thread_id: str, request_id: str) -> Decision | None:
        """The decision on one turn of the thread."""
        ...


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What a finished turn gives to a surface."""

    answer: Answer
    routing: Routing
    nodes: tuple[str, ...]
    latency_ms: Mapping[str, float]
    interrupt: Mapping[str, Any] | None = None
    request_id: str = ""
