"""A day as the stand-in plans it, and as words change it."""

from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest

from rich_agent_sandbox.model.acting.scheduling import (
    Block,
    changed,
    day_to_plan,
    proposed,
    written_in,
)

NOW = datetime(2026, 11, 23, 8, 3)  # noqa: DTZ001 - the user's local time
DAY = NOW.date()
WANTED = [("Write the report", 120), ("Answer letters", 45), ("Call the bank", 20)]


def plan() -> list[Block]:
    """A day with three tasks, the first in two parts."""
    return proposed(WANTED, [], DAY, NOW)[0]


def starts(blocks: list[Block]) -> dict[str, str]:
    """Each title with its start."""
    return {block.title: f"{block.start:%H:%M}" for block in blocks}


def test_long_work_comes_first_in_parts_with_pauses() -> None:
    """No part is longer than 90 minutes, and 15 minutes lie between two blocks."""
    blocks = plan()
    assert starts(blocks) == {
        "Write the report (1/2)": "09:00",
        "Write the report (2/2)": "10:15",
        "Answer letters": "11:30",
        "Call the bank": "12:30",
    }
    assert all(b.start - a.end == timedelta(minutes=15) for a, b in pairwise(blocks))


def test_day_holds_six_hours_and_says_what_is_left() -> None:
    """Times that are scheduled already stay free."""
    taken = written_in("2026-11-23\n09:00–10:00 Stand-up")
    blocks, left = proposed([("A", 300), ("B", 90), ("C", 30)], taken, DAY, NOW)
    assert left == ["B"]
    assert f"{blocks[0].start:%H:%M}" == "10:15"


def test_day_that_has_begun_goes_on_from_now_and_a_late_one_tomorrow() -> None:
    """A day that is named counts more."""
    later = NOW.replace(hour=13, minute=50)
    assert starts(proposed([("A", 30)], [], DAY, later)[0]) == {"A": "14:00"}
    assert day_to_plan("Plan my day", NOW) == DAY
    assert day_to_plan("Plan my day", NOW.replace(hour=20)) == date(2026, 11, 24)
    assert day_to_plan("Plane morgen mit mir", NOW) == date(2026, 11, 24)


def test_list_is_read_back_as_it_was_written() -> None:
    """On the day that is named above it."""
    listed = "\n".join(["A plan for 2026-11-23:", *(block.line for block in plan()), "All right?"])
    assert written_in(listed) == plan()
    assert written_in("09:00–10:00 Without a day") == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I have a meeting at 11", {"Meeting": "11:00", "Write the report (2/2)": "13:05"}),
        ("Meeting with Bob at 11 for 30 minutes", {"Meeting with Bob": "11:00"}),
        ("11時に会議があります", {"会議": "11:00"}),
        ("Ich habe um 11 Uhr einen Zahnarzttermin", {"Zahnarzttermin": "11:00"}),
        ("Tengo una cita a las 11", {"Cita": "11:00"}),
        ("Swap the letters and the bank", {"Call the bank": "11:30", "Answer letters": "12:30"}),
        ("The letters at 16:00, please", {"Answer letters": "16:00"}),
        ("Can you move the report to 14:30?", {"Write the report (2/2)": "15:45"}),
    ],
)
def test_wish_moves_what_it_names_and_what_is_in_the_way(
    said: str, expected: dict[str, str]
) -> None:
    """In four languages; nothing overlaps afterwards."""
    after = changed(plan(), said)
    assert expected.items() <= starts(after).items()
    assert all(a.end <= b.start for a, b in pairwise(after))


def test_block_is_dropped_or_made_longer_and_other_words_change_nothing() -> None:
    """Approval and questions are no changes."""
    assert "Call the bank" not in starts(changed(plan(), "Drop the bank"))
    (bank,) = [b for b in changed(plan(), "bank takes 40 minutes") if "bank" in b.title]
    assert bank.length == timedelta(minutes=40)
    for said in ("Yes, that works", "What is a validator?", "はい"):
        assert changed(plan(), said) == plan()
