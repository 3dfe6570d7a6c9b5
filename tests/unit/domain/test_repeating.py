"""When a recurring task is due again."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rich_agent.domain.time.day_rules import check_day_rule, next_occurrence
from rich_agent.domain.time.wall_time import TimeRefusedError

MONDAY = date(2026, 3, 2)


@pytest.mark.parametrize(
    ("rule", "due", "today", "expected"),
    [
        ("FREQ=DAILY", MONDAY, MONDAY, (date(2026, 3, 3), "FREQ=DAILY")),
        # Done early, it is due after its own day; done late, after today.
        ("FREQ=WEEKLY", date(2026, 3, 9), MONDAY, (date(2026, 3, 16), "FREQ=WEEKLY")),
        ("FREQ=WEEKLY", date(2026, 2, 16), MONDAY, (date(2026, 3, 9), "FREQ=WEEKLY")),
        # On another day than the rule's: the rule's next day.
        ("FREQ=WEEKLY;BYDAY=FR", MONDAY, MONDAY, (date(2026, 3, 6), "FREQ=WEEKLY;BYDAY=FR")),
        (
            "FREQ=MONTHLY;BYMONTHDAY=31",
            date(2026, 3, 31),
            date(2026, 3, 31),
            (date(2026, 4, 30), "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ),
        (
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
            date(2024, 2, 29),
            MONDAY,
            (date(2027, 2, 28), "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"),
        ),
        ("FREQ=DAILY;COUNT=3", MONDAY, MONDAY, (date(2026, 3, 3), "FREQ=DAILY;COUNT=2")),
        ("FREQ=DAILY;COUNT=1", MONDAY, MONDAY, None),
        # A day that was missed counts.
        ("FREQ=DAILY;COUNT=3", date(2026, 3, 1), MONDAY, (date(2026, 3, 3), "FREQ=DAILY;COUNT=1")),
        ("FREQ=DAILY;COUNT=3", date(2026, 2, 28), MONDAY, None),
        ("FREQ=DAILY;UNTIL=20260302T235959", MONDAY, MONDAY, None),
    ],
)
def test_next_occurrence_is_after_the_due_date_and_after_today(
    rule: str, due: date, today: date, expected: tuple[date, str] | None
) -> None:
    """With the rule that goes on from there."""
    assert next_occurrence(rule, due, today) == expected


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", ""),
        ("  ", ""),
        ("RRULE:freq=weekly;byday=mo,fr", "FREQ=WEEKLY;BYDAY=MO,FR"),
        ("FREQ=DAILY;UNTIL=20261224", "FREQ=DAILY;UNTIL=20261224T235959"),
    ],
)
def test_rule_of_a_task_is_kept_in_its_normal_form(text: str, rule: str) -> None:
    """Without a time of day but the end of the last day."""
    assert check_day_rule(text) == rule


@pytest.mark.parametrize(
    "text",
    [
        "every Monday",
        "FREQ=HOURLY",
        "FREQ=DAILY;BYHOUR=9",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;" * 100,
    ],
)
def test_rule_that_fits_no_task_is_refused(text: str) -> None:
    """Before anything is done for it."""
    with pytest.raises(TimeRefusedError):
        check_day_rule(text)


@given(st.text(max_size=80))
def test_no_text_breaks_the_check_of_a_rule(text: str) -> None:
    """It is a rule that can be followed, or refused."""
    try:
        rule = check_day_rule(text)
    except TimeRefusedError:
        return
    assert rule == "" or next_occurrence(rule, MONDAY, MONDAY) is not None
