"""When reminders come: on the clocks of six time zones, and whatever rule somebody writes."""

# ruff: noqa: DTZ001 - what clocks show has no offset

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr

from rich_agent.domain.time.recurrence import check_rule, in_short_months, occurrences
from rich_agent.domain.time.wall_time import (
    TimeRefusedError,
    instant_of,
    local_of,
)
from rich_agent.domain.time.when import first_after, is_from_now, read_when
from rich_agent.domain.time.zones import zone_named, zones_like

ZONES = (
    *("Asia/Tokyo", "Europe/Berlin", "America/New_York", "America/Sao_Paulo"),
    *("Australia/Lord_Howe", "Asia/Kathmandu"),
)
START = datetime(2026, 1, 1)
QUARTER = timedelta(minutes=15)
NOW = datetime(2026, 11, 22, 19, 30, tzinfo=UTC)


@cache
def shown(zone: str) -> Sequence[tuple[datetime, datetime]]:
    """Each quarter of an hour of two years: the instant, and what clocks in the zone show."""
    info, begin = ZoneInfo(zone), datetime(2025, 12, 31, tzinfo=UTC)
    instants = [begin + step * QUARTER for step in range(733 * 96)]
    return [(at, at.astimezone(info).replace(tzinfo=None, fold=0)) for at in instants]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("clock", [time(0, 15), time(1, 30), time(2, 0), time(2, 30), time(9, 0)])
def test_daily_reminder_comes_when_clocks_show_its_time(zone: str, clock: time) -> None:
    """Over two years: once a day, the first time of two, and after a gap of clocks behind it."""
    seen: dict[object, datetime] = {}
    for instant, local in shown(zone):
        if local.time() == clock:
            seen.setdefault(local.date(), instant)
    start = datetime.combine(START, clock)
    for local in islice(occurrences("FREQ=DAILY", start, start), 730):
        instant = instant_of(local, zone)
        if local.date() in seen:
            assert instant == seen[local.date()]
        else:
            gap = local_of(instant, zone) - local
            assert gap in {timedelta(minutes=30), timedelta(hours=1)}
            assert (
                instant.astimezone(ZoneInfo(zone)).utcoffset()
                != (instant - gap - QUARTER).astimezone(ZoneInfo(zone)).utcoffset()
            )


def test_gaps_and_folds_are_in_these_two_years() -> None:
    """The years that the test above walks through have days without its times, and twice."""
    times = [local for _, local in shown("Europe/Berlin")]
    assert datetime(2026, 3, 29, 2, 30) not in times
    assert times.count(datetime(2026, 10, 25, 2, 30)) == 2


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=MINUTELY;INTERVAL=1",
        "FREQ=HOURLY;BYMINUTE=0,1,2",
        "FREQ=DAILY;BYSECOND=1,2,3",
        "FREQ=DAILY;COUNT=99999999",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=3;UNTIL=20270101",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=YEARLY;BYEASTER=0",
        "FREQ=DAILY;FREQ=YEARLY",
        "FREQ=HOURLY;INTERVAL=24;BYHOUR=9",
        "FREQ=DAILY;UNTIL=20261332",
        "FREQ=YEARLY;BYSETPOS=999",
        "FREQ=DAILY;BYHOUR=" + ",".join(["9"] * 200),
        "BYHOUR=9",
        "FREQ=DAILY;BYDAY=99XX",
    ],
)
def test_hostile_rule_is_refused_before_any_work(rule: str) -> None:
    """Rules that repeat too often, contradict themselves or cannot be read."""
    with pytest.raises(TimeRefusedError):
        check_rule(rule, datetime(2026, 11, 23, 8), "Europe/Berlin")


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
        "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=5",
        "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
        "FREQ=HOURLY;INTERVAL=168;BYDAY=TU",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;UNTIL=20251231",
        "FREQ=HOURLY;UNTIL=20261123T000000Z",
    ],
)
def test_rule_that_never_comes_is_found_out(rule: str) -> None:
    """The search ends, and there is nothing: an unbounded one takes minutes."""
    start = datetime(2026, 11, 23, 8)
    checked = check_rule(rule, start, "Europe/Berlin")
    assert first_after(checked, start, "Europe/Berlin", NOW) is None


@pytest.mark.parametrize(
    ("rule", "following"),
    [
        ("FREQ=MONTHLY;BYDAY=-1FR", datetime(2026, 11, 27, 8)),
        ("freq=weekly;interval=2;byday=tu,th", datetime(2026, 11, 24, 8)),
        ("RRULE:FREQ=DAILY;BYHOUR=21;BYMINUTE=30", datetime(2026, 11, 23, 21, 30)),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", datetime(2027, 2, 28, 8)),
        ("FREQ=DAILY;UNTIL=20261123T070000Z", datetime(2026, 11, 23, 8)),
        ("FREQ=DAILY;COUNT=2", datetime(2026, 11, 23, 8)),
    ],
)
def test_rule_begins_with_its_first_time(rule: str, following: datetime) -> None:
    """In any case of letters, with and without its name; UNTIL in UTC is local here."""
    start = datetime(2026, 11, 23, 8)
    checked = check_rule(rule, start, "Europe/Berlin")
    assert first_after(checked, start, "Europe/Berlin", NOW) == following


SHORT = (
    ("FREQ=MONTHLY;BYMONTHDAY=31", (1, 31), ["01-31", "02-28", "03-31", "04-30", "05-31"]),
    ("FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3", (1, 31), ["01-31", "02-28", "03-31"]),
    ("FREQ=MONTHLY", (1, 31), ["01-31", "02-28", "03-31", "04-30"]),
    ("FREQ=MONTHLY", (1, 30), ["01-30", "02-28", "03-30", "04-30"]),
    ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=30", (11, 30), ["11-30", "02-28", "05-30"]),
    ("FREQ=MONTHLY;BYMONTHDAY=29;BYHOUR=9", (1, 29), ["01-29", "02-28", "03-29"]),
    ("FREQ=MONTHLY", (1, 28), ["01-28", "02-28", "03-28"]),
    ("FREQ=MONTHLY;BYMONTHDAY=15,31", (1, 15), ["01-15", "01-31", "02-15", "02-28"]),
    ("FREQ=MONTHLY;BYMONTHDAY=+31", (1, 31), ["01-31", "02-28", "03-31"]),
    ("FREQ=MONTHLY;BYDAY=5FR", (1, 30), ["01-30", "05-29", "07-31"]),
)


@pytest.mark.parametrize(("rule", "day", "days"), SHORT)
def test_rule_comes_on_the_last_day_of_months_that_are_too_short(
    rule: str, day: tuple[int, int], days: list[str]
) -> None:
    """The only late day of a rule; other days, and weekdays, come as they are written."""
    start = datetime(2026, *day, 8)
    times = occurrences(check_rule(rule, start, "UTC"), start, start)
    assert [f"{time:%m-%d}" for time in islice(times, len(days))] == days


@pytest.mark.parametrize("rule", ["FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"])
def test_rule_of_29_february_comes_every_year(rule: str) -> None:
    """On the 28th where the year has no 29th."""
    start = datetime(2028, 2, 29, 8)
    years = [f"{time:%Y-%m-%d}" for time in islice(occurrences(rule, start, start), 5)]
    assert years == ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]


@pytest.mark.parametrize("rule", ["FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=MONTHLY"])
def test_rule_that_came_on_a_short_month_keeps_its_day(rule: str) -> None:
    """From 28 February on, the next is 31 March; other programs read the same."""
    start, since = datetime(2026, 1, 31, 8), datetime(2026, 2, 28, 8)
    expected = [since, datetime(2026, 3, 31, 8)]
    assert list(islice(occurrences(rule, start, since), 2)) == expected
    standard = rrulestr(in_short_months(rule, start), dtstart=since)
    assert list(islice(standard, 2)) == expected


def test_occurrences_are_the_same_from_any_of_them_on() -> None:
    """So that nobody has to count from the start again; intervals keep their step."""
    start = datetime(2026, 11, 24, 8)
    for rule in (
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
        "FREQ=MONTHLY;INTERVAL=3",
        "FREQ=DAILY;COUNT=9",
    ):
        times = list(islice(occurrences(rule, start, start), 9))
        assert list(islice(occurrences(rule, start, times[4]), 5)) == times[4:]


@pytest.mark.parametrize(
    ("when", "start"),
    [
        ("2026-11-24T09:00", datetime(2026, 11, 24, 9)),
        ("20261124T090000", datetime(2026, 11, 24, 9)),
        ("2026-11-24 09:00:30", datetime(2026, 11, 24, 9)),
        ("2026-11-24T00:00Z", datetime(2026, 11, 24, 9)),
        ("2026-11-24T09:00 RRULE:FREQ=DAILY", datetime(2026, 11, 24, 9)),
        ("DTSTART;TZID=Asia/Tokyo:20261124T090000\nRRULE:FREQ=DAILY", datetime(2026, 11, 24, 9)),
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0", datetime(2026, 11, 23, 4)),
    ],
)
def test_when_is_read_in_the_forms_that_models_write(when: str, start: datetime) -> None:
    """A local time, with a rule or without, in basic or extended form."""
    assert read_when(when, "Asia/Tokyo", NOW).start == start


@pytest.mark.parametrize(
    ("when", "start"),
    [
        ("P1DT2H", datetime(2026, 11, 24, 6, 30)),
        ("P2D RRULE:FREQ=DAILY", datetime(2026, 11, 25, 4, 30)),
    ],
)
def test_when_is_read_as_a_span_from_now(when: str, start: datetime) -> None:
    """On the clocks of the zone, and never before the span is over."""
    assert read_when(when, "Asia/Tokyo", NOW).start == start
    soon = read_when(when, "Asia/Tokyo", NOW + timedelta(seconds=20))
    assert soon.start == start + timedelta(minutes=1)
    assert is_from_now(when) == ("RRULE" not in when)


def test_span_within_a_day_is_kept_to_the_second() -> None:
    """One minute is one minute, not two, and two hours are not two and a minute."""
    now = NOW + timedelta(seconds=20, microseconds=900)
    for when, start in (("PT1M", (4, 31, 20)), ("PT20M", (4, 50, 20)), ("pt1h30m", (6, 0, 20))):
        assert read_when(when, "Asia/Tokyo", now).start == datetime(2026, 11, 23, *start)
        assert is_from_now(when)


def test_span_counts_the_hours_that_pass() -> None:
    """In the night in which Berlin's clocks go back, three o'clock comes an hour later."""
    now = datetime(2026, 10, 24, 23, 30, tzinfo=UTC)
    assert read_when("PT2H", "Europe/Berlin", now).start == datetime(2026, 10, 25, 2, 30)


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("P", "cannot be read"),
        ("PT", "cannot be read"),
        ("tomorrow at nine", "cannot be read"),
        ("2026-11-24", "time of day"),
        ("2026-11-23T04:00", "That time is over. It is 2026-11-23T04:30 in Asia/Tokyo now."),
        ("2226-11-24T09:00", "too far away"),
        ("0001-01-01T09:00", "too far away"),
        ("2026-11-24T09:00 RRULE:FREQ=DAILY;UNTIL=20261101", "never comes"),
        ("x" * 100_000, "cannot be read"),
    ],
)
def test_when_that_cannot_be_used_is_refused_in_words_for_the_model(when: str, said: str) -> None:
    """It learns what the time is, and which form to write."""
    with pytest.raises(TimeRefusedError, match=said):
        read_when(when, "Asia/Tokyo", NOW)


def test_zone_is_found_by_its_name_and_a_wrong_one_gets_suggestions() -> None:
    """Case and spaces do not matter; a city is enough to be understood."""
    assert zone_named("asia/tokyo") == "Asia/Tokyo"
    assert zone_named("America/New York") == "America/New_York"
    assert zone_named("../etc/passwd") is None
    assert "Asia/Tokyo" in zones_like("Tokio")
    assert zones_like("berlin")[0] == "Europe/Berlin"
    assert zones_like("x" * 100_000) == []
