"""Guided sessions in memory: one for each user."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rich_agent.domain.sessions import GuidedSession, SessionEnd


@dataclass(slots=True)
class InMemorySessions:
    """Implements `Sessions`."""

    open: dict[int, GuidedSession] = field(default_factory=dict)
    requests: dict[int, set[str]] = field(default_factory=dict)
    outputs: list[Mapping[str, Any]] = field(default_factory=list)
    ended: dict[int, GuidedSession] = field(default_factory=dict)

    async def active(self, user_id: int) -> GuidedSession | None:
        return self.open.get(user_id)

    async def begin(self, user_id: int, template: str) -> GuidedSession | None:
        if user_id in self.open:
            return None
        self.open[user_id] = GuidedSession(len(self.ended) + 1, template)
        self.requests[user_id] = set()
        return self.open[user_id]

    async def count(self, user_id: int, request_id: str) -> GuidedSession | None:
        if user_id not in self.open:
            return None
        self.requests[user_id].add(request_id)
        counted = replace(self.open[user_id], messages=len(self.requests[user_id]))
        self.open[user_id] = counted
        return counted

    async def keep(self, user_id: int, output: Mapping[str, Any]) -> bool:
        if user_id in self.open:
            self.outputs.append(output)
        return user_id in self.open

    async def end(self, user_id: int, how: SessionEnd) -> GuidedSession | None:
        assert how in {"completed", "cancelled"}
        session = self.open.pop(user_id, None)
        if session:
            self.ended[user_id] = session
        return session

    async def reopen(self, user_id: int, session_id: int) -> bool:
        ended = self.ended.get(user_id)
        if user_id in self.open or ended is None or ended.id != session_id:
            return False
        self.open[user_id] = ended
        return True
