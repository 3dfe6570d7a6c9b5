"""A time as a model or a program writes it: a moment, a span from now, or a start with a rule."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rich_agent.domain.time.recurrence import check_rule, occurrences
from rich_agent.domain.time.wall_time import TimeRefusedError, instant_of, local_of

LONGEST_WHEN = 400
_FORM = (
    'Write "2026-11-24T09:00", a start and a rule: "2026-11-24T09:00 RRULE:FREQ=DAILY", or a time '
    'from now: "PT20M", "P1DT2H".'
)
_RULE = re.compile(r"(?:RRULE:)?(?=FREQ=)", re.IGNORECASE)
_START = re.compile(r"(?:DTSTART)?(?:;TZID=[\w/+-]{1,64})?:?", re.IGNORECASE)
_SPAN = re.compile(
    r"P(?=.)(?:(?P<days>\d{1,4})D)?(?:T(?=.)(?:(?P<hours>\d{1,4})H)?(?:(?P<minutes>\d{1,5})M)?)?",
    re.IGNORECASE,
)
_MINUTE = timedelta(minutes=1)
_TO_THE_SECOND = timedelta(days=1)
_JUST_NOW = timedelta(seconds=60)
_OLDEST_START = timedelta(days=366)
_FARTHEST_YEARS = 100


@dataclass(frozen=True, slots=True)
class When:
    """A time in a zone: its local start, its checked rule ("" for a single time), its next time."""

    start: datetime
    rule: str
    next: datetime


def first_after(rule: str, start: datetime, tz: str, now: datetime) -> datetime | None:
    """The first local time of a rule after `now`; without a rule, `start` if it is after `now`."""
    local_times = occurrences(rule, start, start) if rule else iter((start,))
    return next(
        (local_time for local_time in local_times if instant_of(local_time, tz) > now), None
    )


def is_from_now(text: str) -> bool:
    """Whether the text is a span from now, which is the same in every zone."""
    return span_of(text) is not None


def span_of(text: str) -> timedelta | None:
    """The span from now that the text is, None for other texts. Source: ISO 8601."""
    match = _SPAN.fullmatch(text.strip()[:LONGEST_WHEN])
    if match is None:
        return None
    return timedelta(**{name: int(value or 0) for name, value in match.groupdict().items()})


def read_when(text: str, tz: str, now: datetime) -> When:
    """The time that a text names, in the zone `tz`.

    Raises: TimeRefusedError if it cannot be read, is over, or never comes.
    """
    text = text.strip()[:LONGEST_WHEN]
    rule_match = _RULE.search(text)
    start_text, rule = (
        (text[: rule_match.start()], text[rule_match.end() :]) if rule_match else (text, "")
    )
    local_now = local_of(now, tz)
    start = _read_start(start_text.strip(" \t\r\n;,"), rule, tz, now)
    if not local_now - _OLDEST_START < start < _years_later(local_now):
        raise TimeRefusedError(f"The start is too far away. {_it_is(local_now, tz)}")
    if not rule:
        if instant_of(start, tz) < now - _JUST_NOW:
            raise TimeRefusedError(f"That time is over. {_it_is(local_now, tz)}")
        return When(start, "", start)
    rule = check_rule(rule, start, tz)
    next_time = first_after(rule, start, tz, now)
    if next_time is None:
        raise TimeRefusedError(f"By this rule it never comes. {_it_is(local_now, tz)}")
    return When(start, rule, next_time)


def _read_start(head: str, rule: str, tz: str, instant: datetime) -> datetime:
    """The local start that the text names."""
    span = span_of(head)
    if span is not None:
        end = local_of(instant + span, tz).replace(microsecond=0)
        if span <= _TO_THE_SECOND and not rule:
            return end
        # Rounded up, so that it is never before the span is over.
        return end.replace(second=0) + (_MINUTE if end.second else timedelta())
    stamp = head[_START.match(head).end() :] if _START.match(head) else head  # type: ignore[union-attr]  # matches
    if not stamp and "BYHOUR=" in rule.upper():
        return local_of(instant, tz).replace(minute=0, second=0, microsecond=0)
    try:
        start = datetime.fromisoformat(stamp)
    except ValueError as error:
        raise TimeRefusedError(f"The time cannot be read. {_FORM}") from error
    if ":" not in stamp and "T" not in stamp.upper():
        raise TimeRefusedError(f"A time of day is missing. {_FORM}")
    if start.tzinfo:
        start = local_of(start.astimezone(UTC), tz)
    return start.replace(second=0, microsecond=0)


def _years_later(local: datetime) -> datetime:
    """The time `_FARTHEST_YEARS` later, on the first of its month."""
    return local.replace(year=local.year + _FARTHEST_YEARS, day=1)


def _it_is(local_now: datetime, tz: str) -> str:
    """A sentence with the present local time."""
    return f"It is {local_now:%Y-%m-%dT%H:%M} in {tz} now."
