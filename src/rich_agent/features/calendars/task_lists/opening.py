"""Makes the synchronisation of task lists, if the settings and libraries permit it."""

from importlib.util import find_spec
from typing import Literal

from rich_agent.feature import Core, Parts, Settings
from rich_agent.feature.webdav import Intranet
from rich_agent.features.calendars.settings import CalendarSettings
from rich_agent.features.calendars.task_lists.checks import ListCheck
from rich_agent.features.calendars.task_lists.commands import (
    CHOOSE_VERB,
    UNDO_VERB,
    ListNotices,
    ReplacedTasks,
    TaskListCommands,
)
from rich_agent.features.calendars.task_lists.connecting import ServerConnecting
from rich_agent.features.calendars.task_lists.ports import (
    REPLACED_NOTICE,
    TASK_LIST_WORK,
    TROUBLE_NOTICE,
)
from rich_agent.features.calendars.task_lists.repository import PostgresTaskListConnections
from rich_agent.features.calendars.task_lists.servers import HttpTaskListServers

Missing = Literal["", "extra", "key"]


def missing_for_lists(settings: Settings) -> Missing:
    """Name what keeps users from connecting their lists: the extra, the key, or nothing."""
    if not (find_spec("icalendar") and find_spec("cryptography")):
        return "extra"
    return "" if settings.storage.credentials_keys else "key"


def make_list_parts(core: Core) -> tuple[Parts, TaskListCommands]:
    """The commands in any case, and what synchronises if nothing is missing."""
    section, missing = core.section(CalendarSettings), missing_for_lists(core.settings)
    connections = PostgresTaskListConnections(core.databases.app)
    seal = None if missing else core.make_seal()
    servers = HttpTaskListServers(Intranet.parse(section.private_hosts))
    connecting = ServerConnecting(connections, servers, seal) if seal else None
    commands, notices = TaskListCommands(connections, connecting, missing), ListNotices(connections)
    work = {}
    if seal:
        # Loads an optional library.
        from rich_agent.features.calendars.task_lists.syncing import TaskListSync  # noqa: PLC0415

        sync = TaskListSync(connections, servers, seal, section.interval_s, core.now)
        work[TASK_LIST_WORK] = sync.kind
    parts = Parts(
        commands={"connect": commands.connect, "disconnect": commands.disconnect},
        presses={CHOOSE_VERB: commands.choose, UNDO_VERB: ReplacedTasks(connections).press},
        notices={
            REPLACED_NOTICE: notices.word_replacement,
            TROUBLE_NOTICE: notices.word_trouble,
        },
        work=work,
        checks=[ListCheck(connections, seal, missing, core.settings.storage.credentials_keys).look],
    )
    return parts, commands
