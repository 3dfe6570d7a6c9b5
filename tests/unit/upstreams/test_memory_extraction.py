"""Lessons that models write about a message are read as far as they can be."""

from typing import Any

import pytest
from pydantic import ValidationError

from rich_agent.domain.memory.merging import Learned
from rich_agent.upstreams.models.memory_extraction import LearnedAboutUser


@pytest.mark.parametrize(
    ("written", "learned"),
    [
        ({}, []),
        ({"facts": None, "mood": "fine"}, []),
        ({"facts": ["Lives in Rome"]}, [Learned("facts", "Lives in Rome")]),
        (
            {"facts": [{"text": "Lives in Rome", "topic": None, "action": "update"}]},
            [Learned("facts", "Lives in Rome")],
        ),
        (
            {"tasks": [{"text": "Pay", "topic": "bill", "action": "replace", "due": "2026-01-02"}]},
            [Learned("tasks", "Pay", "", "replace", "2026-01-02")],
        ),
        (
            {"facts": [{"text": "In Rom", "topic": "Residence", "about": "Frau", "number": "#3"}]},
            [Learned("facts", "In Rom", "residence", about="Frau", number=3)],
        ),
        (
            {"facts": [{"text": "x", "about": "User", "holds": "PLANNED", "number": "third"}]},
            [Learned("facts", "x", holds="planned")],
        ),
        (
            {"facts": [{"text": "x", "about": {"who": "me"}, "holds": "soon", "number": 9**99}]},
            [Learned("facts", "x")],
        ),
        (
            {"preferences": [{"text": "用法语", "topic": "language", "language": "FR-fr"}]},
            [Learned("preferences", "用法语", "language", language="fr")],
        ),
        (
            {"tasks": [{"action": "remove", "number": "2"}]},
            [Learned("tasks", "", action="remove", number=2)],
        ),
        ({"tasks": [{"text": "Pay\x00", "due": None}]}, [Learned("tasks", "Pay")]),
    ],
)
def test_learned_about_user_takes_what_small_models_write(
    written: dict[str, Any], learned: list[Learned]
) -> None:
    """Nulls, bare texts and actions of their own cost no memory."""
    assert list(LearnedAboutUser.model_validate(written).items()) == learned


def test_learned_about_user_drops_an_item_that_is_none_alone() -> None:
    """The others are learned."""
    written = {"facts": [None, {"text": "Has a cat"}, 7], "tasks": "Pay"}
    learned = LearnedAboutUser.model_validate(written).items()
    assert [item.text for item in learned] == ["Has a cat", "Pay"]


@pytest.mark.parametrize("written", [[], "Lives in Rome", 7])
def test_learned_about_user_refuses_what_says_nothing(written: object) -> None:
    """Then it is asked for again."""
    with pytest.raises(ValidationError):
        LearnedAboutUser.model_validate(written)
