"""Long-term memory of one user: facts, preferences, tasks, and how they change."""

import hashlib
import re
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self, get_args

MemoryKind = Literal["facts", "preferences", "tasks"]
MEMORY_KINDS: tuple[MemoryKind, ...] = get_args(MemoryKind)
SUMMARY_KEY = "conversation_summary"
MOST_ITEMS = 200
"""Of each kind; the oldest give way, so that a turn costs the same after years."""

_FIRST_PERSON = re.compile(
    r"\b(i|i'm|i’m|i've|my|me|mine|we|our|us|remember|forget|call me|always|never|prefer)\b"
    r"|私|僕|俺|わたし|自分|覚え|忘れ|住ん|好き|名前|呼んで",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One thing remembered; `request_id` is the turn that taught it, `updated_at` ISO 8601."""

    text: str
    request_id: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class MemoryChanges:
    """What a turn taught: things to add, and texts of remembered things that no longer hold."""

    facts: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    retract: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.facts or self.preferences or self.tasks or self.retract)


@dataclass(frozen=True, slots=True)
class LongTermMemory:
    """Everything remembered of one user, oldest first in each kind."""

    facts: tuple[MemoryItem, ...] = ()
    preferences: tuple[MemoryItem, ...] = ()
    tasks: tuple[MemoryItem, ...] = ()
    conversation_summary: str = ""
    summary_updated_at: str | None = None

    def items(self, kind: MemoryKind) -> tuple[MemoryItem, ...]:
        """The items of one kind."""
        by_kind = {"facts": self.facts, "preferences": self.preferences, "tasks": self.tasks}
        return by_kind[kind]

    def to_json(self) -> dict[str, dict[str, Any]]:
        """The values to store, by key: exactly the three kinds and `conversation_summary`."""
        values: dict[str, dict[str, Any]] = {
            kind: {"items": [asdict(item) for item in self.items(kind)]} for kind in MEMORY_KINDS
        }
        values[SUMMARY_KEY] = {
            "summary": self.conversation_summary,
            "updated_at": self.summary_updated_at,
        }
        return values

    @classmethod
    def from_json(cls, values: dict[str, dict[str, Any]]) -> Self:
        """The memory that `to_json` wrote; missing keys are empty."""
        summary = values.get(SUMMARY_KEY, {})
        kinds = {
            kind: tuple(MemoryItem(**item) for item in values.get(kind, {}).get("items", ()))
            for kind in MEMORY_KINDS
        }
        return cls(
            facts=kinds["facts"],
            preferences=kinds["preferences"],
            tasks=kinds["tasks"],
            conversation_summary=summary.get("summary", ""),
            summary_updated_at=summary.get("updated_at"),
        )


@dataclass(frozen=True, slots=True)
class Occasion:
    """When and in which turn something was learned (`at` ISO 8601)."""

    request_id: str
    at: str


def mark_of(kind: MemoryKind, item: MemoryItem) -> str:
    """16 characters by which an item can be named, as long as it says the same."""
    return hashlib.sha256(f"{kind}\n{_key(item.text)}".encode()).hexdigest()[:16]


def without(memory: LongTermMemory, mark: str) -> LongTermMemory:
    """The memory without the item that has this mark."""
    kept = {
        kind: tuple(item for item in memory.items(kind) if mark_of(kind, item) != mark)
        for kind in MEMORY_KINDS
    }
    return replace(
        memory, facts=kept["facts"], preferences=kept["preferences"], tasks=kept["tasks"]
    )


def may_teach(text: str) -> bool:
    """Whether a message may tell something worth remembering, so that asking a model is worth it.

    False only for what is evidently a question and does not speak of its writer.
    """
    return bool(_FIRST_PERSON.search(text)) or not text.rstrip().endswith(("?", "？"))


def merge(memory: LongTermMemory, changes: MemoryChanges, occasion: Occasion) -> LongTermMemory:
    """The memory after a turn: retracted texts gone, new ones added once; idempotent."""
    retracted = {_key(text) for text in changes.retract}
    merged: dict[str, tuple[MemoryItem, ...]] = {}
    for kind in MEMORY_KINDS:
        new: tuple[str, ...] = getattr(changes, kind)
        kept = [i for i in memory.items(kind) if _key(i.text) not in retracted]
        known = {_key(item.text) for item in kept}
        for text in new:
            if _key(text) and _key(text) not in known:
                known.add(_key(text))
                kept.append(MemoryItem(text.strip(), occasion.request_id, occasion.at))
        merged[kind] = tuple(kept[-MOST_ITEMS:])
    return LongTermMemory(
        facts=merged["facts"],
        preferences=merged["preferences"],
        tasks=merged["tasks"],
        conversation_summary=memory.conversation_summary,
        summary_updated_at=memory.summary_updated_at,
    )


def unlearn(memory: LongTermMemory, request_id: str) -> LongTermMemory:
    """The memory without what one turn taught; what that turn retracted does not come back."""
    facts, preferences, tasks = (
        tuple(item for item in memory.items(kind) if item.request_id != request_id)
        for kind in MEMORY_KINDS
    )
    return replace(memory, facts=facts, preferences=preferences, tasks=tasks)


def _key(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".。")
