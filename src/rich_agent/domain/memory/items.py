"""The long-term memory of a user: facts, preferences and tasks, and which of them to recall."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, timedelta
from typing import Any, Literal, Self

from rich_agent.domain.languages import locale_of_tag
from rich_agent.domain.memory.kinds import MEMORY_KINDS, MemoryKind
from rich_agent.domain.retrieval.search_terms import languages_in, terms_in
from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.words import Origin, Words, read_words

SUMMARY_KEY = "conversation_summary"
Namespace = tuple[str, ...]
_NAMESPACE_OF_USERS = "users"

Holds = Literal["now", "past", "planned"]
NOW: Holds = "now"
SECRET = "secret"  # noqa: S105 - the name of a topic
Topic = Literal[
    "residence", "name", "age", "birthday", "origin", "job", "employer", "email", "phone",
    "timezone", "marital_status", "family", "pet", "hobby", "skill", "health", "allergy", "diet",
    "language", "length", "tone", "emoji", "nickname", "format", "like", "other", "secret",
]  # fmt: skip
"""The topic of a fact or a preference, in any language; "secret" is never kept."""
SINGULAR: Mapping[MemoryKind, AbstractSet[str]] = {
    "facts": {"residence", "name", "age", "birthday", "origin", "job", "employer", "email", "phone"}
    | {"timezone", "marital_status"},
    "preferences": {"language", "length", "tone", "emoji", "nickname"},
    "tasks": frozenset(),
}
"""The topics of which one item about the user is true at a time: the newest counts."""


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """A thing that was remembered."""

    text: str
    request_id: str
    """The turn that it was learned from."""
    updated_at: str
    """The time when it was learned, ISO 8601."""
    topic: str = ""
    """Its topic, such as "residence", "" if unknown."""
    due: str = ""
    """The date of a task, ISO 8601, "" without one."""
    about: str = ""
    """The person that it is about, such as "wife", "" for the user."""
    holds: Holds = NOW
    """The time at which it is true."""
    language: str = ""
    """The language that a preference asks for, an ISO 639 code, "" for others."""
    origin: Origin = "user"
    """"other" for a task from a task list that others may write to."""

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The item as it was stored, also by versions with other fields."""
        return cls(
            **{field_.name: value[field_.name] for field_ in fields(cls) if field_.name in value}
        )


@dataclass(frozen=True, slots=True)
class LongTermMemory:
    """Everything remembered of a user, oldest first in each kind.

    `summary_words` are the foreign words in the summary. `fixed` are the marks of items that
    lessons leave as they are, because they are rows of a feature that this process does not have.
    """

    facts: tuple[MemoryItem, ...] = ()
    preferences: tuple[MemoryItem, ...] = ()
    tasks: tuple[MemoryItem, ...] = ()
    conversation_summary: str = ""
    summary_updated_at: str | None = None
    summary_words: tuple[Words, ...] = ()
    fixed: frozenset[str] = frozenset()

    def items(self, kind: MemoryKind) -> tuple[MemoryItem, ...]:
        """The items of one kind."""
        by_kind = {"facts": self.facts, "preferences": self.preferences, "tasks": self.tasks}
        return by_kind[kind]

    def with_items(self, items: Mapping[MemoryKind, tuple[MemoryItem, ...]]) -> Self:
        """The memory with these items in place of all three kinds."""
        return replace(
            self,
            facts=items["facts"],
            preferences=items["preferences"],
            tasks=items["tasks"],
        )

    def __iter__(self) -> Iterator[tuple[MemoryKind, MemoryItem]]:
        """Every item with its kind."""
        return ((kind, item) for kind in MEMORY_KINDS for item in self.items(kind))

    def to_json(self) -> dict[str, dict[str, Any]]:
        """The records to store, by key: the three kinds and `conversation_summary`."""
        records: dict[str, dict[str, Any]] = {
            kind: {"items": [asdict(item) for item in self.items(kind)]} for kind in MEMORY_KINDS
        }
        records[SUMMARY_KEY] = {
            "summary": self.conversation_summary,
            "updated_at": self.summary_updated_at,
        }
        if self.summary_words:
            word_states = [words.to_state() for words in self.summary_words]
            records[SUMMARY_KEY]["words"] = word_states
        return records

    @classmethod
    def from_json(cls, values: Mapping[str, Mapping[str, Any]]) -> Self:
        """The memory that `to_json` wrote; missing keys are empty."""
        summary = values.get(SUMMARY_KEY, {})
        facts, preferences, tasks = (
            tuple(MemoryItem.from_json(item) for item in values.get(kind, {}).get("items", ()))
            for kind in MEMORY_KINDS
        )
        return cls(
            facts=facts,
            preferences=preferences,
            tasks=tasks,
            conversation_summary=summary.get("summary", ""),
            summary_updated_at=summary.get("updated_at"),
            summary_words=read_words(summary.get("words")),
        )


def namespace_of(user_id: int) -> Namespace:
    """The namespace of a user's memory."""
    return (_NAMESPACE_OF_USERS, str(user_id))


def owner_of(namespace: Namespace) -> int:
    """The user whose memory has this namespace.

    Raises: ValueError if it names no user, so that no search can cover several users.
    """
    match namespace:
        case ("users", user_id):
            return int(user_id)
    raise ValueError(f"the namespace of a user is ('users', '<user_id>'), not {namespace}")


def key_of(text: str) -> str:
    """A key that is equal for two texts that differ in case, spaces or a final full stop only."""
    return " ".join(text.casefold().split()).rstrip(".。")


def mark_of(kind: MemoryKind, item: MemoryItem) -> str:
    """The name of an item, 16 characters that stay the same while its text and person do."""
    identity = "\n".join(filter(None, (kind, key_of(item.text), key_of(item.about))))
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def marks_of(memory: LongTermMemory) -> list[str]:
    """The marks of all items."""
    return [mark_of(kind, item) for kind, item in memory]


def without(memory: LongTermMemory, *marks: str) -> LongTermMemory:
    """The memory without the items that have these marks."""
    return _keeping(memory, lambda kind, item: mark_of(kind, item) not in marks)


def unlearn(memory: LongTermMemory, request_id: str) -> LongTermMemory:
    """The memory without the items from one turn; items that the turn removed stay removed."""
    return _keeping(memory, lambda _, item: item.request_id != request_id)


def preferred_locale(memory: LongTermMemory) -> str | None:
    """The language of the newest preference for one, if the product has sentences in it."""
    languages = [item.language for item in memory.preferences if item.topic == "language"]
    return locale_of_tag(languages[-1]) if languages else None


def _keeping(
    memory: LongTermMemory, is_kept: Callable[[MemoryKind, MemoryItem], bool]
) -> LongTermMemory:
    """The memory with those items that `is_kept` accepts."""
    return memory.with_items(
        {
            kind: tuple(item for item in memory.items(kind) if is_kept(kind, item))
            for kind in MEMORY_KINDS
        }
    )


RECALL_SHARE = 0.05
"""The part of a prompt's tokens for recalled memories: 600 of 12,000, about 50 sentences."""
_PREFERENCE_SHARE = 0.4
"""The part of these for preferences: they shape every answer, but facts need room, too."""
_LINE_TOKENS = 2
_SOON = timedelta(days=7)
_LONG_OVERDUE = timedelta(days=30)
_OLD_AFTER = timedelta(days=180)

KindItem = tuple[MemoryKind, MemoryItem]


@dataclass(frozen=True, slots=True)
class Recalled:
    """The memories for a prompt: the user's preferences, and other entries.

    `marks` are those of the entries, then of the preferences, in the order of choice.
    """

    preferences: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


def recall_budget(max_context_tokens: int) -> int:
    """The tokens that recalled memories may take in one prompt."""
    return round(max_context_tokens * RECALL_SHARE)


def fits(memory: LongTermMemory, today: date, budget_tokens: int) -> bool:
    """Whether everything can be recalled, so that no search is needed."""
    return sum(_tokens_of(entry_of(kind, item, today)) for kind, item in memory) <= budget_tokens


def recall(memory: LongTermMemory, nearest: Sequence[str], today: date, budget: int) -> Recalled:
    """The memories that fit into `budget` tokens, oldest first.

    Chosen are the newest preferences, then tasks due soon, then other items in the order of
    `nearest`, a list of marks; unlisted items are last. Tasks that are long overdue are left out.
    So are tasks that others may have written, which tools show.
    """

    def words_of(entry: KindItem) -> str:
        return entry_of(*entry, today)

    preference_share = 1.0 if fits(memory, today, budget) else _PREFERENCE_SHARE
    preferences = _fitting(
        [("preferences", item) for item in reversed(memory.preferences)],
        round(budget * preference_share),
        words_of,
    )
    rank_by_mark = {mark: index for index, mark in enumerate(nearest)}
    open_items = [
        (kind, item)
        for kind, item in memory
        if kind != "preferences" and item.origin == "user" and today - _due(item) <= _LONG_OVERDUE
    ]
    ordered_items = sorted(
        open_items,
        key=lambda pair: (
            _due(pair[1]) - today > _SOON,
            rank_by_mark.get(mark_of(*pair), len(rank_by_mark)),
        ),
    )
    remaining_tokens = budget - sum(_tokens_of(words_of(pair)) for pair in preferences)
    entries = _fitting(ordered_items, remaining_tokens, words_of)
    return Recalled(
        tuple(map(words_of, reversed(preferences))),
        tuple(words_of(pair) for pair in open_items if pair in entries),
        tuple(mark_of(*pair) for pair in (*entries, *preferences)),
    )


def open_to_change(memory: LongTermMemory, text: str, budget: int) -> list[KindItem]:
    """The items that a message may change, within `budget` tokens.

    Items with words of the message come first; then tasks, whose completion may be said in other
    words; then the newest items.
    """
    languages = languages_in(text)
    message_terms = terms_in(text, languages)

    def is_unrelated(entry: KindItem) -> bool:
        return entry[0] != "tasks" and not message_terms & terms_in(entry[1].text, languages)

    own_items = [entry for entry in memory if entry[1].origin == "user"]
    ordered_items = sorted(by_nearness(own_items, {}, text), key=is_unrelated)
    return _fitting(ordered_items, budget, lambda entry: f"{entry[0]} {words_of_item(entry[1])}")


def by_nearness(
    items: Iterable[KindItem], nearness: Mapping[str, float], text: str
) -> list[KindItem]:
    """The items, nearest by meaning first; items whose mark is not in `nearness` follow.

    Equally near items are ordered by shared words with the text, then newest first.
    """
    languages = languages_in(text)
    text_terms = terms_in(text, languages)
    newest_first = sorted(items, key=lambda entry: entry[1].updated_at, reverse=True)
    return sorted(
        newest_first,
        key=lambda entry: (
            -nearness.get(mark_of(*entry), -2.0),
            -len(text_terms & terms_in(entry[1].text, languages)),
        ),
    )


def entry_of(kind: MemoryKind, item: MemoryItem, today: date) -> str:
    """An item as a prompt shows it, with its deadline, or the month if it is old.

    A task is marked as one, since "Call Ann" alone may be something that was done.
    """
    if kind == "tasks":
        return f"To do: {item.text}" + (f" (due {item.due})" if item.due else "")
    day = _day(item.updated_at)
    if kind == "facts" and day and today - day > _OLD_AFTER:
        return words_of_item(item, f"told in {day:%Y-%m}")
    return words_of_item(item)


def words_of_item(item: MemoryItem, *notes: str) -> str:
    """The text of an item with its person and time, unless these are the user and now."""
    about = f"about: {item.about}" if item.about else ""
    remarks = filter(None, (about, item.holds if item.holds != NOW else "", *notes))
    remark_text = "; ".join(remarks)
    return f"{item.text} ({remark_text})" if remark_text else item.text


def _fitting(
    items: Sequence[KindItem], budget_tokens: int, words_of: Callable[[KindItem], str]
) -> list[KindItem]:
    """The items that fit into the tokens, in order; too long ones are left out."""
    fitting_items: list[KindItem] = []
    for entry in items:
        entry_tokens = _tokens_of(words_of(entry))
        if entry_tokens <= budget_tokens:
            budget_tokens -= entry_tokens
            fitting_items.append(entry)
    return fitting_items


def _tokens_of(entry: str) -> int:
    """The tokens of an entry in a prompt."""
    return estimate_tokens(entry) + _LINE_TOKENS


def _due(item: MemoryItem) -> date:
    """The day when a task is due; `date.max` without one."""
    return _day(item.due) or date.max


def _day(text: str) -> date | None:
    """The day of an ISO date or time, None for other texts."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
