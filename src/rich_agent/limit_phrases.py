"""The sentence that tells a user which limit of the day is reached, and when it ends."""

from datetime import datetime

from rich_agent.errors import DailyLimitError
from rich_agent.phrases import say


def say_limit(error: DailyLimitError, locale: str) -> str:
    """What cannot be done today, when it can again, and what can be done until then."""
    return say(
        locale,
        f"limit-{error.resource}",
        limit=error.limit,
        at=show_moment(error.resets_at),
        wait=say_wait(error.left_s, locale),
    )


def show_moment(at: datetime) -> str:
    """A time of UTC, to the minute."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def say_wait(seconds: float, locale: str) -> str:
    """How long it is until then: "in 5 h 20 min", never less than a minute."""
    hours, minutes = divmod(max(1, round(seconds / 60)), 60)
    return say(locale, "limit-wait", hours=hours, minutes=minutes)
