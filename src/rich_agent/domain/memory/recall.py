"""Which memories a prompt contains: all while they are few, then the nearest that fit."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from rich_agent.domain.memory.items import NOW, LongTermMemory, MemoryItem, MemoryKind, mark_of
from rich_agent.domain.retrieval.search_terms import languages_in, terms_in
from rich_agent.domain.text import estimate_tokens

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
    """The user's preferences for answers, and the facts known about them, as models are told."""

    preferences: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()


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

    def shown(found: KindItem) -> str:
        return entry_of(*found, today)

    share = 1.0 if fits(memory, today, budget) else _PREFERENCE_SHARE
    preferences = _fitting(
        [("preferences", item) for item in reversed(memory.preferences)],
        round(budget * share),
        shown,
    )
    place = {mark: index for index, mark in enumerate(nearest)}
    open_items = [
        (kind, item)
        for kind, item in memory
        if kind != "preferences" and item.origin == "user" and today - _due(item) <= _LONG_OVERDUE
    ]
    wanted = sorted(
        open_items,
        key=lambda found: (
            _due(found[1]) - today > _SOON,
            place.get(mark_of(*found), len(place)),
        ),
    )
    left = budget - sum(_cost(shown(found)) for found in preferences)
    entries = _fitting(wanted, left, shown)
    return Recalled(
        tuple(map(shown, reversed(preferences))),
        tuple(shown(found) for found in open_items if found in entries),
    )


def open_to_change(memory: LongTermMemory, text: str, budget: int) -> list[KindItem]:
    """Return the items that a message may change, within `budget` tokens.

    Items that share words with it come first, then tasks, which may be done in words of their own,
    then the newest.
    """
    languages = languages_in(text)
    said = terms_in(text, languages)

    def place(found: KindItem) -> bool:
        return found[0] != "tasks" and not said & terms_in(found[1].text, languages)

    own = [found for found in memory if found[1].origin == "user"]
    ordered = sorted(by_nearness(own, {}, text), key=place)
    return _fitting(ordered, budget, lambda found: f"{found[0]} {told_of(found[1])}")


def by_nearness(
    items: Iterable[KindItem], nearness: Mapping[str, float], text: str
) -> list[KindItem]:
    """Nearest by meaning first; those whose mark is not in `nearness` follow.

    Among equals those come first that share more words with the text, then the newest.
    """
    languages = languages_in(text)
    said = terms_in(text, languages)
    newest_first = sorted(items, key=lambda found: found[1].updated_at, reverse=True)
    return sorted(
        newest_first,
        key=lambda found: (
            -nearness.get(mark_of(*found), -2.0),
            -len(said & terms_in(found[1].text, languages)),
        ),
    )


def entry_of(kind: MemoryKind, item: MemoryItem, today: date) -> str:
    """An item as a prompt shows it, with its date where that matters: a deadline, or long ago.

    A task is marked as one: "Call Ann" alone might as well be something that was done.
    """
    if kind == "tasks":
        return f"To do: {item.text}" + (f" (due {item.due})" if item.due else "")
    told = _day(item.updated_at)
    if kind == "facts" and told and today - told > _OLD_AFTER:
        return told_of(item, f"told in {told:%Y-%m}")
    return told_of(item)


def told_of(item: MemoryItem, *notes: str) -> str:
    """The words of an item, with whom it is about and when it holds, unless the user and now."""
    about = f"about: {item.about}" if item.about else ""
    noted = filter(None, (about, item.holds if item.holds != NOW else "", *notes))
    in_brackets = "; ".join(noted)
    return f"{item.text} ({in_brackets})" if in_brackets else item.text


def _fitting(
    items: Sequence[KindItem], budget: int, shown: Callable[[KindItem], str]
) -> list[KindItem]:
    """The items in order as long as they fit as they are shown; one too long is passed over."""
    kept: list[KindItem] = []
    for found in items:
        cost = _cost(shown(found))
        if cost <= budget:
            budget -= cost
            kept.append(found)
    return kept


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
