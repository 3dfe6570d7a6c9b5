"""Makes the feeds, the command that leads to them, and what keeps task lists alike."""

from dataclasses import replace
from functools import partial

from rich_agent.feature import Core, Parts
from rich_agent.features.calendars.calendar import Calendar
from rich_agent.features.calendars.commands import VERB, CalendarCommand
from rich_agent.features.calendars.endpoint import CalendarEndpoint, feed_address
from rich_agent.features.calendars.panel import CalendarPanel
from rich_agent.features.calendars.repository import CalendarFeeds
from rich_agent.features.calendars.task_lists.opening import make_list_parts


def make_parts(core: Core, *, can_publish: bool) -> Parts:
    """The commands, the route if the feeds can be published, and the parts of task lists."""
    token, public = core.settings.telegram.bot_token, core.settings.web.public_address
    feeds = CalendarFeeds(core.databases.app, token.get_secret_value() if token else "")
    address_of = partial(feed_address, public) if can_publish and public else None
    command = CalendarCommand(feeds, address_of)
    endpoint = CalendarEndpoint(
        feeds, core.dated_entries, core.access.permits, write_calendar, public or ""
    )
    lists, list_commands = make_list_parts(core)
    panel = CalendarPanel(feeds, address_of, list_commands)
    return replace(
        lists,
        panels=[panel.panel()],
        commands={"calendar": command.answer, **lists.commands},
        presses={VERB: command.press, **lists.presses},
        open_routes=[endpoint.route()] if address_of else [],
    )


def write_calendar(calendar: Calendar, host: str) -> bytes:
    """The calendar as others read it; loads an optional library."""
    from rich_agent.features.calendars import icalendar_text  # noqa: PLC0415 - see above

    return icalendar_text.write_calendar(calendar, host)
