"""Cards of what a session gave: any shape, bounded, and a schedule as a day."""

from datetime import date
from typing import Any

import pytest

from rich_agent.features.session.cards import MOST_LINES, data_card
from rich_agent.features.session.tools import read_day

TODAY = date(2026, 11, 23)


def nested(depth: int) -> Any:
    """A list in a list in a list."""
    data: Any = "bottom"
    for _ in range(depth):
        data = [data, {"deeper": data}] if depth < 20 else [data]
    return data


def test_card_shows_texts_lists_and_objects() -> None:
    """Objects of plain values in a list are a line each."""
    data = {"wins": ["Shipped", {"what": "Rested", "for": 2}], "next_step": "Write"}
    assert data_card("Plan", data).splitlines() == [
        *("**Plan**", "", "- wins:", "  - Shipped", "  - Rested · 2", "- next step: Write")
    ]
    assert data_card("Plan", "one\n\n two ") == "**Plan**\n\n- one\n- two"


@pytest.mark.parametrize(
    "data",
    [nested(12), nested(900), ["x"] * 5_000, "line\n" * 5_000, {"k" * 9_000: "v" * 90_000}],
    ids=["branching", "deep", "many", "long", "wide"],
)
def test_card_of_any_data_is_bounded(data: Any) -> None:
    """Whatever a model makes up."""
    lines = data_card("Plan", data).splitlines()
    assert len(lines) <= MOST_LINES + 3
    assert max(map(len, lines)) < 420


def test_saved_schedule_is_read_in_the_form_that_is_asked_for() -> None:
    """With a length or an end, an unknown kind as work; a bare list is of today."""
    blocks = [
        {"start_time": "9:00", "duration_minutes": 30, "title": "A", "note": "?"},
        {"start_time": "10:00", "end_time": "11:15", "title": "B", "block_type": "deep work"},
        {"start_time": "23:00", "end_time": "01:00", "title": "C", "block_type": "personal"},
    ]
    day = read_day({"date": "2026-12-01", "blocks": blocks}, TODAY)
    assert day is not None
    assert day.day == date(2026, 12, 1)
    assert day.lines() == ["09:00–09:30 A", "10:00–11:15 B", "23:00–24:00 C"]
    assert [block.kind for block in day.blocks] == ["work", "work", "personal"]
    listed = read_day(blocks, TODAY)
    assert listed is not None
    assert listed.day == TODAY


@pytest.mark.parametrize(
    "data",
    [
        "09:00 Research",
        [],
        {},
        ["09:00 Research"],
        {"morning": "Research"},
        {"blocks": [{"title": "no time"}]},
        {"blocks": [{"start_time": "soon", "duration_minutes": 5}]},
        {"blocks": [{"start_time": "09:00"}]},
        {"blocks": [{"start_time": "09:00", "duration_minutes": 0}]},
        {"date": "someday", "blocks": [{"start_time": "09:00", "duration_minutes": 5}]},
        nested(900),
    ],
)
def test_schedule_in_another_form_is_not_drawn(data: Any) -> None:
    """Nothing is guessed from words."""
    assert read_day(data, TODAY) is None
