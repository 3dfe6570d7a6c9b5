"""Tells a user that their task list is out of reach until they do something."""

from dataclasses import dataclass

from rich_agent.chat_commands.task_lists.connecting import problem_told
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.task_lists import TaskListConnections
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget


@dataclass(frozen=True, slots=True)
class TaskListTroubles:
    """Sends one message for each new trouble; the same work again sends nothing twice."""

    connections: TaskListConnections
    accounts: Accounts
    messenger: Messenger

    async def tell(self, update_id: int, hold: Hold) -> None:
        """Say what is wrong; nothing if it is over."""
        trouble = await self.connections.trouble(update_id)
        if trouble is None:
            return
        locale = (await self.accounts.find(trouble.user_id)).locale_for()
        target = ReplyTarget(update_id, trouble.user_id, locale)
        told = f"{say(locale, 'connect-trouble')} {problem_told(trouble.problem, locale)}"
        await Delivery(self.messenger, target, hold).complete([RenderedMessage(told)])
