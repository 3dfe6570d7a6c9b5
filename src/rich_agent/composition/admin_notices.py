"""Messages to the admins that no turn leads to."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich_agent.composition.repositories import Repositories
from rich_agent.feature.core import AdminMessages
from rich_agent.ports.operations import AdminAlert
from rich_agent.settings.settings import Settings
from rich_agent.telegram.deliver.messenger import Messenger

if TYPE_CHECKING:
    from rich_agent.telegram.serve.alarm import Alarm


def make_admin_messages(
    settings: Settings, repositories: Repositories, messenger: Messenger
) -> AdminMessages:
    """Make what sends each admin a message within the limits of Telegram."""

    def make_alarm() -> "Alarm":
        from rich_agent.telegram.serve.alarm import Alarm  # noqa: PLC0415 - after the start

        admins = settings.access.admin_users
        return Alarm(repositories.operations.alerts, repositories.accounts, messenger, admins)

    async def tell(words: Callable[[str], str]) -> None:
        await make_alarm().tell(words)

    async def alert(trouble: AdminAlert) -> bool:
        return await make_alarm().alert(trouble)

    return AdminMessages(tell, alert)
