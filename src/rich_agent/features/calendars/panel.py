"""The panel of a user's calendar feed, and of the connection to their task list."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rich_agent.feature import Asker, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.panels import (
    Panel,
    PanelButton,
    PanelContent,
    PanelRefusedError,
    PanelRequest,
    PanelSecret,
)
from rich_agent.feature.tools import Nothing
from rich_agent.features.calendars.repository import CalendarFeeds
from rich_agent.features.calendars.task_lists.commands import TaskListCommands


@dataclass(frozen=True, slots=True)
class CalendarPanel:
    """Makes, shows and ends the feed, and ends the connection to a task list."""

    feeds: CalendarFeeds
    address_of: Callable[[str], str] | None
    """Returns the address of a feed, given its token; None if this bot serves no feeds."""
    lists: TaskListCommands

    def panel(self) -> Panel:
        """The panel."""
        return Panel(
            name="calendar",
            heading="command-calendar",
            compose=self.compose,
            tools=[
                Tool("end_calendar", "", Nothing, self.end, "delete"),
                Tool("leave_task_list", "", Nothing, self.leave, "delete"),
            ],
            secrets={"make_calendar": self.make, "show_calendar": self.show},
            page="devices",
            order=90,
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """Whether there is a feed and a task list, and what can be done."""
        locale = request.locale
        status = await self.lists.status(request.user_id, request.clocks)
        leave = PanelButton(say(locale, "command-disconnect"), "leave_task_list", is_final=True)
        return PanelContent(
            sentences=[*await self._sentences(request), *status],
            buttons=[*await self._buttons(request), *([leave] if status else ())],
        )

    async def _sentences(self, request: PanelRequest) -> list[str]:
        if self.address_of is None:
            return [say(request.locale, "calendars-unavailable")]
        token = await self.feeds.token(request.user_id)
        return [say(request.locale, "calendars-open" if token else "calendars-none")]

    async def _buttons(self, request: PanelRequest) -> list[PanelButton]:
        locale = request.locale
        if self.address_of is None:
            return []
        if await self.feeds.token(request.user_id) is None:
            return [PanelButton(say(locale, "calendars-make"), "make_calendar")]
        renew, end = say(locale, "calendars-renew"), say(locale, "calendars-end")
        return [
            PanelButton(say(locale, "calendars-show"), "show_calendar"),
            PanelButton(renew, "make_calendar", is_final=True),
            PanelButton(end, "end_calendar", is_final=True),
        ]

    async def make(self, request: PanelRequest, _: Mapping[str, str]) -> PanelSecret:
        """Make a feed; an earlier one ends. Raises: PanelRefusedError."""
        if self.address_of is None:
            raise PanelRefusedError(say(request.locale, "calendars-unavailable"))
        return self._with_address(await self.feeds.make(request.user_id), request)

    async def show(self, request: PanelRequest, _: Mapping[str, str]) -> PanelSecret:
        """Show the address of the feed. Raises: PanelRefusedError."""
        token = await self.feeds.token(request.user_id)
        if token is None or self.address_of is None:
            raise PanelRefusedError(say(request.locale, "calendars-ended"))
        return self._with_address(token, request)

    async def end(self, _: Nothing, asker: Asker) -> Outcome:
        """End the feed."""
        await self.feeds.revoke(asker.user_id)
        return Outcome({}, done=say(asker.locale, "calendars-ended"))

    async def leave(self, _: Nothing, asker: Asker) -> Outcome:
        """End the connection to the task list. Raises: ToolRefusedError."""
        if not await self.lists.connections.disconnect(asker.user_id):
            raise ToolRefusedError("No list.", question=say(asker.locale, "calendars-connect-none"))
        return Outcome({}, done=say(asker.locale, "calendars-disconnected"))

    def _with_address(self, token: str, request: PanelRequest) -> PanelSecret:
        address = self.address_of(token) if self.address_of else ""
        return PanelSecret(say(request.locale, "calendars-address"), address)
