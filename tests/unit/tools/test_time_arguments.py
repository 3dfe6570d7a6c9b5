"""Times of calls that wait for approval, in words."""

from datetime import UTC, datetime

import pytest

from rich_agent.domain.approving.written_out import escape_invisible
from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.times import Clocks
from rich_agent.tools.time_arguments import say_time_argument

CLOCKS = Clocks("en", "Europe/Berlin", datetime(2026, 11, 26, 7, tzinfo=UTC))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("when", "PT180M", "in 3 hours"),
        ("when", "2026-11-27T08:00", "Fri, 27 Nov, 8:00"),
        ("when", "2026-11-30T09:00 RRULE:FREQ=WEEKLY", "Mon, 30 Nov, 9:00 · every week"),
        (
            "when",
            "2026-11-30T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO,TH",
            "Mon, 30 Nov, 9:00 · every week (Mon, Thu)",
        ),
        ("when", "2026-11-30T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO", "Mon, 30 Nov, 9:00 · every week"),
        (
            "when",
            "2026-11-30T09:00 RRULE:FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=30",
            "Mon, 30 Nov, 9:00 · every 2 months",
        ),
        (
            "when",
            "2026-11-30T09:00 RRULE:FREQ=DAILY;BYDAY=MO",
            "Mon, 30 Nov, 9:00 · every day (Mon)",
        ),
        (
            "when",
            "2026-11-30T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3",
            "Mon, 30 Nov, 9:00 · every week × 3",
        ),
        (
            "when",
            "2026-11-30T09:00 RRULE:FREQ=DAILY;UNTIL=20261231T120000",
            "Mon, 30 Nov, 9:00 · every day … Thu, 31 Dec",
        ),
        (
            "when",
            "2026-11-27T09:00 RRULE:FREQ=MONTHLY;BYDAY=-1FR",
            "Fri, 27 Nov, 9:00 · every month (Fri, 27 Nov; Fri, 25 Dec; Fri, 29 Jan 2027 …)",
        ),
        (
            "when",
            "2026-11-27T09:00 RRULE:FREQ=DAILY;BYHOUR=9,21;COUNT=2",
            "Fri, 27 Nov, 9:00 · every day (Fri, 27 Nov, 9:00; Fri, 27 Nov, 21:00) × 2",
        ),
        ("recurrence", "RRULE:freq=weekly;byday=mo", "every week (Mon)"),
        ("recurrence", "FREQ=DAILY", "every day"),
        ("recurrence", "now and then", ""),
        ("recurrence", "", ""),
        ("when", "at dawn", ""),
        ("due_date", "2027-03-01", "Mon, 1 Mar 2027"),
        ("start_time", "08:30", "8:30"),
        ("duration_minutes", 90, "1 hr 30 mins"),
        ("time_zone", "Asia/Tokyo", "Tokyo"),
        ("time_zone", "Atlantis", ""),
        ("text", "2026-11-27", ""),
        ("due_date", None, ""),
    ],
)
def test_time_of_a_card_is_in_words(name: str, value: object, said: str) -> None:
    """By its date, as a card may be read days later; no rule is shown as programs write it."""
    assert say_time_argument(name, value, CLOCKS) == said


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_time_of_a_card_has_no_sign_that_a_card_writes_out(locale: str) -> None:
    """French durations have a space that does not break, which was shown as an escape."""
    clocks = Clocks(locale, "Europe/Berlin", datetime(2026, 11, 26, 7, tzinfo=UTC))
    values = {"duration_minutes": 150, "start_time": "14:30", "when": "2026-12-27T08:00"}
    for name, value in values.items():
        said = say_time_argument(name, value, clocks)
        assert said
        assert escape_invisible(said) == said
