"""Whether users can connect their task lists here, and with what; the libraries are optional."""

from datetime import UTC, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from rich_agent.composition.repositories import Repositories
from rich_agent.domain.intranet import Intranet
from rich_agent.ports.caldav import CalDavConnecting, CalDavServers
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.caldav.servers import HttpCalDavServers

if TYPE_CHECKING:
    from rich_agent.task_sync.desk import TaskSyncDesk
    from rich_agent.task_sync.sealing import Seal

Missing = Literal["", "extra", "key"]


def missing_for_lists(settings: Settings) -> Missing:
    """Name what keeps users from connecting their lists: the extra, the key, or nothing."""
    if not (find_spec("icalendar") and find_spec("cryptography")):
        return "extra"
    return "" if settings.credentials_keys else "key"


def make_seal(settings: Settings) -> "Seal | None":
    """Make the seal that encrypts passwords; None if something is missing."""
    if missing_for_lists(settings):
        return None
    from rich_agent.task_sync.sealing import Seal  # noqa: PLC0415 - optional

    return Seal.of(settings.credentials_keys)


def make_connecting(settings: Settings, repositories: Repositories) -> CalDavConnecting | None:
    """Make the service that connects users; None if something is missing."""
    seal = make_seal(settings)
    if seal is None:
        return None
    from rich_agent.task_sync.connecting import ServerConnecting  # noqa: PLC0415 - optional

    return ServerConnecting(repositories.caldav, _servers(settings), seal)


def make_task_sync(settings: Settings, repositories: Repositories) -> "TaskSyncDesk | None":
    """Make the service that synchronises; None if something is missing."""
    seal = make_seal(settings)
    if seal is None:
        return None
    from rich_agent.task_sync.desk import TaskSyncDesk  # noqa: PLC0415 - optional
    from rich_agent.task_sync.syncing import TaskSync  # noqa: PLC0415 - the same

    stored, interval_s = repositories.caldav, settings.caldav_interval_s
    sync = TaskSync(stored, _servers(settings), seal, interval_s, lambda: datetime.now(UTC))
    return TaskSyncDesk(stored, sync, repositories.inbox.attempts)


def _servers(settings: Settings) -> CalDavServers:
    return HttpCalDavServers(Intranet.parse(settings.caldav_private_hosts))
