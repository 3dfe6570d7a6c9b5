"""Long-term memory of one user: facts, preferences, tasks, and which of them are recalled."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, timedelta
from typing import Any, Literal, Self, get_args

from rich_agent.domain.languages import locale_of_tag
from rich_agent.domain.retrieval.search_terms import languages_in, terms_in
from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.words import Origin, Words, read_words

MemoryKind = Literal["facts", "preferences", "tasks"]
MEMORY_KINDS: tuple[MemoryKind, ...] = get_args(MemoryKind)
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
"""What a fact or a preference is about, whatever its language; "secret" is never kept."""
SINGULAR: Mapping[MemoryKind, AbstractSet[str]] = {
    "facts": {"residence", "name", "age", "birthday", "origin", "job", "employer", "email", "phone"}
    | {"timezone", "marital_status"},
    "preferences": {"language", "length", "tone", "emoji", "nickname"},
    "tasks": frozenset(),
}
"""The topics of which one item about the user is true at a time: the newest holds."""


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One thing remembered; `request_id` is the turn that taught it, `updated_at` ISO 8601.

    `topic` says what it is about ("residence"), "" where nobody knows; `about` whom ("wife"), ""
    for the user; `holds` when it is true. `due` is the ISO date of a task, `language` the code
    (ISO 639) of the language that a preference asks for, each "" without one. `origin` is "other"
    for a task whose words came from a task list, which others may write to.
    """

    text: str
    request_id: str
    updated_at: str
    topic: str = ""
    due: str = ""
    about: str = ""
    holds: Holds = NOW
    language: str = ""
    origin: Origin = "user"

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The item as it was stored, also by a version that knew fewer fields or more."""
        return cls(**{part.name: value[part.name] for part in fields(cls) if part.name in value})


@dataclass(frozen=True, slots=True)
class LongTermMemory:
    """Everything remembered of one user, oldest first in each kind.

    `summary_words` are the foreign words that the summary took in.
    """

    facts: tuple[MemoryItem, ...] = ()
    preferences: tuple[MemoryItem, ...] = ()
    tasks: tuple[MemoryItem, ...] = ()
    conversation_summary: str = ""
    summary_updated_at: str | None = None
    summary_words: tuple[Words, ...] = ()

    def items(self, kind: MemoryKind) -> tuple[MemoryItem, ...]:
        """The items of one kind."""
        by_kind = {"facts": self.facts, "preferences": self.preferences, "tasks": self.tasks}
        return by_kind[kind]

    def with_items(self, items: Mapping[MemoryKind, tuple[MemoryItem, ...]]) -> Self:
        """The memory with other items of all three kinds."""
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
        """The values to store, by key: exactly the three kinds and `conversation_summary`."""
        values: dict[str, dict[str, Any]] = {
            kind: {"items": [asdict(item) for item in self.items(kind)]} for kind in MEMORY_KINDS
        }
        values[SUMMARY_KEY] = {
            "summary": self.conversation_summary,
            "updated_at": self.summary_updated_at,
        }
        if self.summary_words:
            words = [one.to_state() for one in self.summary_words]
            values[SUMMARY_KEY]["words"] = words
        return values

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
    """Return the namespace of a user's memory."""
    return (_NAMESPACE_OF_USERS, str(user_id))


def owner_of(namespace: Namespace) -> int:
    """The user whose memory a namespace holds.

    Raises: ValueError if it names no user, so that no search reaches beyond one.
    """
    match namespace:
        case ("users", user_id):
            return int(user_id)
    raise ValueError(f"the namespace of a user is ('users', '<user_id>'), not {namespace}")


def key_of(text: str) -> str:
    """Return a key that is the same for two texts that say the same."""
    return " ".join(text.casefold().split()).rstrip(".。")


def mark_of(kind: MemoryKind, item: MemoryItem) -> str:
    """16 characters by which an item can be named, as long as it says the same of the same."""
    identity = "\n".join(filter(None, (kind, key_of(item.text), key_of(item.about))))
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def marks_of(memory: LongTermMemory) -> list[str]:
    """The marks of all items."""
    return [mark_of(kind, item) for kind, item in memory]


def without(memory: LongTermMemory, *marks: str) -> LongTermMemory:
    """The memory without the items that have these marks."""
    return _keeping(memory, lambda kind, item: mark_of(kind, item) not in marks)


def unlearn(memory: LongTermMemory, request_id: str) -> LongTermMemory:
    """The memory without what one turn taught; what that turn retracted does not come back."""
    return _keeping(memory, lambda _, item: item.request_id != request_id)


def preferred_locale(memory: LongTermMemory) -> str | None:
    """The language of the newest wish for one, if the product's own phrases are in it."""
    wishes = [item.language for item in memory.preferences if item.topic == "language"]
    return locale_of_tag(wishes[-1]) if wishes else None


def _keeping(
    memory: LongTermMemory, is_kept: Callable[[MemoryKind, MemoryItem], bool]
) -> LongTermMemory:
    return memory.with_items(
        {
            kind: tuple(item for item in memory.items(kind) if is_kept(kind, item))
            for kind in MEMORY_KINDS
        }
    )


RECALL_SHARE = 0.05
"""Part of a prompt's tokens that recalled memories may take: 600 of 12,000, some 50 sentences."""
_PREFERENCE_SHARE = 0.4
"""Part of those that preferences may take: they shape every answer, but facts need room too."""
_LINE_TOKENS = 2
_SOON = timedelta(days=7)
_LONG_OVERDUE = timedelta(days=30)
_OLD_AFTER = timedelta(days=180)

KindItem = tuple[MemoryKind, MemoryItem]


@dataclass(frozen=True, slots=True)
class Recalled:
    """The user's preferences for answers, and the facts known about them, as models are told.

    `marks` are those of all of them, the entries first, in the order in which they were chosen.
    """

    preferences: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


def recall_budget(max_context_tokens: int) -> int:
    """The tokens that recalled memories may take in one prompt."""
    return round(max_context_tokens * RECALL_SHARE)


def fits(memory: LongTermMemory, today: date, budget_tokens: int) -> bool:
    """Whether everything can be recalled, so that nothing has to be searched."""
    return sum(_cost(entry_of(kind, item, today)) for kind, item in memory) <= budget_tokens


def recall(memory: LongTermMemory, nearest: Sequence[str], today: date, budget: int) -> Recalled:
    """The memories that fit into `budget` tokens, oldest first.

    Newest preferences come first, then tasks that are due, then the rest in the order of the marks
    in `nearest`. What is not named there comes last. A task that is long overdue is left out; so is
    one that others may have written, which the tools show.
    """

    def words_of(entry: KindItem) -> str:
        return entry_of(*entry, today)

    share = 1.0 if fits(memory, today, budget) else _PREFERENCE_SHARE
    preferences = _fitting(
        [("preferences", item) for item in reversed(memory.preferences)],
        round(budget * share),
        words_of,
    )
    place = {mark: index for index, mark in enumerate(nearest)}
    open_items = [
        (kind, item)
        for kind, item in memory
        if kind != "preferences" and item.origin == "user" and today - _due(item) <= _LONG_OVERDUE
    ]
    by_urgency = sorted(
        open_items,
        key=lambda pair: (
            _due(pair[1]) - today > _SOON,
            place.get(mark_of(*pair), len(place)),
        ),
    )
    rest = budget - sum(_cost(words_of(pair)) for pair in preferences)
    entries = _fitting(by_urgency, rest, words_of)
    return Recalled(
        tuple(map(words_of, reversed(preferences))),
        tuple(words_of(pair) for pair in open_items if pair in entries),
        tuple(mark_of(*pair) for pair in (*entries, *preferences)),
    )


def open_to_change(memory: LongTermMemory, text: str, budget: int) -> list[KindItem]:
    """Return the items that a message may change, within `budget` tokens.

    Items that share words with it come first, then tasks, which may be done in words of their own,
    then the newest.
    """
    languages = languages_in(text)
    message_terms = terms_in(text, languages)

    def place(entry: KindItem) -> bool:
        return entry[0] != "tasks" and not message_terms & terms_in(entry[1].text, languages)

    own = [entry for entry in memory if entry[1].origin == "user"]
    by_relevance = sorted(by_nearness(own, {}, text), key=place)
    return _fitting(by_relevance, budget, lambda entry: f"{entry[0]} {words_of_item(entry[1])}")


def by_nearness(
    items: Iterable[KindItem], nearness: Mapping[str, float], text: str
) -> list[KindItem]:
    """Nearest by meaning first; those whose mark is not in `nearness` follow.

    Among equals those come first that share more words with the text, then the newest.
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
    """An item as a prompt shows it, with its date where that matters: a deadline, or long ago.

    A task is marked as one: "Call Ann" alone might as well be something that was done.
    """
    if kind == "tasks":
        return f"To do: {item.text}" + (f" (due {item.due})" if item.due else "")
    day = _day(item.updated_at)
    if kind == "facts" and day and today - day > _OLD_AFTER:
        return words_of_item(item, f"told in {day:%Y-%m}")
    return words_of_item(item)


def words_of_item(item: MemoryItem, *notes: str) -> str:
    """The words of an item, with whom it is about and when it holds, unless the user and now."""
    about = f"about: {item.about}" if item.about else ""
    remarks = filter(None, (about, item.holds if item.holds != NOW else "", *notes))
    in_brackets = "; ".join(remarks)
    return f"{item.text} ({in_brackets})" if in_brackets else item.text


def _fitting(
    items: Sequence[KindItem], budget: int, words_of: Callable[[KindItem], str]
) -> list[KindItem]:
    """The items in order as long as they fit as they are shown; one too long is passed over."""
    fitting: list[KindItem] = []
    for entry in items:
        cost = _cost(words_of(entry))
        if cost <= budget:
            budget -= cost
            fitting.append(entry)
    return fitting


def _cost(entry: str) -> int:
    return estimate_tokens(entry) + _LINE_TOKENS


def _due(item: MemoryItem) -> date:
    """The day on which a task is due; without one it is never."""
    return _day(item.due) or date.max


def _day(text: str) -> date | None:
    """The day of an ISO date or time; None for what is none."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
