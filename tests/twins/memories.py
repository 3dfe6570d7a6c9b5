"""Long-term memory without a database."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_agent.domain.json_values import storable
from rich_agent.domain.memory.items import (
    LongTermMemory,
    Namespace,
    by_nearness,
    mark_of,
    marks_of,
    owner_of,
)
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.ports.memories import FoundMemory, MemoryQuery
from tests.twins.fences import Fences


@dataclass(slots=True)
class InMemoryMemories:
    """Implements `Memories`; `vectors` are by user, then by space and mark."""

    kept: dict[int, LongTermMemory] = field(default_factory=dict)
    vectors: dict[int, dict[tuple[VectorSpace, str], Sequence[float]]] = field(default_factory=dict)
    fences: Fences = field(default_factory=Fences)

    async def load(self, user_id: int) -> LongTermMemory:
        return self.kept.get(user_id, LongTermMemory())

    async def change(
        self,
        user_id: int,
        change: Callable[[LongTermMemory], LongTermMemory],
        *,
        for_good: bool = False,  # noqa: ARG002 - there is no list of tasks here
    ) -> LongTermMemory:
        self.fences.check()
        changed = change(await self.load(user_id))
        self.kept[user_id] = LongTermMemory.from_json(storable(changed.to_json()))
        marks = marks_of(self.kept[user_id])
        self.vectors[user_id] = {
            (space, mark): vector
            for (space, mark), vector in self.vectors.get(user_id, {}).items()
            if mark in marks
        }
        return changed

    async def get(self, namespace: Namespace, key: str) -> Mapping[str, Any] | None:
        memory = self.kept.get(owner_of(namespace))
        return memory.to_json().get(key) if memory else None

    async def search(
        self, prefix: Namespace, query: MemoryQuery, *, limit: int = 10, offset: int = 0
    ) -> list[FoundMemory]:
        user_id = owner_of(prefix)
        nearness = {
            mark: _cosine(vector, query.vector)
            for (space, mark), vector in self.vectors.get(user_id, {}).items()
            if query.vector is not None and space == query.space
        }
        ordered = by_nearness(await self.load(user_id), nearness, query.text)
        return [FoundMemory(kind, item) for kind, item in ordered[offset : offset + limit]]

    async def without_vector(self, user_id: int, space: VectorSpace) -> list[FoundMemory]:
        known = {mark for of, mark in self.vectors.get(user_id, {}) if of == space}
        return [FoundMemory(*one) for one in await self.load(user_id) if mark_of(*one) not in known]

    async def add_vectors(
        self, user_id: int, space: VectorSpace, vectors: Mapping[str, Sequence[float]]
    ) -> None:
        self.fences.check()
        marks = marks_of(await self.load(user_id))
        kept = {
            of: vector for of, vector in self.vectors.get(user_id, {}).items() if of[0] == space
        }
        added = {(space, mark): vector for mark, vector in vectors.items() if mark in marks}
        self.vectors[user_id] = kept | added


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0
