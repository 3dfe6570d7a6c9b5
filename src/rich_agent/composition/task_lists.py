"""Whether users can connect their task lists here, and with what; the libraries are optional."""

from datetime import UTC, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from rich_agent.composition.repositories import Repositories
from rich_agent.domain.intranet import Intranet
from rich_agent.ports.task_lists import TaskListConnecting, TaskListServers
from rich_agent.runtime.seals import Seal
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.task_list_servers import HttpTaskListServers

if TYPE_CHECKING:
    from rich_agent.task_lists.syncing import TaskListSync

Missing = Literal["", "extra", "key"]


def missing_for_lists(settings: Settings) -> Missing:
    """Name what keeps users from connecting their lists: the extra, the key, or nothing."""
    if not (find_spec("icalendar") and find_spec("cryptography")):
        return "extra"
    return "" if settings.storage.credentials_keys else "key"


def make_seal(settings: Settings) -> Seal | None:
    """Make the seal that encrypts passwords; None if something is missing."""
    if missing_for_lists(settings):
        return None
    return Seal.of(settings.storage.credentials_keys)


def make_connecting(settings: Settings, repositories: Repositories) -> TaskListConnecting | None:
    """Make the service that connects users; None if something is missing."""
    seal = make_seal(settings)
    if seal is None:
        return None
    from rich_agent.task_lists.connecting import ServerConnecting  # noqa: PLC0415 - optional

    return ServerConnecting(repositories.task_lists, _servers(settings), seal)


def make_task_list_sync(settings: Settings, repositories: Repositories) -> "TaskListSync | None":
    """Make the service that synchronises; None if something is missing."""
    seal = make_seal(settings)
    if seal is None:
        return None
    from rich_agent.task_lists.syncing import TaskListSync  # noqa: PLC0415 - optional

    return TaskListSync(
        connections=repositories.task_lists,
        servers=_servers(settings),
        seal=seal,
        interval_s=settings.task_lists.interval_s,
        now=lambda: datetime.now(UTC),
    )


def _servers(settings: Settings) -> TaskListServers:
    return HttpTaskListServers(Intranet.parse(settings.task_lists.private_hosts))
