"""Whether this installation serves calendar feeds, and with what; `icalendar` is optional."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec

from starlette.routing import Route

from rich_agent.calendar_feed.endpoint import CalendarEndpoint, feed_address
from rich_agent.composition.repositories import Repositories
from rich_agent.domain.access import Access
from rich_agent.domain.agenda.calendar import Calendar
from rich_agent.settings.settings import Settings


def calendar_address(settings: Settings) -> Callable[[str], str] | None:
    """Make the function for a token's address; None without a public address or the extra."""
    public = settings.web.public_address
    return partial(feed_address, public) if public and find_spec("icalendar") else None


def calendar_routes(settings: Settings, repositories: Repositories) -> Sequence[Route]:
    """The routes of the feeds, none if they are not served."""
    if calendar_address(settings) is None or settings.web.public_address is None:
        return ()
    access = Access(settings.access.allowed_ids, settings.access.admin_users)
    endpoint = CalendarEndpoint(
        repositories.programs.calendar_feeds, access.permits, _write, settings.web.public_address
    )
    return endpoint.routes()


def _write(calendar: Calendar, host: str) -> bytes:
    from rich_agent.calendar_feed.icalendar_text import write_calendar  # noqa: PLC0415 - optional

    return write_calendar(calendar, host)
