"""Which command and which button for what users plan is answered by what."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from rich_agent.chat_commands import reminders as listing
from rich_agent.chat_commands import time_zone
from rich_agent.chat_commands.agenda import calendar, notes, tasks
from rich_agent.chat_commands.agenda import day_pictures as days
from rich_agent.chat_commands.presses import PressAnswer
from rich_agent.chat_commands.registry import CommandAnswer
from rich_agent.chat_commands.task_lists import conflicts, troubles
from rich_agent.chat_commands.task_lists import connecting as task_list
from rich_agent.composition.calendar import calendar_address
from rich_agent.composition.repositories import Repositories
from rich_agent.composition.task_lists import make_connecting, missing_for_lists
from rich_agent.composition.tools import make_button_tools
from rich_agent.settings.settings import Settings
from rich_agent.task_lists.freshness import FreshTasks
from rich_agent.telegram.deliver.messenger import Messenger


@dataclass(frozen=True, slots=True)
class PlanningCommands:
    """Makes what answers commands and buttons for tasks, notes, the calendar and reminders."""

    settings: Settings
    repositories: Repositories
    messenger: Messenger

    def commands(self) -> Mapping[str, CommandAnswer]:
        """Each command by its name."""
        listed, connected = self._tasks(), self._task_list()
        return {
            "tasks": listed.all,
            "today": listed.today,
            "notes": self._notes().answer,
            "calendar": self._calendar().answer,
            "connect": connected.connect,
            "disconnect": connected.disconnect,
            "reminders": self._reminders().answer,
            "timezone": self._time_zone().answer,
        }

    def presses(self) -> Mapping[str, PressAnswer]:
        """Each button by its verb."""
        listed, noted = self._tasks(), self._notes()
        schedule = self.repositories.agenda.schedule
        return {
            days.VERB: days.DayPictures(schedule, self.messenger).press,
            calendar.VERB: self._calendar().press,
            tasks.PAGE_VERB: listed.turn_page,
            tasks.DONE_VERB: listed.complete,
            tasks.TOMORROW_VERB: listed.put_off,
            tasks.DELETE_VERB: listed.delete,
            tasks.UNDO_VERB: listed.undo,
            task_list.CHOOSE_VERB: self._task_list().choose,
            conflicts.VERB: self.conflicts().press,
            notes.PAGE_VERB: noted.turn_page,
            notes.OPEN_VERB: noted.open,
            notes.DELETE_VERB: noted.delete,
            notes.UNDO_VERB: noted.undo,
            **self._reminder_presses(),
        }

    def conflicts(self) -> conflicts.TaskConflicts:
        """Make the service that asks about tasks that were changed on two sides."""
        stored = self.repositories
        return conflicts.TaskConflicts(stored.task_lists, stored.accounts, self.messenger)

    def troubles(self) -> troubles.TaskListTroubles:
        """Make the service that tells about connections that do not work any more."""
        stored = self.repositories
        return troubles.TaskListTroubles(stored.task_lists, stored.accounts, self.messenger)

    def _tasks(self) -> tasks.TaskLists:
        stored = self.repositories
        return tasks.TaskLists(
            stored.agenda,
            make_button_tools(stored),
            FreshTasks(stored.task_lists),
            stored.accounts,
            self.messenger.api,
            lambda: datetime.now(UTC),
        )

    def _notes(self) -> notes.NoteLists:
        return notes.NoteLists(self.repositories.agenda.notes, self.messenger.api)

    def _task_list(self) -> task_list.TaskListCommands:
        stored = self.repositories
        return task_list.TaskListCommands(
            stored.task_lists,
            make_connecting(self.settings, stored),
            missing_for_lists(self.settings),
            stored.inbox,
            self.messenger.api,
        )

    def _calendar(self) -> calendar.CalendarCommand:
        address_of = calendar_address(self.settings)
        feeds = self.repositories.programs.calendar_feeds
        return calendar.CalendarCommand(feeds, self.messenger.api, address_of)

    def _reminders(self) -> listing.ReminderCommands:
        stored = self.repositories
        return listing.ReminderCommands(stored.reminders, stored.accounts, self.messenger.api)

    def _time_zone(self) -> time_zone.TimeZone:
        stored = self.repositories
        return time_zone.TimeZone(stored.reminders, stored.accounts, self.messenger.api)

    def _reminder_presses(self) -> Mapping[str, PressAnswer]:
        to_come = self._reminders()
        return {
            listing.PAGE_VERB: to_come.turn_page,
            listing.CANCEL_VERB: to_come.cancel,
            listing.PUT_OFF_VERB: to_come.put_off,
            listing.DONE_VERB: to_come.done,
            listing.SNOOZE_VERB: to_come.snooze,
            listing.QUIET_VERB: to_come.set_quiet,
            listing.DIGEST_VERB: to_come.set_digest,
            time_zone.VERB: self._time_zone().press,
        }
