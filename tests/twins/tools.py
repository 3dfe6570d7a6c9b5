"""The record of calls, in memory: no transaction, so that only what succeeded is kept."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from rich_agent.domain.rules import SpentToday
from rich_agent.domain.tools import ResultState, ToolCall
from rich_agent.ports.tools import (
    Asker,
    Executed,
    Execution,
    LastChange,
    RecentChange,
    Undo,
    UndoableCall,
)

Key = tuple[str, str, str]


@dataclass(slots=True)
class InMemoryToolExecutions:
    """Implements `ToolExecutions`; `executed` holds what was run, in its order."""

    executed: dict[Key, Executed] = field(default_factory=dict)
    tools: dict[Key, str] = field(default_factory=dict)
    undone: set[Key] = field(default_factory=set)

    async def once(
        self, asker: Asker, call: ToolCall, run: Callable[[], Awaitable[Executed]]
    ) -> ResultState:
        """See `ToolExecutions.once`."""
        key = (asker.thread_id, asker.request_id, call.id)
        if key not in self.executed:
            self.executed[key] = await run()
            self.tools[key] = call.name
        return self.executed[key].result

    async def begin(self, asker: Asker, call: ToolCall) -> ResultState | None:
        """See `ToolExecutions.begin`."""
        found = self.executed.get((asker.thread_id, asker.request_id, call.id))
        return found.result if found else None

    async def end(self, asker: Asker, call: ToolCall, executed: Executed) -> None:
        """See `ToolExecutions.end`."""
        self.executed[asker.thread_id, asker.request_id, call.id] = executed

    async def record(
        self, asker: Asker, call: ToolCall, result: ResultState, took_s: float
    ) -> None:
        """See `ToolExecutions.record`."""
        assert took_s >= 0
        self.executed.setdefault((asker.thread_id, asker.request_id, call.id), Executed(result))

    async def use_today(
        self, user_id: int, tools: Sequence[str], sums: Sequence[str]
    ) -> SpentToday:
        """See `ToolExecutions.use_today`; without sums."""
        assert user_id
        assert not sums
        return SpentToday(sum(name in tools for name in self.tools.values()))

    async def last_change(self, user_id: int, before: str) -> LastChange | None:
        """See `ToolExecutions.last_change`."""
        assert user_id
        changed = [
            (key[1], executed.result["done"])
            for key, executed in reversed(self.executed.items())
            if executed.undo is not None and key not in self.undone and key[1] != before
        ]
        if not changed:
            return None
        last = changed[0][0]
        return LastChange(last, tuple(done for request, done in changed if request == last))

    async def recent(self, user_id: int, limit: int) -> Sequence[RecentChange]:
        """See `ToolExecutions.recent`; all happened just now."""
        assert user_id
        now = datetime.now(UTC)
        return [
            RecentChange(key[1], executed.result["done"], now, executed.undo is not None)
            for key, executed in reversed(self.executed.items())
            if executed.result.get("done") and key not in self.undone
        ][:limit]

    async def undoable(self, user_id: int, call_id: str) -> Sequence[UndoableCall]:
        """See `ToolExecutions.undoable`."""
        assert user_id
        return [
            UndoableCall(key[1], executed.undo)
            for key, executed in reversed(self.executed.items())
            if executed.undo is not None and key[2] == call_id and key not in self.undone
        ]

    async def undo(self, user_id: int, request_id: str, undo: Undo) -> Sequence[str]:
        """See `ToolExecutions.undo`."""
        assert user_id
        told = []
        for number, (key, executed) in reversed(list(enumerate(self.executed.items()))):
            if key[1] == request_id and executed.undo is not None and key not in self.undone:
                self.undone.add(key)
                told.append(await undo(Execution(number, self.tools[key], executed.undo)))
        return told
