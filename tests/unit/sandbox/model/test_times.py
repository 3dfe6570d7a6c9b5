from datetime import date, datetime, time, timedelta

import pytest

from rich_agent_sandbox.model.language.days import now_in
from rich_agent_sandbox.model.language.times import When, read_when

FRIDAY = date(2026, 11, 20)
SATURDAY, SUNDAY = date(2026, 11, 21), date(2026, 11, 22)
MONDAY, TUESDAY = date(2026, 11, 23), date(2026, 11, 24)


def local(day: date, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    """A moment in the user's own time."""
    return datetime.combine(day, time(hour, minute, second))


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("tomorrow at 9", When(SATURDAY, time(9))),
        ("明日の9時に", When(SATURDAY, time(9))),
        ("morgen um 9", When(SATURDAY, time(9))),
        ("mañana a las 9", When(SATURDAY, time(9))),
        ("tomorrow morning", When(SATURDAY, time(9))),
        ("明日の朝、", When(SATURDAY, time(9))),
        ("mañana por la tarde", When(SATURDAY, time(15))),
        ("the day after tomorrow", When(SUNDAY)),
        ("übermorgen", When(SUNDAY)),
        ("明後日までに", When(SUNDAY)),
        ("by Monday", When(MONDAY)),
        ("bis Montag", When(MONDAY)),
        ("el lunes", When(MONDAY)),
        ("来週の火曜の10時半に", When(TUESDAY, time(10, 30))),
        ("next week on Tuesday at 3:15 pm", When(TUESDAY, time(15, 15))),
        ("on Friday", When(date(2026, 11, 27))),
        ("tonight", When(FRIDAY, time(21))),
        ("today at 3", When(FRIDAY, time(15))),
        ("today at 11", When(FRIDAY, time(11))),
        ("on November 30", When(date(2026, 11, 30))),
        ("30 November 2027", When(date(2027, 11, 30))),
        ("am 3.1.", When(date(2027, 1, 3))),
        ("el 30 de noviembre", When(date(2026, 11, 30))),
        ("12月24日の18時", When(date(2026, 12, 24), time(18))),
        ("2026-12-01", When(date(2026, 12, 1))),
        ("in 30 minutes", When(offset=timedelta(minutes=30))),
        ("2時間後に", When(offset=timedelta(hours=2))),
        ("in half an hour", When(offset=timedelta(minutes=30))),
        ("en 3 días", When(offset=timedelta(days=3))),
        ("every Monday at 8:30", When(None, time(8, 30), "FREQ=WEEKLY;BYDAY=MO")),
        ("every Monday and Thursday", When(rule="FREQ=WEEKLY;BYDAY=MO,TH")),
        ("毎週月曜の午後3時に", When(None, time(15), "FREQ=WEEKLY;BYDAY=MO")),
        ("jeden Dienstag um 7 Uhr", When(None, time(7), "FREQ=WEEKLY;BYDAY=TU")),
        ("cada día", When(rule="FREQ=DAILY")),
        ("every morning", When(None, time(9), "FREQ=DAILY")),
        ("毎朝", When(None, time(9), "FREQ=DAILY")),
        ("every 2 weeks", When(rule="FREQ=WEEKLY;INTERVAL=2")),
        ("every month on the 1st", When(rule="FREQ=MONTHLY;BYMONTHDAY=1")),
        ("毎月15日の10時に", When(None, time(10), "FREQ=MONTHLY;BYMONTHDAY=15")),
        ("平日の8時に", When(None, time(8), "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")),
        ("at 25:70 or on the 31 February", When()),
    ],
)
def test_read_when_understands_four_languages(said: str, when: When) -> None:
    """Days, times, lengths from now, and repetitions, as seen from a Friday."""
    assert read_when(said, FRIDAY)[0] == when


def test_read_when_leaves_the_rest_of_the_text() -> None:
    """The words that were read are gone from it; a month and a number in a title stay."""
    assert read_when("Call Anna tomorrow at 9 about March", FRIDAY)[1].split() == [
        *("Call", "Anna", "about", "March")
    ]


def test_read_when_needs_today_for_what_is_said_as_seen_from_it() -> None:
    """A date that is written out needs none."""
    assert read_when("tomorrow", None) == (When(), "tomorrow")
    assert read_when("2026-12-01 at 9", None)[0] == When(date(2026, 12, 1), time(9))


def test_moment_is_the_next_one() -> None:
    """A time that is over today is tomorrow's; a day without a time is at nine."""
    now = local(FRIDAY, 14, 5, 30)
    assert When(at=time(15)).moment(now) == local(FRIDAY, 15)
    assert When(at=time(9)).moment(now) == local(SATURDAY, 9)
    assert When(MONDAY).moment(now) == local(MONDAY, 9)
    assert When(offset=timedelta(minutes=30)).moment(now) == local(FRIDAY, 14, 35)
    assert When(rule="FREQ=WEEKLY;BYDAY=TU", at=time(8)).moment(now) == local(TUESDAY, 8)
    assert When().moment(now) is None


@pytest.mark.parametrize(
    ("instructions", "now"),
    [
        ("You help. Today is Friday, 2026-11-20.", local(FRIDAY)),
        ("Current date and time: 2026-11-20 14:05 (Europe/Berlin)", local(FRIDAY, 14, 5)),
        ("It is now 2026-11-20T08:30:00.", local(FRIDAY, 8, 30)),
        ("Today is 2026-11-20. Where you are, it is now 2026-11-21 00:05.", local(SATURDAY, 0, 5)),
        ("The rules are from 2020-01-01.", None),
    ],
)
def test_now_is_read_from_any_prompt(instructions: str, now: datetime | None) -> None:
    """With its time where one is given."""
    assert now_in(instructions) == now
