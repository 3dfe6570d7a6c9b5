"""Merging what a turn taught into what is remembered."""

import pytest

from rich_agent.domain.memory import (
    LongTermMemory,
    MemoryChanges,
    MemoryItem,
    Occasion,
    may_teach,
    merge,
)

AT = Occasion("tg:1", "2026-01-01T00:00:00+00:00")
OSLO = LongTermMemory(facts=(MemoryItem("Lives in Oslo", "tg:0", "2025-01-01T00:00:00+00:00"),))


@pytest.mark.req("MEM-4")
def test_merge_replaces_what_no_longer_holds() -> None:
    """Moving to Rome retracts Oslo."""
    merged = merge(OSLO, MemoryChanges(facts=("Lives in Rome",), retract=("Lives in Oslo",)), AT)
    assert [item.text for item in merged.facts] == ["Lives in Rome"]


@pytest.mark.req("DUR-2")
def test_merge_twice_adds_nothing() -> None:
    """A node that runs again leaves the same memory."""
    changes = MemoryChanges(
        facts=("Lives in Rome",), tasks=("Call Ann",), retract=("lives in oslo.",)
    )
    once = merge(OSLO, changes, AT)
    assert merge(once, changes, AT) == once


@pytest.mark.req("MEM-4")
def test_to_json_has_exactly_the_four_keys() -> None:
    """The stored keys are those that were agreed on."""
    assert set(OSLO.to_json()) == {"facts", "preferences", "tasks", "conversation_summary"}
    assert LongTermMemory.from_json(OSLO.to_json()) == OSLO


@pytest.mark.parametrize(
    ("text", "teaches"),
    [
        ("I live in Oslo", True),
        ("call me Ann", True),
        ("私は東京に住んでいます", True),
        ("Меня зовут Анна", True),
        ("Ich wohne in Rom", True),
        ("Please answer in French", True),
        ("What is proof of history?", False),
        ("資金調達とは何ですか？", False),
    ],
)
def test_may_teach_spares_questions_the_memory_call(text: str, teaches: bool) -> None:  # noqa: FBT001 - a table
    """Only a message about its writer is worth asking a model."""
    assert may_teach(text) is teaches
