"""Makes the tools and the command, the work that fires reminders, and their notices."""

from rich_agent.feature import Core, Parts
from rich_agent.features.reminder.commands import ReminderCommands
from rich_agent.features.reminder.notices import ReminderNotices, firing_of
from rich_agent.features.reminder.panels import ReminderPanels
from rich_agent.features.reminder.records import FIRING_WORK, REMINDER_WORK
from rich_agent.features.reminder.repository import Reminders
from rich_agent.features.reminder.tools import ReminderTools


def make_parts(core: Core) -> Parts:
    """All parts of the feature."""
    reminders = Reminders(core.databases.app, core.accounts)
    commands = ReminderCommands(reminders, core.accounts)
    tools = ReminderTools(reminders, core.accounts)
    return Parts(
        tools=tools.tools(),
        panels=ReminderPanels(commands, tools).panels(),
        commands={"reminders": commands.answer},
        presses=commands.presses(),
        work={FIRING_WORK: firing_of(reminders)},
        notices={REMINDER_WORK: ReminderNotices(reminders, core.accounts, core.access).word},
        dated_entries=[reminders.entries],
        zone_moves=[reminders.move],
    )
