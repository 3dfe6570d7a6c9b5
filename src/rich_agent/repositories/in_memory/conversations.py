"""Users, memories and transcript without a database."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich_agent.domain.memory import LongTermMemory
from rich_agent.domain.message import User
from rich_agent.ports import TurnRecord


@dataclass(slots=True)
class InMemoryUsers:
    """Implements `ports.Users`."""

    known: dict[int, User] = field(default_factory=dict)
    blocked: set[int] = field(default_factory=set)

    async def remember(self, user: User) -> None:
        """See `ports.Users.remember`."""
        self.known[user.telegram_user_id] = user
        self.blocked.discard(user.telegram_user_id)

    async def mark_blocked(self, telegram_user_id: int) -> None:
        """See `ports.Users.mark_blocked`."""
        if telegram_user_id in self.known:
            self.blocked.add(telegram_user_id)


@dataclass(slots=True)
class InMemoryMemories:
    """Implements `ports.Memories`."""

    kept: dict[int, LongTermMemory] = field(default_factory=dict)

    async def load(self, user_id: int) -> LongTermMemory:
        """See `ports.Memories.load`."""
        return self.kept.get(user_id, LongTermMemory())

    async def save(self, user_id: int, memory: LongTermMemory) -> None:
        """See `ports.Memories.save`."""
        self.kept[user_id] = memory


@dataclass(slots=True)
class InMemoryTranscript:
    """Implements `ports.Transcript`; both are keyed by thread and request."""

    turns: dict[tuple[str, str], TurnRecord] = field(default_factory=dict)
    archived: dict[tuple[str, str], TurnRecord] = field(default_factory=dict)

    async def record(self, turn: TurnRecord) -> None:
        """See `ports.Transcript.record`."""
        self.turns.setdefault((turn.thread_id, turn.request_id), turn)

    async def archive(self, turns: Sequence[TurnRecord]) -> None:
        """See `ports.Transcript.archive`."""
        for turn in turns:
            self.archived.setdefault((turn.thread_id, turn.request_id), turn)
