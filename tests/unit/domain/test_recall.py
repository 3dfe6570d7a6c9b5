"""Which memories a prompt holds."""

from dataclasses import replace
from datetime import date

import pytest

from rich_agent.domain.memory.items import (
    LongTermMemory,
    MemoryItem,
    by_nearness,
    fits,
    mark_of,
    open_to_change,
    recall,
)
from rich_agent.domain.text import estimate_tokens

TODAY = date(2026, 1, 10)


def item(text: str, day: str = "2026-01-01", due: str = "") -> MemoryItem:
    """Something told on a day."""
    return MemoryItem(text, "r", day, due=due)


MANY = LongTermMemory(
    facts=tuple(item(f"Fact number {n}, of some length", f"2026-01-0{n}") for n in range(1, 10)),
    preferences=(item("Answer in German"), item("Prefers short answers")),
    tasks=(item("Renew the passport", due="2026-01-12"), item("Paint the house")),
)


@pytest.mark.req("MEM-5")
def test_recall_takes_preferences_then_due_tasks_then_the_nearest() -> None:
    """Within the budget, whatever is left out; in the order in which it was told."""
    nearest = [mark_of("facts", MANY.facts[4]), mark_of("facts", MANY.facts[1])]
    budget = 46
    recalled = recall(MANY, nearest, TODAY, budget)
    assert recalled.preferences == ("Answer in German", "Prefers short answers")
    assert recalled.entries == (
        "Fact number 2, of some length",
        "Fact number 5, of some length",
        "To do: Renew the passport (due 2026-01-12)",
    )
    told = [*recalled.preferences, *recalled.entries]
    assert sum(estimate_tokens(entry) for entry in told) <= budget
    assert not fits(MANY, TODAY, budget)


def test_recall_holds_everything_that_fits() -> None:
    """Nothing is searched or left out while memories are few."""
    assert fits(MANY, TODAY, 1_000)
    recalled = recall(MANY, [], TODAY, 1_000)
    assert len(recalled.preferences) + len(recalled.entries) == len(list(MANY))


def test_recall_is_bounded_by_the_budget_whatever_is_stored() -> None:
    """Preferences alone do not use it up, and long items are passed over."""
    memory = LongTermMemory(
        facts=(item("x" * 10_000), item("Has a cat")),
        preferences=tuple(item(f"Likes dish number {n} with rice") for n in range(100)),
    )
    recalled = recall(memory, [], TODAY, 100)
    assert recalled.entries == ("Has a cat",)
    assert recalled.preferences[-1] == "Likes dish number 99 with rice"
    assert sum(estimate_tokens(entry) for entry in recalled.preferences) <= 40


def test_recall_dates_what_is_old_and_drops_what_is_long_overdue() -> None:
    """A fact of last year says so; a task of months ago is not brought up."""
    memory = LongTermMemory(
        facts=(item("Lives in Oslo", "2025-01-05T10:00:00+00:00"),),
        tasks=(item("Pay", due="2025-09-01"), item("Sign", due="2026-01-01")),
    )
    assert recall(memory, [], TODAY, 1_000).entries == (
        "Lives in Oslo (told in 2025-01)",
        "To do: Sign (due 2026-01-01)",
    )


def test_recall_tells_whom_a_fact_is_about_and_when_it_holds() -> None:
    """A small model writes "Lives in Rome" of the user's wife too."""
    rome = MemoryItem("Lives in Rome", "r", "2026-01-01", "residence")
    memory = LongTermMemory(
        facts=(rome, replace(rome, about="wife"), replace(rome, about="son", holds="planned"))
    )
    assert recall(memory, [], TODAY, 1_000).entries == (
        "Lives in Rome",
        "Lives in Rome (about: wife)",
        "Lives in Rome (about: son; planned)",
    )


def test_open_to_change_shows_what_a_message_may_be_about() -> None:
    """Shared words first, then tasks, and no more than fits."""
    shown = open_to_change(MANY, "Fact number 3 is wrong", 40)
    assert shown[0] == ("facts", MANY.facts[2])
    assert open_to_change(MANY, "I did it", 40)[:2] == [("tasks", task) for task in MANY.tasks]
    assert sum(estimate_tokens(found.text) for _, found in shown) <= 40
    assert len(open_to_change(MANY, "", 1_000)) == 13


def test_by_nearness_puts_items_without_a_vector_last_by_words() -> None:
    """Even an opposite vector is nearer than none."""
    facts = [item("Has a dog"), item("Grows tomatoes"), item("Plays chess")]
    items = [("facts", fact) for fact in facts]
    ordered = by_nearness(items, {mark_of("facts", facts[2]): -0.9}, "tomatoes")  # type: ignore[arg-type]  # facts are a kind
    assert [found.text for _, found in ordered] == ["Plays chess", "Grows tomatoes", "Has a dog"]
