"""Users and transcript without a database."""

from dataclasses import dataclass, field, replace

from rich_agent.domain.json_values import storable
from rich_agent.domain.message import User
from rich_agent.domain.text import clean_text
from rich_agent.ports.turns import TurnRecord
from tests.twins.fences import Fences


@dataclass(slots=True)
class InMemoryUsers:
    """Implements `Users`."""

    known: dict[int, User] = field(default_factory=dict)
    blocked: set[int] = field(default_factory=set)

    async def remember(self, user: User) -> None:
        stored = replace(user, first_name=clean_text(user.first_name))
        self.known[user.telegram_user_id] = stored
        self.blocked.discard(user.telegram_user_id)

    async def mark_blocked(self, telegram_user_id: int) -> None:
        if telegram_user_id in self.known:
            self.blocked.add(telegram_user_id)


@dataclass(slots=True)
class InMemoryTranscript:
    """Implements `Transcript`; turns by thread and request."""

    turns: dict[tuple[str, str], TurnRecord] = field(default_factory=dict)
    fences: Fences = field(default_factory=Fences)

    async def record(self, turn: TurnRecord) -> None:
        self.fences.check()
        known = self.turns.setdefault((turn.thread_id, turn.request_id), stored_turn(turn))
        if known.revision < turn.revision:
            self.turns[turn.thread_id, turn.request_id] = stored_turn(turn)


def stored_turn(turn: TurnRecord) -> TurnRecord:
    """The turn without what PostgreSQL refuses."""
    return replace(
        turn,
        question=clean_text(turn.question),
        answer=clean_text(turn.answer),
        meta=storable(turn.meta),
        request=storable(turn.request),
    )
