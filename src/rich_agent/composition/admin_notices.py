"""Messages to the admins that no turn leads to."""

from collections.abc import Callable

from rich_agent.composition.repositories import Repositories
from rich_agent.feature.core import TellAdmins
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.settings.settings import Settings


def make_tell_admins(
    settings: Settings, repositories: Repositories, api: TelegramApi
) -> TellAdmins:
    """Make what sends each admin a message within the limits of Telegram."""

    async def tell(words: Callable[[str], str]) -> None:
        from rich_agent.telegram.deliver.messenger import (  # noqa: PLC0415 - after the start
            Limiter,
            Messenger,
        )
        from rich_agent.telegram.serve.alarm import Alarm  # noqa: PLC0415 - the same

        limiter = Limiter(repositories.sending_rate)
        messenger = Messenger(api, repositories.outbox, repositories.users, limiter)
        admins = settings.access.admin_users
        alarm = Alarm(repositories.operations.alerts, repositories.accounts, messenger, admins)
        await alarm.tell(words)

    return tell
