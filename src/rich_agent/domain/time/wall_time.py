"""Wall times, and the instants that they stand for."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from rich_agent.domain.time.zones import zone_named
from rich_agent.errors import RichAgentError

_LONGEST_NAME = 64


class TimeRefusedError(RichAgentError):
    """A time, a rule or a time zone that cannot be used; the message says what can."""


def instant_of(local: datetime, zone: str) -> datetime:
    """The instant (UTC) at which clocks in the zone show `local`.

    A time that clocks skip counts from the offset before the gap, so 02:30 becomes 03:30. If they
    show a time twice, it is the first. Source: RFC 5545, 3.3.5.

    Raises: TimeRefusedError if there is no such zone.
    """
    return local.replace(tzinfo=_zone(zone), fold=0).astimezone(UTC)


def local_of(instant: datetime, zone: str) -> datetime:
    """The wall time of the zone at an instant, without an offset.

    Raises: TimeRefusedError if there is no such zone.
    """
    return instant.astimezone(_zone(zone)).replace(tzinfo=None, fold=0)


def day_at(now: datetime, time_zone: str) -> date:
    """The day in a time zone, in UTC for an unknown one."""
    zone = zone_named(time_zone)
    return local_of(now, zone).date() if zone else now.astimezone(UTC).date()


def _zone(name: str) -> ZoneInfo:
    """The zone of this name.

    Raises: TimeRefusedError if there is none.
    """
    zone = zone_named(name)
    if zone is None:
        raise TimeRefusedError(f"There is no time zone {name[:_LONGEST_NAME]!r}.")
    return ZoneInfo(zone)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """A part of each day, in the user's time zone, in which nothing is sent unasked."""

    begin: time
    end: time

    def over_at(self, instant: datetime, zone: str) -> datetime | None:
        """The end of the quiet hours that an instant lies in, None outside of them."""
        local_time = local_of(instant, zone)
        time_of_day, is_overnight = local_time.time(), self.begin > self.end
        if is_overnight:
            is_quiet = time_of_day >= self.begin or time_of_day < self.end
        else:
            is_quiet = self.begin <= time_of_day < self.end
        if not is_quiet:
            return None
        day = local_time.date() + timedelta(
            days=1 if is_overnight and time_of_day >= self.begin else 0
        )
        return instant_of(datetime.combine(day, self.end), zone)

    @property
    def text(self) -> str:
        """Begin and end as a user writes them."""
        return f"{self.begin:%H:%M}-{self.end:%H:%M}"


def read_quiet_hours(text: str) -> QuietHours | None:
    """Quiet hours as a user writes them: 22:00-07:00. None if they cannot be read."""
    begin, dash, end = text.replace("–", "-").partition("-")
    times = read_clock(begin), read_clock(end)
    if not dash or times[0] is None or times[1] is None or times[0] == times[1]:
        return None
    return QuietHours(times[0], times[1])


def read_clock(text: str) -> time | None:
    """A time of day as a user writes it (8:00, 08:00), None if it cannot be read."""
    hour, colon, minute = text.strip().partition(":")
    if not (colon and hour.isdecimal() and minute.isdecimal() and len(hour) <= 2 == len(minute)):
        return None
    return time(int(hour), int(minute)) if int(hour) < 24 and int(minute) < 60 else None
