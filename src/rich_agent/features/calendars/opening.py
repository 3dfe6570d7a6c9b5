"""Makes the feeds, and the command that leads to them."""

from functools import partial

from rich_agent.feature import Core, Parts
from rich_agent.features.calendars.calendar import Calendar
from rich_agent.features.calendars.commands import VERB, CalendarCommand
from rich_agent.features.calendars.endpoint import CalendarEndpoint, feed_address
from rich_agent.features.calendars.repository import CalendarFeeds


def make_parts(core: Core, *, can_publish: bool) -> Parts:
    """The command, and the route if the feeds can be published."""
    token, public = core.settings.telegram.bot_token, core.settings.web.public_address
    feeds = CalendarFeeds(core.databases.app, token.get_secret_value() if token else "")
    address_of = partial(feed_address, public) if can_publish and public else None
    command = CalendarCommand(feeds, address_of)
    endpoint = CalendarEndpoint(
        feeds, core.dated_entries, core.access.permits, write_calendar, public or ""
    )
    return Parts(
        commands={"calendar": command.answer},
        presses={VERB: command.press},
        open_routes=[endpoint.route()] if address_of else [],
    )


def write_calendar(calendar: Calendar, host: str) -> bytes:
    """The calendar as others read it; loads an optional library."""
    from rich_agent.features.calendars import icalendar_text  # noqa: PLC0415 - see above

    return icalendar_text.write_calendar(calendar, host)
