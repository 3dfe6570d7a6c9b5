"""Changes of a task and of its entry, and what becomes of them."""

from typing import Any

import pytest

from rich_agent.features.calendars.task_lists.entries import GONE, Sides, Verdict

BASE: dict[str, Any] = {"title": "A", "status": "todo", "recurrence": ""}


@pytest.mark.parametrize(
    ("mine", "theirs", "verdict"),
    [
        ({}, {}, "same"),
        ({"title": "B"}, {}, "push"),
        ({}, {"title": "B"}, "take"),
        ({"title": "B"}, {"title": "B"}, "agree"),
        ({"title": "B"}, {"title": "C"}, "replace"),
        ({"title": "B"}, {"status": "done"}, "replace"),
        ({"recurrence": None}, {}, "same"),
        (GONE, {}, "push"),
        ({}, GONE, "take"),
        (GONE, GONE, "take"),
        (GONE, {"title": "B"}, "replace"),
        ({"title": "B"}, GONE, "replace"),
    ],
)
def test_sides_replace_only_what_was_changed_differently(
    mine: dict[str, Any], theirs: dict[str, Any], verdict: Verdict
) -> None:
    """One side's change is taken or pushed; what both did alike needs nothing."""
    assert Sides(BASE, {**BASE, **mine}, BASE, {**BASE, **theirs}).weigh() == verdict
